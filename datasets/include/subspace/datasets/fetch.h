// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <string>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/datasets/registry.h>

namespace subspace::datasets {

struct FetchOptions {
  /// The data folder; the files go to a folder of the set's name in it.
  std::filesystem::path folder = {};
  /// Where to get the set's file instead of the registered address; for a set of several files the
  /// address of their folder, which ends in '/'.
  std::string url = {};
};

struct Fetched {
  std::filesystem::path folder = {};  ///< where the files are; empty for a built-in set
  bool was_there = false;             ///< nothing was downloaded
  Verification verification = {};
};

/// Downloads a registered set, compares it with the registry, and only then gives the files their
/// names. A set whose hash is known must have it; another is accepted when counts, shapes and class
/// sizes are right. What is already there is verified and left alone. An interrupted download is
/// continued by the next call. Throws IoError, InvalidArgument, Cancelled.
SUBSPACE_API Fetched fetch_dataset(const std::string& name, const FetchOptions& options,
                                   const Context& context = {});

}  // namespace subspace::datasets
