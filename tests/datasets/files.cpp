// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "datasets/files.h"

#include <stdlib.h>
#include <zlib.h>

#include <fstream>

namespace subspace::datasets {
namespace {

std::string compress_with(std::string_view bytes, int window_bits) {
  z_stream zlib = {};
  EXPECT_EQ(deflateInit2(&zlib, 9, Z_DEFLATED, window_bits, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&zlib, bytes.size()), '\0');
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  zlib.avail_in = static_cast<uInt>(bytes.size());
  zlib.next_out = reinterpret_cast<Bytef*>(out.data());
  zlib.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&zlib, Z_FINISH), Z_STREAM_END);
  out.resize(zlib.total_out);
  deflateEnd(&zlib);
  return out;
}

std::string padded_to_8(std::string bytes) {
  bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
  return bytes;
}

}  // namespace

TempFolder::TempFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "subspace-test-XXXXXX").string();
  EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
  folder_ = pattern;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::filesystem::path TempFolder::write(const std::string& name, std::string_view bytes) const {
  // A new file each time: file systems flush one that is truncated and written again, which takes
  // far longer than the tests do.
  std::filesystem::remove(path(name));
  std::ofstream(path(name), std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path(name);
}

std::filesystem::path TempFolder::write_hex(const std::string& name, std::string_view hex) const {
  return write(name, from_hex(hex));
}

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

std::string zlib_compressed(std::string_view bytes) { return compress_with(bytes, MAX_WBITS); }
std::string deflated(std::string_view bytes) { return compress_with(bytes, -MAX_WBITS); }
std::string gzip_compressed(std::string_view bytes) { return compress_with(bytes, MAX_WBITS + 16); }

std::uint32_t crc32_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

std::string npy_file(const std::string& header, const std::string& payload, int version) {
  std::string file = std::string("\x93NUMPY") + static_cast<char>(version) + '\0';
  file += version == 1 ? raw(static_cast<std::uint16_t>(header.size()))
                       : raw(static_cast<std::uint32_t>(header.size()));
  return file + header + payload;
}

std::string idx_file(int type, const std::vector<std::uint32_t>& shape,
                     const std::string& payload) {
  const std::string start = {0, 0, static_cast<char>(type), static_cast<char>(shape.size())};
  return start + raw(shape, true) + payload;
}

std::string zip_file(const std::vector<ZipMember>& members, bool zip64_end) {
  std::string file, directory;
  for (const auto& own : members) {
    ZipMember member = own.share_first ? members.front() : own;
    member.name = own.name;
    const std::string data = member.deflate ? deflated(member.content) : member.content;
    const std::uint32_t crc = crc32_of(member.content);
    const auto size =
        member.size_lie != 0 ? member.size_lie : static_cast<std::uint32_t>(member.content.size());
    const auto compressed = static_cast<std::uint32_t>(data.size());
    const auto offset =
        own.share_first ? 0 : static_cast<std::uint32_t>(file.size()) + member.offset_shift;
    const std::uint16_t method = member.deflate ? 8 : 0;
    const auto name_size = static_cast<std::uint16_t>(member.name.size());

    const std::uint32_t none = 0xffffffff;
    std::string extra;
    if (member.zip64) {
      extra = raw(std::uint16_t{1}) + raw(std::uint16_t{24}) + raw(std::uint64_t{size}) +
              raw(std::uint64_t{compressed}) + raw(std::uint64_t{offset});
    }
    const std::string common = raw(member.flags) + raw(method) + raw(std::uint32_t{0}) +
                               raw(crc ^ member.crc_flip) + raw(member.zip64 ? none : compressed) +
                               raw(member.zip64 ? none : size) + raw(name_size);
    if (!own.share_first)
      file += "PK\x03\x04" + raw(std::uint16_t{20}) + common + raw(std::uint16_t{0}) + member.name +
              data;
    directory += "PK\x01\x02" + raw(std::uint16_t{20}) + raw(std::uint16_t{20}) + common +
                 raw(static_cast<std::uint16_t>(extra.size())) + std::string(6, '\0') +
                 raw(member.mode << 16) + raw(member.zip64 ? none : offset) + member.name + extra;
  }
  // After the extra field's size: comment size, disk, internal (2 each), external attributes (4).
  const auto offset = static_cast<std::uint32_t>(file.size());
  const auto size = static_cast<std::uint32_t>(directory.size());
  const auto count = static_cast<std::uint16_t>(members.size());
  std::string end;
  if (zip64_end) {
    end = "PK\x06\x06" + raw(std::uint64_t{44}) + std::string(12, '\0') +
          raw(std::uint64_t{count}) + raw(std::uint64_t{count}) + raw(std::uint64_t{size}) +
          raw(std::uint64_t{offset});
    end += std::string("PK\x06\x07") + std::string(4, '\0') + raw(std::uint64_t{offset} + size) +
           raw(std::uint32_t{1});
    end += std::string("PK\x05\x06") + std::string(4, '\0') + std::string(12, '\xff') +
           std::string(2, '\0');
  } else {
    end = std::string("PK\x05\x06") + std::string(4, '\0') + raw(count) + raw(count) + raw(size) +
          raw(offset) + std::string(2, '\0');
  }
  return file + directory + end;
}

std::string png_chunk(const std::string& type, const std::string& data) {
  return raw(static_cast<std::uint32_t>(data.size()), true) + type + data +
         raw(crc32_of(type + data), true);
}

std::string png_file(const PngHeader& header, const std::string& rows, const std::string& chunks) {
  const std::string kinds = {static_cast<char>(header.depth), static_cast<char>(header.color), '\0',
                             '\0', '\0'};
  return "\x89PNG\r\n\x1a\n" +
         png_chunk("IHDR", raw(header.width, true) + raw(header.height, true) + kinds) + chunks +
         png_chunk("IDAT", zlib_compressed(rows)) + png_chunk("IEND", {});
}

std::string MatWriter::header() const {
  std::string text = "MATLAB 5.0 MAT-file";
  text.resize(124, ' ');
  return text + raw(std::uint16_t{0x0100}, big_endian) + (big_endian ? "MI" : "IM");
}

std::string MatWriter::element(std::uint32_t type, const std::string& data) const {
  return raw(type, big_endian) + raw(static_cast<std::uint32_t>(data.size()), big_endian) +
         padded_to_8(data);
}

std::string MatWriter::small_element(std::uint32_t type, const std::string& data) const {
  const auto size = static_cast<std::uint32_t>(data.size());
  std::string bytes = raw(size << 16 | type, big_endian) + data;
  bytes.resize(8, '\0');
  return bytes;
}

std::string MatWriter::array(std::uint32_t array_class, const std::vector<std::int32_t>& shape,
                             const std::string& name, const std::string& numbers_element,
                             std::uint32_t flags) const {
  const std::string name_element = name.size() <= 4 ? small_element(1, name) : element(1, name);
  const std::string body =
      element(6, raw(array_class | flags, big_endian) + raw(std::uint32_t{0}, big_endian)) +
      element(5, raw(shape, big_endian)) + name_element + numbers_element;
  return element(14, body);
}

std::string MatWriter::compressed(const std::string& array_element) const {
  const std::string data = zlib_compressed(array_element);
  return raw(std::uint32_t{15}, big_endian) +
         raw(static_cast<std::uint32_t>(data.size()), big_endian) + data;
}

}  // namespace subspace::datasets
