// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace subspace::datasets {

/// Writes a .zip of stored members, without their times, so that equal members make equal files.
class ZipWriter {
 public:
  explicit ZipWriter(std::ostream& out) : out_(out) {}
  /// Throws InvalidArgument when the archive would exceed 4 GB, the most without zip64.
  void add(const std::string& name, const std::string& bytes);
  /// The directory; nothing may be added behind it.
  void finish();

 private:
  struct Member {
    std::string name = {};
    std::uint32_t crc = 0;
    std::uint32_t size = 0;
    std::uint32_t offset = 0;
  };
  void write(const std::string& bytes);

  std::ostream& out_;
  std::uint64_t written_ = 0;
  std::vector<Member> members_;
};

}  // namespace subspace::datasets
