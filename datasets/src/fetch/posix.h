// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <utility>

namespace subspace::datasets {

/// An open file, closed with the object.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  Descriptor(Descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Descriptor();

  int get() const { return descriptor_; }
  int release() { return std::exchange(descriptor_, -1); }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

/// Throws IoError "cannot write path: cause" with the present errno.
[[noreturn]] void throw_write_error(const std::filesystem::path& path);

/// Writes all of the bytes; `path` is what an error names.
void write_all(const Descriptor& file, std::span<const std::byte> bytes,
               const std::filesystem::path& path);

/// Makes a rename inside this folder durable, where the file system can.
void sync_folder(const std::filesystem::path& folder);

/// The folder that holds `path`, which may be a bare name.
std::filesystem::path folder_of(const std::filesystem::path& path);

}  // namespace subspace::datasets
