// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <subspace/core/error.h>

namespace subspace::datasets {

/// A folder of its own for each test, removed with all it holds.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  std::filesystem::path write(const std::string& name, std::string_view bytes) const;
  std::filesystem::path write_hex(const std::string& name, std::string_view hex) const;

 private:
  std::filesystem::path folder_;
};

std::string from_hex(std::string_view hex);

/// Numbers as the files store them.
template <typename T>
std::string raw(T value, bool big_endian = false) {
  std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
  return big_endian ? std::string(bytes.rbegin(), bytes.rend()) : bytes;
}
template <typename T>
std::string raw(const std::vector<T>& values, bool big_endian = false) {
  std::string bytes;
  for (const T value : values) bytes += raw(value, big_endian);
  return bytes;
}

std::string zlib_compressed(std::string_view bytes);
std::string deflated(std::string_view bytes);
std::string gzip_compressed(std::string_view bytes);
std::uint32_t crc32_of(std::string_view bytes);

/// A .npy with any header text, honest or not.
std::string npy_file(const std::string& header, const std::string& payload, int version = 1);

/// An idx file: type, lengths of the axes, numbers.
std::string idx_file(int type, const std::vector<std::uint32_t>& shape, const std::string& payload);

/// A member of a zip archive, with every declared number open to lies.
struct ZipMember {
  std::string name = {};
  std::string content = {};
  bool deflate = false;
  std::uint32_t size_lie = 0;  ///< 0: the truth
  std::uint32_t crc_flip = 0;
  std::uint32_t offset_shift = 0;
  std::uint16_t flags = 0;
  bool zip64 = false;        ///< sizes and offset in the extra field
  std::uint32_t mode = 0;    ///< Unix file mode in the external attributes
  bool share_first = false;  ///< no bytes of its own: the directory points at the first member's
};
std::string zip_file(const std::vector<ZipMember>& members, bool zip64_end = false);

/// A .png with these rows, each led by its filter byte. `chunks` come before the pixels.
struct PngHeader {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  int depth = 8;
  int color = 0;  ///< 0: grey, 2: RGB, 3: palette, 4: grey and alpha, 6: RGB and alpha
};
std::string png_file(const PngHeader& header, const std::string& rows,
                     const std::string& chunks = {});
std::string png_chunk(const std::string& type, const std::string& data);

/// Builds MATLAB 5 elements in either byte order.
struct MatWriter {
  bool big_endian = false;

  std::string header() const;
  std::string element(std::uint32_t type, const std::string& data) const;
  std::string small_element(std::uint32_t type, const std::string& data) const;
  std::string array(std::uint32_t array_class, const std::vector<std::int32_t>& shape,
                    const std::string& name, const std::string& numbers_element,
                    std::uint32_t flags = 0) const;
  std::string compressed(const std::string& array_element) const;
};

/// Expects an IoError whose message contains all of `parts`.
template <typename Action, typename... Parts>
void expect_io_error(const Action& action, const Parts&... parts) {
  try {
    action();
    ADD_FAILURE() << "expected an IoError";
  } catch (const IoError& error) {
    EXPECT_THAT(std::string(error.what()), ::testing::AllOf(::testing::HasSubstr(parts)...));
  }
}

}  // namespace subspace::datasets
