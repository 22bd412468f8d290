// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "io/zip.h"

#include <algorithm>
#include <set>

#include "arrays/element_type.h"

namespace subspace::datasets {
namespace {

// Field offsets are those of APPNOTE.TXT, the description of the .zip format.
constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::uint32_t kEntrySignature = 0x02014b50;
constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::uint32_t kEnd64Signature = 0x06064b50;
constexpr std::uint32_t kLocator64Signature = 0x07064b50;
constexpr std::uint16_t kExtra64 = 0x0001;
constexpr std::uint64_t kLocalSize = 30, kEntrySize = 46, kEndSize = 22, kEnd64Size = 56,
                        kLocatorSize = 20;

struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t entries = 0;
};

/// The records of the file at their offsets, each checked to lie inside.
class ZipRecords {
 public:
  explicit ZipRecords(const MappedFile& file) : file_(file), bytes_(file.bytes()) {}

  template <typename T>
  T read(std::uint64_t offset) const {
    require(offset, sizeof(T));
    return load_little<T>(bytes_.data() + offset);
  }
  std::uint16_t u16(std::uint64_t offset) const { return read<std::uint16_t>(offset); }
  std::uint32_t u32(std::uint64_t offset) const { return read<std::uint32_t>(offset); }
  std::uint64_t u64(std::uint64_t offset) const { return read<std::uint64_t>(offset); }

  void require(std::uint64_t offset, std::uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) {
      fail(offset, "expected ", size, " bytes here, the file has ", bytes_.size(), " in all");
    }
  }
  void require_signature(std::uint64_t offset, std::uint32_t signature, const char* what) const {
    const std::uint32_t found = u32(offset);
    if (found != signature) fail(offset, "found ", found, ", expected the signature of ", what);
  }
  template <typename... Parts>
  [[noreturn]] void fail(std::uint64_t offset, const Parts&... parts) const {
    throw_io_error(file_.name(), ": zip archive, byte ", offset, ": ", parts...);
  }

  /// The end record is the last thing in the file but for its comment of at most 65535 bytes.
  std::uint64_t find_end_record() const {
    const std::uint64_t size = bytes_.size();
    const std::uint64_t furthest = std::min<std::uint64_t>(size, kEndSize + 65535);
    for (std::uint64_t back = kEndSize; back <= furthest; ++back) {
      const std::uint64_t at = size - back;
      if (u32(at) == kEndSignature && u16(at + 20) == back - kEndSize) return at;
    }
    fail(size, "no end-of-archive record; this is no zip archive, or it is cut short");
  }

  Directory find_directory() const {
    const std::uint64_t end = find_end_record();
    Directory directory = {u32(end + 16), u32(end + 12), u16(end + 10)};
    std::uint64_t limit = end;
    const bool is_zip64 = directory.offset == 0xffffffff || directory.size == 0xffffffff ||
                          directory.entries == 0xffff;
    if (is_zip64) {
      if (end < kLocatorSize) fail(end, "no room for the zip64 locator");
      require_signature(end - kLocatorSize, kLocator64Signature, "the zip64 locator");
      limit = u64(end - kLocatorSize + 8);
      require(limit, kEnd64Size);
      require_signature(limit, kEnd64Signature, "the zip64 end record");
      directory = {u64(limit + 48), u64(limit + 40), u64(limit + 32)};
    }
    if (directory.offset > limit || directory.size > limit - directory.offset) {
      fail(limit, "directory at ", directory.offset, " with ", directory.size,
           " bytes does not lie before its end record");
    }
    if (directory.entries > directory.size / kEntrySize) {
      fail(limit, directory.entries, " members do not fit into a directory of ", directory.size,
           " bytes");
    }
    return directory;
  }

  ZipEntry read_entry(std::uint64_t& at, std::uint64_t end) const {
    const std::uint64_t start = at;
    if (end - at < kEntrySize) fail(at, "the directory ends inside a member's record");
    require_signature(at, kEntrySignature, "a directory record");
    ZipEntry entry;
    entry.flags = u16(at + 8);
    entry.method = u16(at + 10);
    entry.crc = u32(at + 16);
    entry.compressed = u32(at + 20);
    entry.size = u32(at + 24);
    entry.local_offset = u32(at + 42);
    // Unix writers keep the file mode in the upper half of the external attributes.
    const std::uint32_t mode = u32(at + 38) >> 16, kind = mode & 0xf000;
    entry.is_link = kind == 0xa000;
    entry.is_special = kind == 0x1000 || kind == 0x2000 || kind == 0x6000 || kind == 0xc000;
    entry.is_executable = (mode & 0111) != 0;
    const std::uint64_t name_size = u16(at + 28), extra_size = u16(at + 30),
                        comment_size = u16(at + 32);
    if (name_size + extra_size + comment_size > end - at - kEntrySize) {
      fail(start, "the member's record reaches beyond the directory");
    }
    entry.name.assign(reinterpret_cast<const char*>(bytes_.data() + at + kEntrySize), name_size);
    read_extra64(entry, at + kEntrySize + name_size, extra_size);
    at += kEntrySize + name_size + extra_size + comment_size;
    return entry;
  }

  /// Fields that hold 0xffffffff continue, in this order, in an extra field of 64-bit numbers.
  void read_extra64(ZipEntry& entry, std::uint64_t at, std::uint64_t size) const {
    const std::uint64_t end = at + size;
    while (end - at >= 4) {
      const std::uint16_t id = u16(at);
      const std::uint64_t field_end = at + 4 + u16(at + 2);
      if (field_end > end) fail(at, "an extra field reaches beyond its record");
      at += 4;
      if (id == kExtra64) {
        for (std::uint64_t* value : {&entry.size, &entry.compressed, &entry.local_offset}) {
          if (*value != 0xffffffff) continue;
          if (field_end - at < 8) fail(at, "the zip64 field is too short");
          *value = u64(at);
          at += 8;
        }
      }
      at = field_end;
    }
  }

  std::span<const std::byte> data_of(const ZipEntry& entry) const {
    require(entry.local_offset, kLocalSize);
    require_signature(entry.local_offset, kLocalSignature, "a member");
    if (u16(entry.local_offset + 8) != entry.method) {
      fail(entry.local_offset, "the member and the directory name different compression methods");
    }
    const std::uint64_t data = entry.local_offset + kLocalSize + u16(entry.local_offset + 26) +
                               u16(entry.local_offset + 28);
    require(data, entry.compressed);
    return bytes_.subspan(data, entry.compressed);
  }

 private:
  const MappedFile& file_;
  std::span<const std::byte> bytes_;
};

}  // namespace

ZipReader::ZipReader(const MappedFile& file) : file_(file) {
  const ZipRecords records(file);
  const Directory directory = records.find_directory();
  std::uint64_t at = directory.offset;
  const std::uint64_t end = directory.offset + directory.size;
  std::set<std::string> names;
  std::uint64_t compressed = 0;
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    entries_.push_back(records.read_entry(at, end));
    if (!names.insert(entries_.back().name).second) {
      records.fail(at, "member '", printable(entries_.back().name), "' occurs twice");
    }
    // Members that share their bytes are how a small archive claims a huge content.
    const bool overflow =
        __builtin_add_overflow(compressed, entries_.back().compressed, &compressed);
    if (overflow || compressed > file.bytes().size()) {
      records.fail(at, "the members are larger than the archive: they overlap");
    }
  }
}

const ZipEntry& ZipReader::find(const std::string& name) const {
  const auto found = std::ranges::find(entries_, name, &ZipEntry::name);
  if (found == entries_.end()) throw_io_error(file_.name(), ": no member '", printable(name), "'");
  return *found;
}

std::unique_ptr<ByteStream> ZipReader::open(const ZipEntry& entry) const {
  const std::string origin = file_.name() + ": member '" + printable(entry.name) + "'";
  if ((entry.flags & 1) != 0) throw_io_error(origin, ": is encrypted");
  if (entry.is_link) throw_io_error(origin, ": is a symbolic link, which is not followed");
  const auto data = ZipRecords(file_).data_of(entry);
  std::unique_ptr<ByteStream> stream;
  if (entry.method == ZipEntry::kStored) {
    if (entry.size != entry.compressed) {
      throw_io_error(origin, ": stored in ", entry.compressed, " bytes, but declared as ",
                     entry.size);
    }
    stream = std::make_unique<MappedStream>(origin, data);
  } else if (entry.method == ZipEntry::kDeflated) {
    if (entry.size / kMaxDeflateRatio > entry.compressed) {
      throw_io_error(origin, ": ", entry.compressed, " bytes cannot inflate to the declared ",
                     entry.size);
    }
    stream = std::make_unique<InflateStream>(origin, data, InflateStream::Wrapper::kRaw);
  } else {
    throw_io_error(origin, ": compression method ", entry.method,
                   ", expected 0 (stored) or 8 (deflate)");
  }
  return std::make_unique<CrcStream>(std::move(stream), entry.crc);
}

std::vector<std::byte> ZipReader::read(const ZipEntry& entry, std::uint64_t most) const {
  const auto stream = open(entry);
  if (entry.size > most) stream->fail("declares ", entry.size, " bytes, expected at most ", most);
  std::vector<std::byte> bytes = stream->read(entry.size);
  stream->finish();
  return bytes;
}

}  // namespace subspace::datasets
