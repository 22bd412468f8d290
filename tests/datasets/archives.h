// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <archive_entry.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace subspace::datasets {

/// A member of an archive as libarchive writes it.
struct ArchiveMember {
  std::string name = {};
  std::string content = {};
  unsigned type = AE_IFREG;
  unsigned mode = 0644;
  std::string symlink = {};
  std::string hardlink = {};
  std::vector<std::pair<std::int64_t, std::int64_t>> sparse = {};  ///< offset and length of data
  std::int64_t size = -1;                                          ///< -1: that of the content
};

enum class Pack { kTar, kTarGz, kTarBz2, kZip };

std::string pack(Pack kind, const std::vector<ArchiveMember>& members);

/// Files and folders that nobody can object to.
const std::vector<ArchiveMember>& good_members();

/// A ustar header and its padded data, with a right checksum over whatever the fields say.
std::string raw_tar_member(const std::string& name, char type, const std::string& content);

/// A pax record that gives the next member another name.
std::string pax_path(const std::string& path);

inline const std::string kTarEnd(1024, '\0');

}  // namespace subspace::datasets
