// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <subspace/core/export.h>
#include <subspace/neural/training.h>

namespace subspace::neural {

/// What a checkpoint says about itself. The file is a zip of `checkpoint.json` and .npy arrays:
/// network, optimiser, history. All random numbers are functions of seed and step, so these two are
/// the position of the generator.
struct CheckpointInfo {
  std::string version = {};  ///< of the suite
  std::string torch_version = {};
  std::int64_t step = 0;  ///< steps done
  std::uint64_t seed = 0;
  ImageShape shape = {};
  TrainingOptions options = {};
  std::string data_sha256 = {};   ///< content_sha256() of X
  std::string start_sha256 = {};  ///< payload of the checkpoint it started from; "" if from none
  std::string device = {};
  int num_threads = 0;
  std::string payload_sha256 = {};  ///< of the arrays; set by reading
};

/// The newest good checkpoint of a run's folder: `checkpoint.zip`, else `checkpoint.previous.zip`.
struct FoundCheckpoint {
  CheckpointInfo info = {};
  std::filesystem::path file = {};
  std::vector<std::string> warnings = {};  ///< why a newer one was passed over
};

/// Throws IoError when the folder holds no checkpoint, or none that is whole.
SUBSPACE_API FoundCheckpoint find_checkpoint(const std::filesystem::path& folder);

}  // namespace subspace::neural
