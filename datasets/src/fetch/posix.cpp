// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "fetch/posix.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "io/text.h"

namespace subspace::datasets {

Descriptor::~Descriptor() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void throw_write_error(const std::filesystem::path& path) {
  const char* const cause = std::strerror(errno);
  throw_io_error("cannot write ", path.string(), ": ", cause);
}

void write_all(const Descriptor& file, std::span<const std::byte> bytes,
               const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_write_error(path);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void sync_folder(const std::filesystem::path& folder) {
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor) ::fsync(descriptor.get());
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

}  // namespace subspace::datasets
