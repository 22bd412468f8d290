// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/datasets/load.h>
#include <subspace/datasets/registry.h>

namespace subspace::pipelines {

/// What INPUT names. A registered data set ("coil20@32") is looked up under data_dir, then in the
/// user's cache; anything else is a file or folder as given, or under data_dir when it is relative.
/// A file that bears the name of a set is reached as ./NAME.
class SUBSPACE_API Input {
 public:
  /// Throws IoError if there is no such file or the set's files are not found.
  /// `image_size`, where given, is the size a set is brought to, whatever its name tells.
  Input(const std::string& text, const std::string& data_dir,
        const std::optional<datasets::ImageSize>& image_size = {});

  /// What must not be overwritten.
  std::vector<std::filesystem::path> files() const;

  datasets::PointSet load_points(const datasets::LoadOptions& options,
                                 const Context& context) const;

  /// Whether there may be labels beside the points: in a registered set, in the names of pictures,
  /// in a .mat, .npz or .csv, in the records of CIFAR. A lone array, or a table of one column,
  /// would be taken for labels itself.
  bool may_carry_labels(Index dimension) const;
  /// Whether labels belong to it for certain: a registered set, records of CIFAR.
  bool must_carry_labels() const;
  /// What to call the source in messages and records: the name of the set or of the file.
  std::string source() const;
  /// The array or column of labels; empty where it has no name. Throws IoError if there is none of
  /// the name in options.y, InvalidArgument for any name with a registered set.
  std::string label_name(const datasets::LoadOptions& options) const;
  /// Throws DataError where there are none that can be read.
  Labels load_labels(const datasets::LoadOptions& options, const Context& context) const;

 private:
  std::variant<std::filesystem::path, datasets::Dataset> source_;
};

}  // namespace subspace::pipelines
