// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <string>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/pipelines/record.h>
#include <subspace/pipelines/settings.h>

namespace subspace::pipelines {

/// What a command calls the files it reads, for its messages.
struct InputNames {
  std::string input = "INPUT";
  std::string truth = "--truth";
};

/// Refuses, before any work, what would lose the result at the end: folders that are missing or not
/// writable (IoError), formats we cannot write, one path for two files (InvalidArgument).
SUBSPACE_API void check_outputs(const RunSettings& settings, const InputNames& names = {});

/// The same for the .npy that an embedding writes.
SUBSPACE_API void check_features_file(const RunSettings& settings);

/// Load, cluster, then, where truth is known, evaluate. The truth is read by a call of its own
/// after the labels exist: `--truth`, or the labels that a .mat, .npz or .csv carries beside its
/// points. Labels a file may carry are a courtesy: none that can be read means no metrics, and a
/// number of them that does not fit the points is a warning, not an error.
SUBSPACE_API Record cluster_input(const RunSettings& settings, const Context& context);

/// Writes labels and JSON file as the settings ask, each whole or not at all.
SUBSPACE_API void write_outputs(const RunSettings& settings, const Record& record);

/// Makes LibTorch, where this build has it, obey the number of threads that the context means.
SUBSPACE_API void apply_threads(const Context& context);

}  // namespace subspace::pipelines
