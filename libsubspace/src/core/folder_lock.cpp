// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/folder_lock.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <subspace/core/error.h>

namespace subspace {

FolderLock::FolderLock(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / ".lock";
  descriptor_ = open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw IoError(message(folder.string(), ": is not writable"));
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  close(descriptor_);
  if (error == EWOULDBLOCK) {
    throw InvalidArgument(message(folder.string(), ": another process works in it"));
  }
  throw IoError(message(folder.string(), ": cannot be locked: ", std::strerror(error)));
}

FolderLock::~FolderLock() { close(descriptor_); }

}  // namespace subspace
