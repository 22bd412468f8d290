// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <boost/iostreams/device/mapped_file.hpp>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace subspace::datasets {

/// A regular file, readable as bytes in memory while the object lives. The file must not shrink
/// meanwhile.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  /// Bytes that are in memory already, such as a member of an archive, under the name to show.
  MappedFile(const std::string& shown_as, std::span<const std::byte> bytes);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string name() const { return path_.string(); }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::filesystem::path path_;
  std::shared_ptr<std::byte> copy_;
  boost::iostreams::mapped_file_source mapping_;
  std::span<const std::byte> bytes_;
};

/// Gives the whole pages of a part of a mapped file back to the system, which can read them again
/// at any time: bytes that were used up must not count as this process's memory.
void release_pages(std::span<const std::byte> mapped);

/// After so many bytes used up, releasing them is worth a call.
inline constexpr std::size_t kReleaseEvery = std::size_t{16} << 20;

}  // namespace subspace::datasets
