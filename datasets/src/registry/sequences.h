// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/datasets/load.h>

#include "io/file_set.h"
#include "io/mapped_file.h"

namespace subspace::datasets {

/// The sequences of Hopkins 155 in a folder or .zip: files SEQUENCE/SEQUENCE_truth.mat. Strays
/// whose folder has another name are passed over.
class Sequences {
 public:
  explicit Sequences(const std::filesystem::path& path);

  /// In natural order.
  const std::vector<std::string>& names() const { return names_; }
  /// Throws IoError that suggests the nearest sequence.
  PointSet load_points(const std::string& name, const Context& context) const;
  Labels load_labels(const std::string& name, const Context& context) const;

 private:
  MappedFile open(const std::string& name) const;

  std::string shown_as_;
  std::unique_ptr<FileSet> files_;
  std::vector<std::string> names_ = {};
  std::vector<std::size_t> positions_ = {};  ///< among the files, by the order of names_
};

}  // namespace subspace::datasets
