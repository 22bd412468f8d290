// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "datasets/archives.h"

#include <archive.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

namespace subspace::datasets {
namespace {

void add(archive* writer, const ArchiveMember& member) {
  archive_entry* const entry = archive_entry_new();
  archive_entry_set_pathname(entry, member.name.c_str());
  archive_entry_set_filetype(entry, member.type);
  archive_entry_set_perm(entry, static_cast<mode_t>(member.mode));
  archive_entry_set_mtime(entry, 1'000'000'000, 0);
  if (member.type == AE_IFREG) {
    archive_entry_set_size(
        entry, member.size >= 0 ? member.size : static_cast<la_int64_t>(member.content.size()));
  }
  if (!member.symlink.empty()) archive_entry_set_symlink(entry, member.symlink.c_str());
  if (!member.hardlink.empty()) archive_entry_set_hardlink(entry, member.hardlink.c_str());
  for (const auto& [offset, length] : member.sparse) {
    archive_entry_sparse_add_entry(entry, offset, length);
  }
  // A warning says that the locale of the test does not know the letters of the name.
  EXPECT_GE(archive_write_header(writer, entry), ARCHIVE_WARN) << archive_error_string(writer);
  archive_write_data(writer, member.content.data(), member.content.size());
  archive_entry_free(entry);
}

}  // namespace

std::string pack(Pack kind, const std::vector<ArchiveMember>& members) {
  archive* const writer = archive_write_new();
  if (kind == Pack::kZip) {
    archive_write_set_format_zip(writer);
  } else {
    archive_write_set_format_pax_restricted(writer);
  }
  if (kind == Pack::kTarGz) archive_write_add_filter_gzip(writer);
  if (kind == Pack::kTarBz2) archive_write_add_filter_bzip2(writer);
  std::string bytes;
  archive_write_set_bytes_in_last_block(writer, 1);
  archive_write_open(
      writer, &bytes, nullptr,
      [](archive*, void* out, const void* data, std::size_t n) {
        static_cast<std::string*>(out)->append(static_cast<const char*>(data), n);
        return static_cast<la_ssize_t>(n);
      },
      nullptr);
  for (const auto& member : members) add(writer, member);
  archive_write_close(writer);
  archive_write_free(writer);
  return bytes;
}

const std::vector<ArchiveMember>& good_members() {
  static const std::vector<ArchiveMember> members = {
      {.name = "data/", .type = AE_IFDIR, .mode = 0700},
      {.name = "data/a.txt", .content = "alpha"},
      {.name = "data/deep/er/b.bin", .content = std::string(1500, 'b'), .mode = 0600},
      {.name = "./run.sh", .content = "#!", .mode = 04777},
      {.name = "empty", .content = ""},
      {.name = "na\xc3\xafve name", .content = "umlauts and blanks"}};
  return members;
}

std::string raw_tar_member(const std::string& name, char type, const std::string& content) {
  std::string header(512, '\0');
  header.replace(0, name.size(), name);
  header.replace(100, 7, "0000644");
  std::array<char, 12> size = {};
  std::snprintf(size.data(), size.size(), "%011zo", content.size());
  header.replace(124, 11, size.data());
  header[156] = type;
  header.replace(257, 8, std::string("ustar\00000", 8));
  header.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const unsigned char byte : header) sum += byte;
  std::array<char, 8> checksum = {};
  std::snprintf(checksum.data(), checksum.size(), "%06o", sum);
  header.replace(148, 7, std::string(checksum.data(), 7));
  std::string data = content;
  data.resize((content.size() + 511) / 512 * 512, '\0');
  return header + data;
}

std::string pax_path(const std::string& path) {
  const std::string record = " path=" + path + "\n";
  const std::size_t digits = record.size() + 2 > 99 ? 3 : 2;
  return raw_tar_member("pax", 'x', std::to_string(record.size() + digits) + record);
}

}  // namespace subspace::datasets
