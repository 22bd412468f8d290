// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <subspace/datasets/archive.h>

#include "fetch/posix.h"
#include "io/text.h"

namespace subspace::datasets {

/// Refuses data that grow more than deflate can make them grow: `produced` bytes out of
/// `consumed`. Small amounts pass, for bzip2 packs repetitions better.
void check_expansion(const std::string& archive, std::uint64_t produced, std::uint64_t consumed);

/// The folder an archive is unpacked into: a temporary beside the final one, with the rules on
/// names and amounts. Folders are opened one by one without following links, so that no member can
/// leave it.
class TreeWriter {
 public:
  TreeWriter(const std::filesystem::path& archive, const std::filesystem::path& folder,
             const UnpackLimits& limits);
  /// Removes everything unless it was moved into place.
  ~TreeWriter();
  TreeWriter(const TreeWriter&) = delete;
  TreeWriter& operator=(const TreeWriter&) = delete;

  const std::string& archive() const { return archive_; }
  const Unpacked& unpacked() const { return unpacked_; }

  void make_folder(std::string_view member);
  /// Begins a file; `declared` is its size by the archive, checked early but not relied on.
  void begin_file(std::string_view member, std::uint64_t declared, bool executable);
  void write(std::span<const std::byte> bytes);
  void end_file();
  /// Syncs the temporary folder and gives it its final name.
  void move_into_place();

  /// Throws IoError "archive: member 'name': rule".
  template <typename... Parts>
  [[noreturn]] void refuse(std::string_view member, const Parts&... rule) const {
    throw_io_error(archive_, ": member '", printable(member), "': ", rule...);
  }

 private:
  std::vector<std::string> components(std::string_view member) const;
  Descriptor open_folders(std::string_view member, std::span<const std::string> names);
  void count_entry(std::string_view member);

  std::string archive_;
  std::filesystem::path folder_, temporary_;
  UnpackLimits limits_;
  Unpacked unpacked_;
  std::uint64_t entries_ = 0;  ///< files and folders
  Descriptor root_;
  std::string member_;  ///< the file being written
  Descriptor file_;
};

}  // namespace subspace::datasets
