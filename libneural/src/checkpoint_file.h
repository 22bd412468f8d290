// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <subspace/core/export.h>
#include <subspace/neural/checkpoint.h>

#include "npy.h"

namespace subspace::neural {

/// Arrays by name, e.g. "network/subspace.weight"; in a fixed order, so that bytes are too.
using NamedArrays = std::map<std::string, NpyArray>;

struct Checkpoint {
  CheckpointInfo info = {};
  NamedArrays arrays = {};
};

/// The bytes of a checkpoint: no date, no host, no path.
SUBSPACE_API std::string to_bytes(const Checkpoint& checkpoint);
/// Throws IoError unless every bit is as to_bytes() wrote it.
SUBSPACE_API Checkpoint from_bytes(std::string_view file);

/// The two newest checkpoints of a run.
class SUBSPACE_API CheckpointFolder {
 public:
  explicit CheckpointFolder(std::filesystem::path folder);

  struct Loaded {
    Checkpoint checkpoint = {};
    std::filesystem::path file = {};
    std::vector<std::string> warnings = {};
  };
  /// The newest good one; nothing when the folder has none. Throws IoError when all are damaged.
  std::optional<Loaded> load();

  /// Writes a new one and keeps the good one before it. At no moment is there less than one good
  /// checkpoint. Throws IoError, and then the folder is as before.
  void save(const Checkpoint& checkpoint);

  bool has_any() const;
  std::filesystem::path newest() const { return folder_ / "checkpoint.zip"; }
  std::filesystem::path previous() const { return folder_ / "checkpoint.previous.zip"; }

 private:
  void remove_leftovers() const;

  std::filesystem::path folder_;
  bool newest_is_damaged_ = false;
};

}  // namespace subspace::neural
