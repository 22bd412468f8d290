// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/datasets/load.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <subspace/core/error.h>
#include <subspace/datasets/sha256.h>

#include "arrays/choose.h"
#include "arrays/load_arrays.h"
#include "format.h"
#include "images/image_files.h"
#include "images/picture_stacks.h"
#include "io/mapped_file.h"
#include "labels.h"

namespace subspace::datasets {
namespace {

namespace fs = std::filesystem;

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

/// The name of the file without folder, .gz and extension.
std::string name_of(const fs::path& path) {
  const fs::path name = path.has_filename() ? path.filename() : path.parent_path().filename();
  const fs::path inner = lower_extension(name) == ".gz" ? name.stem() : name;
  std::error_code ignored;
  return (fs::is_directory(path, ignored) ? inner : inner.stem()).string();
}

/// What is asked of pictures must not be ignored where there are none.
void refuse_picture_options(const MappedFile& file, const LoadOptions& options) {
  if (!options.image_size && !options.color) return;
  throw InvalidArgument(message(file.name(), ": holds numbers, not pictures; leave out the ",
                                options.image_size ? "image size" : "colours"));
}

PointSet load_file(const fs::path& path, Format format, const LoadOptions& options,
                   const Context& context) {
  const MappedFile file(path);
  const bool pictures = is_picture_file(file, format);
  if (!pictures) refuse_picture_options(file, options);
  PointSet set = pictures ? load_picture_stack(file, format, options, context)
                          : load_array_points(file, format, options, context);
  set.sha256 = hash_file(file);
  return set;
}

}  // namespace

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

std::vector<Variable> list_variables(const fs::path& path) {
  const Format format = format_of(path);
  if (format == Format::kImageFiles || format == Format::kCifar) {
    throw_io_error(path.string(), ": holds pictures, expected a file of arrays");
  }
  return list_arrays(MappedFile(path), format);
}

std::string label_name(const fs::path& path, const LoadOptions& options) {
  const Format format = format_of(path);
  if (format == Format::kImageFiles) {
    refuse_name(path.string(), 'y', options.y);
    return {};
  }
  const MappedFile file(path);
  return format == Format::kCifar ? cifar_label_name(file, options)
                                  : array_label_name(file, format, options);
}

Carries carries_labels(const fs::path& path) {
  switch (format_of(path)) {
    case Format::kNpy:
    case Format::kIdx:
      return Carries::kNever;
    case Format::kText:
      return Carries::kAsColumn;
    case Format::kNpz:
    case Format::kMat:
      return Carries::kAsArray;
    default:
      return Carries::kInside;
  }
}

PointSet load_points(const fs::path& path, const LoadOptions& options, const Context& context) {
  const Format format = format_of(path);
  const bool has_names = format == Format::kNpz || format == Format::kMat;
  if (!has_names) refuse_name(path.string(), 'x', options.x);
  PointSet set = format == Format::kImageFiles ? load_image_files(path, options, context)
                                               : load_file(path, format, options, context);
  set.name = name_of(path);
  return set;
}

Labels load_labels(const fs::path& path, const LoadOptions& options, const Context& context) {
  const Format format = format_of(path);
  if (format == Format::kImageFiles) {
    refuse_name(path.string(), 'y', options.y);
    return load_image_labels(path);
  }
  const MappedFile file(path);
  if (format == Format::kCifar) return load_cifar_labels(file, options, context);
  return to_labels(file.name(), load_array_labels(file, format, options, context));
}

}  // namespace subspace::datasets
