// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "arrays/csv.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>

#include <subspace/core/parallel.h>

#include "arrays/array.h"
#include "io/text.h"

namespace subspace::datasets {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

bool is_number(std::string_view field, double& value) {
  if (field.starts_with('+') && !field.starts_with("+-")) field.remove_prefix(1);
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  return error == std::errc() && end == field.data() + field.size();
}

/// The strongest separator outside quotes.
char detect_delimiter(std::string_view line) {
  bool quoted = false;
  char best = '\0';
  for (const char c : trimmed(line)) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\t') return c;
    if (c == ';' || (c == ',' && best != ';') || (c == ' ' && best == '\0')) best = c;
  }
  return best;
}

/// Fields of a header; "" inside quotes stands for one quote.
std::vector<std::string> split_header(std::string_view line, char delimiter) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"')
        fields.back() += line[++i];
      else
        quoted = !quoted;
    } else if (c == delimiter && !quoted) {
      const bool repeated_blank = delimiter == ' ' && (i == 0 || line[i - 1] == ' ');
      if (!repeated_blank) fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  for (auto& field : fields) field = std::string(trimmed(field));
  return fields;
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

}  // namespace

template <typename... Parts>
void CsvTable::fail(Index line, const Parts&... parts) const {
  throw_io_error(name_, ": line ", line, ": ", parts...);
}

CsvTable::CsvTable(const MappedFile& file)
    : name_(file.name()),
      text_(without_byte_order_mark(
          {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()})) {
  // Blank lines at the end mean nothing.
  const std::size_t last = text_.find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos) throw_io_error(name_, ": the file holds no numbers");
  text_ = text_.substr(0, last + 1);
  const std::string_view first = line_at(0);
  const std::size_t second_begin = text_.find('\n');
  const bool has_second = second_begin != std::string_view::npos;
  find_header(first, has_second ? line_at(second_begin + 1) : std::string_view());
  if (header_.empty()) {
    find_rows(0, 1);
  } else {
    if (!has_second) fail(1, "only a header, no numbers");
    find_rows(second_begin + 1, 2);
  }
}

std::string_view CsvTable::line_at(std::size_t begin) const {
  std::string_view line = text_.substr(begin, text_.find('\n', begin) - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view CsvTable::next_field(std::string_view& rest) const {
  if (delimiter_ == ' ') rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  const std::size_t end = delimiter_ == '\0' ? std::string_view::npos : rest.find(delimiter_);
  const std::string_view field = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return trimmed(field);
}

Index CsvTable::count_fields(std::string_view line) const {
  if (delimiter_ == '\0') return 1;
  if (delimiter_ != ' ') return 1 + std::ranges::count(line, delimiter_);
  line = trimmed(line);
  Index count = line.empty() ? 0 : 1;
  for (std::size_t i = 1; i < line.size(); ++i)
    count += line[i] != ' ' && line[i - 1] == ' ' ? 1 : 0;
  return count;
}

void CsvTable::find_header(std::string_view first, std::string_view second) {
  if (trimmed(first).starts_with('#') || trimmed(first).starts_with('%')) {
    fail(1, "found a comment, expected numbers or column names; delete comment lines");
  }
  delimiter_ = detect_delimiter(first);
  int numbers = 0, words = 0;
  double value = 0.0;
  for (const std::string& field : split_header(first, delimiter_)) {
    if (is_number(field, value))
      ++numbers;
    else if (!field.empty())
      ++words;
  }
  const bool is_quoted = first.find('"') != std::string_view::npos;
  if (words == 0 && !is_quoted) {
    columns_ = count_fields(first);
    return;
  }
  if (numbers > 0 && !is_quoted) {
    fail(1, "found ", numbers, " numbers and ", words,
         " words, expected either numbers or column names");
  }
  if (std::ranges::count(first, '"') % 2 != 0) fail(1, "a quote is not closed");
  // Names may hold blanks, so the numbers decide.
  if (!second.empty()) delimiter_ = detect_delimiter(second);
  header_ = split_header(first, delimiter_);
  columns_ = static_cast<Index>(header_.size());
}

void CsvTable::find_rows(std::size_t begin, Index line) {
  while (true) {
    const std::string_view row = line_at(begin);
    if (trimmed(row).empty()) fail(line, "is blank, expected ", columns_, " numbers");
    const Index found = count_fields(row);
    if (found != columns_) {
      if (trimmed(row).starts_with('#') || trimmed(row).starts_with('%'))
        fail(line, "found a comment, expected numbers");
      fail(line, "found ", found, " fields, expected ", columns_, " as in line 1");
    }
    row_begin_.push_back(begin);
    const std::size_t end = text_.find('\n', begin);
    if (end == std::string_view::npos) return;
    begin = end + 1;
    ++line;
  }
}

std::optional<Index> CsvTable::find_column(const std::string& name) const {
  const auto found = std::ranges::find(header_, name);
  if (found == header_.end()) return std::nullopt;
  return found - header_.begin();
}

double CsvTable::parse_number(std::string_view field, Index row, Index column) const {
  double value = 0.0;
  if (is_number(field, value)) return value;
  if (field.empty())
    fail(line_number(row), "column ", column + 1, " is empty; missing values are not filled in");
  const bool is_word = std::isalpha(static_cast<unsigned char>(field.front())) != 0;
  fail(line_number(row), "column ", column + 1, ": found '", printable(field),
       "', expected a number in the range of double",
       is_word ? "; classes are written as integers (0, 1, 2, ...)" : "");
}

void CsvTable::parse_row(Index row, double* out, const std::vector<Index>& target) const {
  std::string_view rest = line_at(row_begin_[static_cast<std::size_t>(row)]);
  for (Index column = 0; column < columns_; ++column) {
    const double value = parse_number(next_field(rest), row, column);
    const Index to = target[static_cast<std::size_t>(column)];
    if (to != kSkip) out[to] = value;
  }
}

void CsvTable::read(double* out, Index row_step, const std::vector<Index>& target,
                    const Context& context) const {
  constexpr Index kNumbersPerTile = 1 << 16;
  const Index tile_rows = std::max<Index>(1, kNumbersPerTile / columns_);
  // The first fault of each tile is kept, and then the first tile's: the message must not depend on
  // which thread was quicker.
  std::vector<std::string> faults(static_cast<std::size_t>((rows() + tile_rows - 1) / tile_rows));
  for_tiles(context, rows(), tile_rows, [&](const Tile& tile) {
    try {
      for (Index row = tile.begin; row < tile.end; ++row)
        parse_row(row, out + row * row_step, target);
    } catch (const IoError& fault) {
      faults[static_cast<std::size_t>(tile.index)] = fault.what();
    }
  });
  for (const auto& fault : faults) {
    if (!fault.empty()) throw IoError(fault);
  }
}

Matrix CsvTable::read_rows_as_points(std::optional<Index> left_out, const Context& context) const {
  const Index features = columns_ - (left_out ? 1 : 0);
  if (features == 0) throw_io_error(name_, ": has no column but the labels");
  check_points_fit(name_, static_cast<std::uint64_t>(features) * static_cast<std::uint64_t>(rows()),
                   context);
  std::vector<Index> target(static_cast<std::size_t>(columns_));
  std::iota(target.begin(), target.end(), Index{0});
  if (left_out) {
    const auto at = target.begin() + *left_out;
    std::for_each(at, target.end(), [](Index& to) { --to; });
    *at = kSkip;
  }
  Matrix X(features, rows());
  read(X.data(), features, target, context);
  return X;
}

Matrix CsvTable::read_columns_as_points(const Context& context) const {
  check_points_fit(name_, static_cast<std::uint64_t>(columns_) * static_cast<std::uint64_t>(rows()),
                   context);
  std::vector<Index> target(static_cast<std::size_t>(columns_));
  for (Index column = 0; column < columns_; ++column)
    target[static_cast<std::size_t>(column)] = column * rows();
  Matrix X(rows(), columns_);
  read(X.data(), 1, target, context);
  return X;
}

std::vector<double> CsvTable::read_column(Index column, const Context& context) const {
  std::vector<Index> target(static_cast<std::size_t>(columns_), kSkip);
  target[static_cast<std::size_t>(column)] = 0;
  std::vector<double> values(static_cast<std::size_t>(rows()));
  read(values.data(), 1, target, context);
  return values;
}

std::vector<double> CsvTable::read_row(Index row, const Context&) const {
  std::vector<Index> target(static_cast<std::size_t>(columns_));
  std::iota(target.begin(), target.end(), Index{0});
  std::vector<double> values(static_cast<std::size_t>(columns_));
  parse_row(row, values.data(), target);
  return values;
}

}  // namespace subspace::datasets
