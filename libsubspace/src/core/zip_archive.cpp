// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/zip_archive.h>

#include <array>
#include <limits>

#include <subspace/core/error.h>

namespace subspace {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kCentralHeader = 0x02014b50;
constexpr std::uint32_t kEndOfCentralDirectory = 0x06054b50;
constexpr std::size_t kLocalHeaderSize = 30;
constexpr std::uint16_t kVersion = 20;     // 2.0: the oldest that knows folders in names
constexpr std::uint16_t kFirstDay = 0x21;  // 1980-01-01, the first date the format can name

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table = {};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1U) ? 0xEDB88320U : 0U);
    table[byte] = value;
  }
  return table;
}
constexpr std::array<std::uint32_t, 256> kCrcTable = make_crc_table();

/// Appends a number, least byte first.
template <typename Number>
void put(std::string& out, Number value) {
  for (std::size_t byte = 0; byte < sizeof(Number); ++byte) {
    out += static_cast<char>(static_cast<std::uint8_t>(value >> (8 * byte)));
  }
}

template <typename Number>
Number get(std::string_view archive, std::size_t at) {
  Number value = 0;
  for (std::size_t byte = 0; byte < sizeof(Number); ++byte) {
    const auto digit = static_cast<std::uint8_t>(archive[at + byte]);
    value = static_cast<Number>(value | (Number{digit} << (8 * byte)));
  }
  return value;
}

struct Entry {
  std::uint32_t crc = 0;
  std::uint32_t size = 0;
  std::uint32_t offset = 0;
};

/// What the local and the central header have in common, from the version to the extra field.
void put_description(std::string& out, const ZipMember& member, const Entry& entry) {
  put(out, kVersion);
  put(out, std::uint16_t{0});  // flags
  put(out, std::uint16_t{0});  // method: stored
  put(out, std::uint16_t{0});  // time
  put(out, kFirstDay);
  put(out, entry.crc);
  put(out, entry.size);
  put(out, entry.size);
  put(out, static_cast<std::uint16_t>(member.name.size()));
  put(out, std::uint16_t{0});  // extra field
}

void put_central_header(std::string& out, const ZipMember& member, const Entry& entry) {
  put(out, kCentralHeader);
  put(out, kVersion);  // made by
  put_description(out, member, entry);
  put(out, std::uint16_t{0});  // comment
  put(out, std::uint16_t{0});  // disk
  put(out, std::uint16_t{0});  // internal attributes
  put(out, std::uint32_t{0});  // external attributes
  put(out, entry.offset);
  out += member.name;
}

void put_end(std::string& out, std::size_t count, std::size_t size, std::size_t offset) {
  put(out, kEndOfCentralDirectory);
  put(out, std::uint32_t{0});  // disks
  put(out, static_cast<std::uint16_t>(count));
  put(out, static_cast<std::uint16_t>(count));
  put(out, static_cast<std::uint32_t>(size));
  put(out, static_cast<std::uint32_t>(offset));
  put(out, std::uint16_t{0});  // comment
}

/// An upper bound of the archive's size; checks what the format's fields can hold.
std::size_t checked_size(std::span<const ZipMember> members) {
  std::size_t size = 64;
  for (const ZipMember& member : members) {
    size += member.bytes.size() + 2 * member.name.size() + 128;
    if (member.name.size() > 4096) throw InvalidArgument("to_zip: a name is too long");
  }
  if (size > std::numeric_limits<std::uint32_t>::max() || members.size() > 65535) {
    throw InvalidArgument(message("to_zip: ", members.size(), " members of ", size,
                                  " bytes; a zip archive ends at 65535 and 4 GB"));
  }
  return size;
}

[[noreturn]] void damaged(const char* what) { throw IoError(message("damaged archive: ", what)); }

/// The local members in front of the central directory, taken at their word; from_zip() then checks
/// every word by writing the archive again.
std::vector<ZipMember> read_members(std::string_view archive) {
  std::vector<ZipMember> members;
  std::size_t at = 0;
  while (at + kLocalHeaderSize <= archive.size() &&
         get<std::uint32_t>(archive, at) == kLocalHeader) {
    const std::size_t size = get<std::uint32_t>(archive, at + 18);
    const std::size_t name_size = get<std::uint16_t>(archive, at + 26);
    at += kLocalHeaderSize;
    if (name_size + size > archive.size() - at) damaged("it ends inside a member");
    members.push_back({std::string(archive.substr(at, name_size)),
                       std::string(archive.substr(at + name_size, size))});
    at += name_size + size;
  }
  return members;
}

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t value = 0xFFFFFFFFU;
  for (const char byte : bytes) {
    value = kCrcTable[(value ^ static_cast<std::uint8_t>(byte)) & 0xFFU] ^ (value >> 8);
  }
  return value ^ 0xFFFFFFFFU;
}

std::string to_zip(std::span<const ZipMember> members) {
  std::string out;
  out.reserve(checked_size(members));
  std::vector<Entry> entries;
  for (const ZipMember& member : members) {
    entries.push_back({crc32(member.bytes), static_cast<std::uint32_t>(member.bytes.size()),
                       static_cast<std::uint32_t>(out.size())});
    put(out, kLocalHeader);
    put_description(out, member, entries.back());
    out += member.name;
    out += member.bytes;
  }
  const std::size_t directory = out.size();
  for (std::size_t i = 0; i < members.size(); ++i) put_central_header(out, members[i], entries[i]);
  put_end(out, members.size(), out.size() - directory, directory);
  return out;
}

std::vector<ZipMember> from_zip(std::string_view archive) {
  std::vector<ZipMember> members = read_members(archive);
  if (members.empty()) damaged("it has no members");
  if (members.size() > 65535 || to_zip(members) != archive) {
    damaged("checksums, headers or directory do not agree");
  }
  return members;
}

}  // namespace subspace
