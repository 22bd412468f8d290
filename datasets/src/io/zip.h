// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/byte_stream.h"
#include "io/mapped_file.h"

namespace subspace::datasets {

/// One member of a .zip as the directory declares it.
struct ZipEntry {
  static constexpr std::uint16_t kStored = 0, kDeflated = 8;

  std::string name = {};
  std::uint16_t flags = 0;
  std::uint16_t method = kStored;
  std::uint32_t crc = 0;
  std::uint64_t compressed = 0;
  std::uint64_t size = 0;
  std::uint64_t local_offset = 0;
  bool is_link = false;     ///< a symbolic link, whose content is a path
  bool is_special = false;  ///< a device, FIFO or socket
  bool is_executable = false;

  bool is_folder() const { return name.ends_with('/'); }
};

/// The members of a .zip, read in place: nothing is unpacked to disk. The file must outlive it.
class ZipReader {
 public:
  /// Throws IoError if the directory is damaged, lies about sizes or names a member twice.
  explicit ZipReader(const MappedFile& file);

  const std::vector<ZipEntry>& entries() const { return entries_; }
  /// Throws IoError if there is no such member.
  const ZipEntry& find(const std::string& name) const;

  /// The member's bytes, checked against its CRC-32 at the end. Throws IoError for an encrypted
  /// member, an unknown compression, a size that deflate cannot reach, or a link.
  std::unique_ptr<ByteStream> open(const ZipEntry& entry) const;
  /// The member's bytes as a whole. Throws IoError if they are more than `most`.
  std::vector<std::byte> read(const ZipEntry& entry, std::uint64_t most) const;

 private:
  const MappedFile& file_;
  std::vector<ZipEntry> entries_;
};

}  // namespace subspace::datasets
