// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace subspace::datasets {

/// The bytes of a compressed file, from front to end, with all checksums of the compression
/// verified by the time the end is reached.
class InflatedFile {
 public:
  virtual ~InflatedFile() = default;
  /// Fills the front of `out`; 0: the end. Throws IoError for damaged data and early ends.
  virtual std::size_t read(std::span<std::byte> out) = 0;
  /// How much of the file has been used up.
  virtual std::uint64_t consumed() const = 0;
};

/// .gz, of one or several members, or a file that is not compressed. Through zlib, as libarchive
/// does not verify the CRC of gzip.
std::unique_ptr<InflatedFile> open_gzip(const std::filesystem::path& path);
/// .bz2, through libarchive.
std::unique_ptr<InflatedFile> open_bzip2(const std::filesystem::path& path);

}  // namespace subspace::datasets
