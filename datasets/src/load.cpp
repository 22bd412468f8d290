// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/datasets/load.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include <subspace/datasets/sha256.h>

#include "arrays/array.h"
#include "arrays/choose.h"
#include "arrays/csv.h"
#include "io/mapped_file.h"
#include "arrays/mat5.h"
#include "arrays/npy.h"
#include "arrays/npz.h"

namespace subspace::datasets {
namespace {

enum class Format { kNpy, kNpz, kMat, kText };

Format format_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".npy") return Format::kNpy;
  if (extension == ".npz") return Format::kNpz;
  if (extension == ".mat") return Format::kMat;
  if (extension == ".csv" || extension == ".tsv" || extension == ".txt") return Format::kText;
  throw_io_error(path.string(), ": extension '", printable(extension),
                 "' is not known; expected .npy, .npz, .mat, .csv, .tsv or .txt");
}

std::vector<Variable> variables_of(const std::vector<ArrayHeader>& headers) {
  std::vector<Variable> variables;
  for (const auto& header : headers) variables.push_back(header.variable);
  return variables;
}

/// The arrays of a .npz or .mat.
std::vector<Variable> list_arrays(const MappedFile& file, Format format) {
  return variables_of(format == Format::kNpz ? list_npz(file) : list_mat5(file));
}

OpenArray open_array(const MappedFile& file, Format format, const std::string& name) {
  return format == Format::kNpz ? open_npz(file, name) : open_mat5(file, name);
}

OpenArray open_single(const MappedFile& file) {
  OpenArray array = open_npy(file);
  if (!array.header.variable.numeric) {
    throw_io_error(file.name(), ": holds ", array.header.variable.type, ", expected real numbers");
  }
  return array;
}

/// A name that can mean nothing is a mistake of the caller, not to be passed over.
void refuse_name(const std::string& file, char option, const std::string& name) {
  if (name.empty()) return;
  throw_io_error(file, ": option ", option, " = '", printable(name),
                 "', but this format has no arrays with names; leave it out");
}

std::string hash_file(const MappedFile& file) {
  Sha256 hash;
  for (auto rest = file.bytes(); !rest.empty();) {
    const auto piece = rest.first(std::min(rest.size(), kReleaseEvery));
    hash.update(piece);
    release_pages(piece);
    rest = rest.subspan(piece.size());
  }
  return hash.finish();
}

/// Found by blocks, for 0 * x is 0 exactly if x is finite, and a sum of zeros shows any that is
/// not.
void check_finite(const std::string& file, const Matrix& X) {
  constexpr Index kBlock = 4096;
  for (Index begin = 0; begin < X.size(); begin += kBlock) {
    const Index length = std::min(kBlock, X.size() - begin);
    const Eigen::Map<const Eigen::ArrayXd> block(X.data() + begin, length);
    if ((block * 0.0).sum() == 0.0) continue;
    for (Index i = begin; i < begin + length; ++i) {
      const double value = X.data()[i];
      if (std::isfinite(value)) continue;
      throw_io_error(file, ": sample ", i / X.rows(), ", feature ", i % X.rows(),
                     " (counted from 0) is ", value, ", expected finite numbers");
    }
  }
}

void note_single_sample(PointSet& set) {
  if (set.X.cols() != 1) return;
  set.notes.push_back(message("the file was read as one sample of ", set.X.rows(),
                              " features; columns_are_samples reads it the other way"));
}

/// The column that holds the truth: the one named, else the only one with a usual name.
std::optional<Index> label_column(const std::string& file, const CsvTable& table,
                                  const LoadOptions& options) {
  if (!options.y.empty()) {
    const auto column = table.find_column(options.y);
    if (!column) throw_io_error(file, ": no column '", printable(options.y), "' in the first line");
    return column;
  }
  std::optional<Index> found;
  for (Index i = 0; i < static_cast<Index>(table.header().size()); ++i) {
    if (!is_label_column(table.header()[static_cast<std::size_t>(i)])) continue;
    if (found) throw_io_error(file, ": several columns look like labels; name one with option y");
    found = i;
  }
  return found;
}

void load_text_points(const MappedFile& file, const LoadOptions& options, const Context& context,
                      PointSet& set) {
  const CsvTable table(file);
  if (options.columns_are_samples) {
    set.X = table.read_columns_as_points(context);
    return;
  }
  const auto truth = label_column(file.name(), table, options);
  if (truth) {
    set.notes.push_back(message("column '",
                                printable(table.header()[static_cast<std::size_t>(*truth)]),
                                "' holds labels and is not among the features"));
  }
  if (!table.header().empty() && table.header().front().empty()) {
    set.notes.push_back("column 1 has no name (an index?) and is among the features");
  }
  set.X = table.read_rows_as_points(truth, context);
}

std::vector<double> load_text_labels(const MappedFile& file, const LoadOptions& options,
                                     const Context& context) {
  const CsvTable table(file);
  if (table.columns() == 1) return table.read_column(0, context);
  const auto column = label_column(file.name(), table, options);
  if (column) return table.read_column(*column, context);
  if (table.rows() == 1) return table.read_row(0, context);
  throw_io_error(file.name(), ": found ", table.columns(),
                 " columns, expected one label a line or a column of labels named by option y");
}

std::vector<double> load_array_labels(const MappedFile& file, Format format,
                                      const LoadOptions& options, const Context& context) {
  if (format == Format::kNpy) refuse_name(file.name(), 'y', options.y);
  OpenArray array =
      format == Format::kNpy
          ? open_single(file)
          : open_array(file, format,
                       choose_labels(file.name(), list_arrays(file, format), options.y));
  const auto& shape = array.header.variable.shape;
  if (!is_vector(shape)) {
    throw_io_error(
        file.name(), ": ",
        array.header.variable.name.empty() ? "the array" : printable(array.header.variable.name),
        " has shape ", shape_text(shape), ", expected a vector of labels");
  }
  return decode_sequence(array, context);
}

Labels to_labels(const std::string& file, const std::vector<double>& values) {
  constexpr double kLeast = std::numeric_limits<int>::min();
  constexpr double kMost = std::numeric_limits<int>::max();
  Labels labels(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool fits =
        values[i] >= kLeast && values[i] <= kMost && values[i] == std::floor(values[i]);
    if (!fits) {
      throw_io_error(file, ": label ", i + 1, " of ", values.size(), " is ", values[i],
                     ", expected an integer of 32 bits");
    }
    labels[i] = static_cast<int>(values[i]);
  }
  return labels;
}

}  // namespace

std::vector<Variable> list_variables(const std::filesystem::path& path) {
  const Format format = format_of(path);
  const MappedFile file(path);
  switch (format) {
    case Format::kNpy:
      return {open_npy(file).header.variable};
    case Format::kText: {
      const CsvTable table(file);
      return {
          {.name = {}, .shape = {table.rows(), table.columns()}, .type = "text", .numeric = true}};
    }
    default:
      return list_arrays(file, format);
  }
}

PointSet load_points(const std::filesystem::path& path, const LoadOptions& options,
                     const Context& context) {
  const Format format = format_of(path);
  const MappedFile file(path);
  if (format == Format::kNpy || format == Format::kText) refuse_name(file.name(), 'x', options.x);
  PointSet set;
  set.name = path.stem().string();
  bool may_be_non_finite = true;
  if (format == Format::kText) {
    load_text_points(file, options, context, set);
  } else {
    if (format != Format::kNpy) {
      const auto many_axes = format == Format::kNpz ? ManyAxes::kGuess : ManyAxes::kMustBeNamed;
      set.variable = choose_points(file.name(), list_arrays(file, format), options.x, many_axes);
    }
    OpenArray array =
        format == Format::kNpy ? open_single(file) : open_array(file, format, set.variable);
    set.X = decode_points(array, options.columns_are_samples, context);
    may_be_non_finite = array.header.type.kind == ElementType::Kind::kFloat;
  }
  if (may_be_non_finite && !options.allow_non_finite) check_finite(file.name(), set.X);
  note_single_sample(set);
  set.sha256 = hash_file(file);
  return set;
}

std::string label_name(const std::filesystem::path& path, const LoadOptions& options) {
  const Format format = format_of(path);
  const MappedFile file(path);
  if (format == Format::kNpy) {
    refuse_name(file.name(), 'y', options.y);
    return {};
  }
  if (format != Format::kText) {
    return choose_labels(file.name(), list_arrays(file, format), options.y);
  }
  const CsvTable table(file);
  if (table.columns() == 1) return {};
  const auto column = label_column(file.name(), table, options);
  return column ? table.header()[static_cast<std::size_t>(*column)] : std::string();
}

Labels load_labels(const std::filesystem::path& path, const LoadOptions& options,
                   const Context& context) {
  const Format format = format_of(path);
  const MappedFile file(path);
  return to_labels(file.name(), format == Format::kText
                                    ? load_text_labels(file, options, context)
                                    : load_array_labels(file, format, options, context));
}

}  // namespace subspace::datasets
