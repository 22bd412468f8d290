// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "io/zip_writer.h"

#include <zlib.h>

#include <limits>

#include <subspace/core/error.h>

namespace subspace::datasets {
namespace {

// Fields of APPNOTE.TXT, section 4.3, by its names.
constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::uint32_t kDirectorySignature = 0x02014b50;
constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::uint16_t kVersionNeeded = 20;
constexpr std::uint16_t kUtf8Names = 1 << 11;
constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kNoTime = 0;
constexpr std::uint16_t kFirstDate = 0x21;  // 1 January 1980, the earliest there is

void append16(std::string& out, std::uint32_t value) {
  out += static_cast<char>(value & 0xff);
  out += static_cast<char>((value >> 8) & 0xff);
}

void append32(std::string& out, std::uint32_t value) {
  append16(out, value & 0xffff);
  append16(out, value >> 16);
}

/// What local header and directory have in common: version needed to length of the extra field.
std::string common_fields(const std::string& name, std::uint32_t crc, std::uint32_t size) {
  std::string fields;
  for (const std::uint16_t value : {kVersionNeeded, kUtf8Names, kStored, kNoTime, kFirstDate}) {
    append16(fields, value);
  }
  append32(fields, crc);
  append32(fields, size);  // compressed
  append32(fields, size);
  append16(fields, static_cast<std::uint32_t>(name.size()));
  append16(fields, 0);  // extra field
  return fields;
}

std::uint32_t crc_of(const std::string& bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

void ZipWriter::write(const std::string& bytes) {
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  written_ += bytes.size();
}

void ZipWriter::add(const std::string& name, const std::string& bytes) {
  constexpr std::uint64_t kHeaders = 256;  // of a member in both places, name left out
  if (written_ + bytes.size() + 2 * name.size() + kHeaders * (members_.size() + 1) >
      std::numeric_limits<std::uint32_t>::max()) {
    throw InvalidArgument(
        message("member ", name, ": ", bytes.size(), " bytes, the archive must stay below 4 GB"));
  }
  const Member member = {name, crc_of(bytes), static_cast<std::uint32_t>(bytes.size()),
                         static_cast<std::uint32_t>(written_)};
  std::string header;
  append32(header, kLocalSignature);
  write(header + common_fields(name, member.crc, member.size) + name);
  write(bytes);
  members_.push_back(member);
}

void ZipWriter::finish() {
  const std::uint64_t begin = written_;
  for (const Member& member : members_) {
    std::string entry;
    append32(entry, kDirectorySignature);
    append16(entry, kVersionNeeded);  // made by
    entry += common_fields(member.name, member.crc, member.size);
    append16(entry, 0);  // comment
    append16(entry, 0);  // disk
    append16(entry, 0);  // internal attributes
    append32(entry, 0);  // external attributes
    append32(entry, member.offset);
    write(entry + member.name);
  }
  const auto size = static_cast<std::uint32_t>(written_ - begin);
  std::string end;
  append32(end, kEndSignature);
  append32(end, 0);  // disks
  for (int i = 0; i < 2; ++i) append16(end, static_cast<std::uint32_t>(members_.size()));
  append32(end, size);
  append32(end, static_cast<std::uint32_t>(begin));
  append16(end, 0);  // comment
  write(end);
}

}  // namespace subspace::datasets
