// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>

#include <subspace/core/export.h>

namespace subspace {

/// Holds an existing folder, by its file .lock, until it is destroyed or the process ends in
/// whatever way: two that work in one folder would take each other's files for their own.
class SUBSPACE_API FolderLock {
 public:
  /// Throws InvalidArgument if somebody else holds it, IoError.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace subspace
