// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/types.h>

#include "io/mapped_file.h"

namespace subspace::datasets {

/// A text table of numbers. The constructor finds delimiter, header and rows and refuses ragged
/// lines, so that the size of the table is certain before anything is allocated for it.
class CsvTable {
 public:
  explicit CsvTable(const MappedFile& file);

  Index rows() const { return static_cast<Index>(row_begin_.size()); }
  Index columns() const { return columns_; }
  const std::vector<std::string>& header() const { return header_; }  ///< empty: the file has none
  std::optional<Index> find_column(const std::string& name) const;

  /// One table row per column of the result, without the column `left_out`.
  Matrix read_rows_as_points(std::optional<Index> left_out, const Context& context) const;
  /// One table column per column of the result.
  Matrix read_columns_as_points(const Context& context) const;
  std::vector<double> read_column(Index column, const Context& context) const;
  std::vector<double> read_row(Index row, const Context& context) const;

 private:
  static constexpr Index kSkip = -1;
  /// out[row * row_step + target[column]], where target is kSkip for columns to leave out.
  void read(double* out, Index row_step, const std::vector<Index>& target,
            const Context& context) const;
  void parse_row(Index row, double* out, const std::vector<Index>& target) const;
  double parse_number(std::string_view field, Index row, Index column) const;

  std::string_view line_at(std::size_t begin) const;
  std::string_view next_field(std::string_view& rest) const;
  Index count_fields(std::string_view line) const;
  void find_header(std::string_view first, std::string_view second);
  void find_rows(std::size_t begin, Index first_line);
  Index line_number(Index row) const { return row + 1 + (header_.empty() ? 0 : 1); }
  template <typename... Parts>
  [[noreturn]] void fail(Index line, const Parts&... parts) const;

  std::string name_;
  std::string_view text_;
  char delimiter_ = '\0';  ///< '\0': one field a line; ' ': runs of blanks
  Index columns_ = 0;
  std::vector<std::string> header_;
  std::vector<std::size_t> row_begin_;
};

}  // namespace subspace::datasets
