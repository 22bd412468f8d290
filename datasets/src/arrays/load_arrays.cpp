// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "arrays/load_arrays.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "arrays/array.h"
#include "arrays/choose.h"
#include "arrays/csv.h"
#include "arrays/idx.h"
#include "arrays/mat5.h"
#include "arrays/npy.h"
#include "arrays/npz.h"
#include "arrays/trajectories.h"

namespace subspace::datasets {
namespace {

std::vector<Variable> variables_of(const std::vector<ArrayHeader>& headers) {
  std::vector<Variable> variables;
  for (const auto& header : headers) variables.push_back(header.variable);
  return variables;
}

bool has_names(Format format) { return format == Format::kNpz || format == Format::kMat; }

OpenArray open_named(const MappedFile& file, Format format, const std::string& name) {
  return format == Format::kNpz ? open_npz(file, name) : open_mat5(file, name);
}

/// The array of a file that has but one.
OpenArray open_single(const MappedFile& file, Format format) {
  OpenArray array = format == Format::kIdx ? open_idx(file) : open_npy(file);
  if (!array.header.variable.numeric) {
    throw_io_error(file.name(), ": holds ", array.header.variable.type, ", expected real numbers");
  }
  return array;
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

/// Whether the samples are the columns of this matrix although nobody said so: the labels of the
/// file are as many as its columns and not as its rows. Only their number is looked at.
bool labels_count_columns(const MappedFile& file, const std::vector<Variable>& variables,
                          const std::string& x, const LoadOptions& options) {
  const auto& shape = std::ranges::find(variables, x, &Variable::name)->shape;
  if (shape.size() != 2 || shape[0] == shape[1]) return false;
  try {
    const std::string y = choose_labels(file.name(), variables, options.y);
    const auto count = num_elements(std::ranges::find(variables, y, &Variable::name)->shape);
    return count && *count == static_cast<std::uint64_t>(shape[1]);
  } catch (const IoError&) {
    return false;
  }
}

void load_named_points(const MappedFile& file, Format format, const LoadOptions& options,
                       const Context& context, PointSet& set) {
  const auto variables = list_arrays(file, format);
  if (format == Format::kMat && options.x.empty() && are_trajectories(variables)) {
    OpenArray x = open_named(file, format, "x");
    set.X = decode_trajectories(x, context);
    set.notes.push_back(message("read as trajectories of ", set.X.cols(), " points in ",
                                set.X.rows() / 2, " frames"));
    return;
  }
  const auto many_axes = format == Format::kNpz ? ManyAxes::kGuess : ManyAxes::kMustBeNamed;
  set.variable = choose_points(file.name(), variables, options.x, many_axes);
  bool by_columns = options.columns_are_samples;
  if (!by_columns && labels_count_columns(file, variables, set.variable, options)) {
    by_columns = true;
    set.notes.push_back(message("the columns of '", printable(set.variable),
                                "' were read as samples, for the file has as many labels"));
  }
  OpenArray array = open_named(file, format, set.variable);
  set.X = decode_points(array, by_columns, context);
}

}  // namespace

std::vector<Variable> list_arrays(const MappedFile& file, Format format) {
  if (has_names(format))
    return variables_of(format == Format::kNpz ? list_npz(file) : list_mat5(file));
  if (format == Format::kNpy) return {open_npy(file).header.variable};
  if (format == Format::kIdx) return {open_idx(file).header.variable};
  const CsvTable table(file);
  return {{.name = {}, .shape = {table.rows(), table.columns()}, .type = "text", .numeric = true}};
}

PointSet load_array_points(const MappedFile& file, Format format, const LoadOptions& options,
                           const Context& context) {
  PointSet set;
  if (format == Format::kText) {
    load_text_points(file, options, context, set);
  } else if (has_names(format)) {
    load_named_points(file, format, options, context, set);
  } else {
    OpenArray array = open_single(file, format);
    set.X = decode_points(array, options.columns_are_samples, context);
  }
  if (!options.allow_non_finite) check_finite(file.name(), set.X);
  note_single_sample(set);
  return set;
}

std::string array_label_name(const MappedFile& file, Format format, const LoadOptions& options) {
  if (has_names(format)) {
    return choose_labels(file.name(), list_arrays(file, format), options.y);
  }
  if (format != Format::kText) {
    refuse_name(file.name(), 'y', options.y);
    return {};
  }
  const CsvTable table(file);
  if (table.columns() == 1) return {};
  const auto column = label_column(file.name(), table, options);
  return column ? table.header()[static_cast<std::size_t>(*column)] : std::string();
}

std::vector<double> load_array_labels(const MappedFile& file, Format format,
                                      const LoadOptions& options, const Context& context) {
  if (format == Format::kText) return load_text_labels(file, options, context);
  if (!has_names(format)) refuse_name(file.name(), 'y', options.y);
  OpenArray array =
      has_names(format)
          ? open_named(file, format,
                       choose_labels(file.name(), list_arrays(file, format), options.y))
          : open_single(file, format);
  const auto& shape = array.header.variable.shape;
  if (!is_vector(shape)) {
    throw_io_error(
        file.name(), ": ",
        array.header.variable.name.empty() ? "the array" : printable(array.header.variable.name),
        " has shape ", shape_text(shape), ", expected a vector of labels");
  }
  return decode_sequence(array, context);
}

}  // namespace subspace::datasets
