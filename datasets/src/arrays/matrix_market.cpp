// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <charconv>
#include <cmath>
#include <string_view>

#include "arrays/sparse.h"
#include "io/text.h"

namespace subspace::datasets {
namespace {

/// The lines of a Matrix Market file, comments and empty ones left out.
class Lines {
 public:
  explicit Lines(const MappedFile& file)
      : name_(file.name()),
        rest_(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()) {}

  /// False at the end of the file.
  bool next(bool comments = false) {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      if (const std::size_t last = line_.find_last_not_of(" \t\r");
          last == std::string_view::npos) {
        continue;
      } else {
        line_ = line_.substr(0, last + 1);
      }
      const std::string_view content = line_.substr(line_.find_first_not_of(" \t"));
      if (comments || !content.starts_with('%')) return true;
    }
    return false;
  }

  std::string word() {
    const std::size_t begin = line_.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    const std::size_t end = std::min(line_.find_first_of(" \t", begin), line_.size());
    std::string word(line_.substr(begin, end - begin));
    line_.remove_prefix(end);
    return word;
  }

  double number(const char* what) {
    std::string text = word();
    if (text.starts_with('+') && !text.starts_with("+-")) text.erase(0, 1);
    double value = 0.0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stop != text.data() + text.size() || text.empty()) {
      fail("'", printable(text), "' where ", what, " is expected");
    }
    return value;
  }

  /// Counted from 1 in the file, from 0 here.
  int index(const char* what, Index limit) {
    const double value = number(what);
    if (!(value >= 1.0 && value <= static_cast<double>(limit) && value == std::floor(value))) {
      fail(what, " ", value, ", expected a whole number from 1 to ", limit);
    }
    return static_cast<int>(value) - 1;
  }

  void require_end() {
    if (const std::string more = word(); !more.empty())
      fail("more than expected: '", printable(more), "'");
  }

  template <typename... Parts>
  [[noreturn]] void fail(const Parts&... parts) const {
    throw_io_error(name_, ": line ", number_, ": ", parts...);
  }

 private:
  std::string name_;
  std::string_view rest_;
  std::string_view line_;
  Index number_ = 0;
};

struct Banner {
  bool pattern = false;  ///< no values: all are 1
  bool symmetric = false;
};

Banner read_banner(Lines& lines) {
  if (!lines.next(true) || lower_case(lines.word()) != "%%matrixmarket") {
    lines.fail("no %%MatrixMarket banner");
  }
  const std::string object = lower_case(lines.word());
  const std::string layout = lower_case(lines.word());
  const std::string field = lower_case(lines.word());
  const std::string symmetry = lower_case(lines.word());
  if (object != "matrix" || layout != "coordinate") {
    lines.fail("'", printable(object + " " + layout), "', expected matrix coordinate");
  }
  if (field != "real" && field != "integer" && field != "pattern") {
    lines.fail("values '", printable(field), "', expected real, integer or pattern");
  }
  if (symmetry != "general" && symmetry != "symmetric") {
    lines.fail("'", printable(symmetry), "', expected general or symmetric");
  }
  return {.pattern = field == "pattern", .symmetric = symmetry == "symmetric"};
}

}  // namespace

SparseEntries read_matrix_market(const MappedFile& file, const Context& context) {
  Lines lines(file);
  const Banner banner = read_banner(lines);
  if (!lines.next()) lines.fail("the file ends before the sizes");
  const double rows = lines.number("the number of rows");
  const double columns = lines.number("the number of columns");
  const double count = lines.number("the number of entries");
  lines.require_end();
  if (rows != std::floor(rows) || columns != std::floor(columns) || count != std::floor(count)) {
    lines.fail("sizes must be whole numbers");
  }
  // A line has four bytes at least: what is declared must be there.
  if (!(count >= 0.0 && 4.0 * count <= static_cast<double>(file.bytes().size()) + 1.0)) {
    lines.fail(count, " entries, more than the file can hold");
  }
  check_sparse_size(file, rows, columns, banner.symmetric ? 2.0 * count : count, context);
  SparseEntries read = {.rows = static_cast<Index>(rows), .columns = static_cast<Index>(columns)};
  read.entries.reserve(static_cast<std::size_t>(banner.symmetric ? 2.0 * count : count));
  for (double k = 0.0; k < count; ++k) {
    if (!lines.next()) lines.fail("the file ends after ", k, " of ", count, " entries");
    const int i = lines.index("row", read.rows);
    const int j = lines.index("column", read.columns);
    const double value = banner.pattern ? 1.0 : lines.number("a value");
    lines.require_end();
    read.entries.emplace_back(i, j, value);
    if (banner.symmetric && j > i) {
      lines.fail("an entry above the diagonal, expected the lower triangle of a symmetric matrix");
    }
    if (banner.symmetric && i != j) read.entries.emplace_back(j, i, value);
  }
  if (lines.next()) lines.fail("more than ", count, " entries");
  return read;
}

}  // namespace subspace::datasets
