// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace subspace::datasets {

/// The files below a folder or inside a .zip, by their paths with '/' between the parts. Reading
/// from several threads at once is fine.
class FileSet {
 public:
  virtual ~FileSet() = default;
  const std::vector<std::string>& names() const { return names_; }
  /// What to call a file in a message.
  virtual std::string origin(std::size_t i) const = 0;
  /// The bytes of one file. Throws IoError, also if they are more than `most`.
  virtual std::vector<std::byte> read(std::size_t i, std::uint64_t most) const = 0;

 protected:
  std::vector<std::string> names_ = {};
};

/// All regular files below a folder, links followed. A loop of links is refused.
std::unique_ptr<FileSet> open_folder(const std::filesystem::path& folder);

/// The members of a .zip, which is never unpacked to disk. Refuses names that would lead out of a
/// folder they were unpacked to, and links: an archive that has them was made to do harm.
std::unique_ptr<FileSet> open_zip(const std::filesystem::path& path);

}  // namespace subspace::datasets
