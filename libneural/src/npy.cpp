// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "npy.h"

#include <bit>
#include <charconv>

#include <subspace/core/error.h>

namespace subspace::neural {
namespace {

using namespace std::string_view_literals;

static_assert(std::endian::native == std::endian::little, "swap the bytes of arrays here");

constexpr std::string_view kMagic = "\x93NUMPY\x01\x00"sv;
constexpr std::size_t kLengthSize = 2;  // of the header's length, which follows the magic

/// "(3, 4)", "(3,)" or "()": a Python tuple.
std::string tuple(const std::vector<std::int64_t>& shape) {
  std::string text = "(";
  for (const std::int64_t size : shape) text += std::to_string(size) + ", ";
  if (shape.size() > 1) text.erase(text.size() - 2);
  if (shape.size() == 1) text.pop_back();
  return text + ")";
}

std::string header(const NpyArray& array) {
  std::string text = "{'descr': '" + array.type +
                     "', 'fortran_order': False, 'shape': " + tuple(array.shape) + ", }";
  // The data begins at a multiple of 64 bytes, after a newline.
  const std::size_t before = kMagic.size() + kLengthSize;
  text.append(63 - (before + text.size()) % 64, ' ');
  return text + "\n";
}

[[noreturn]] void malformed() { throw IoError("an array of the archive is malformed"); }

std::string_view between(std::string_view text, std::string_view left, std::string_view right) {
  const std::size_t begin = text.find(left);
  if (begin == std::string_view::npos) malformed();
  text.remove_prefix(begin + left.size());
  const std::size_t end = text.find(right);
  if (end == std::string_view::npos) malformed();
  return text.substr(0, end);
}

std::vector<std::int64_t> parse_shape(std::string_view text) {
  std::vector<std::int64_t> shape;
  while (!text.empty()) {
    std::int64_t size = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc() || size < 0) malformed();
    shape.push_back(size);
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    const std::size_t next = text.find_first_not_of(", ");
    text = next == std::string_view::npos ? std::string_view() : text.substr(next);
  }
  return shape;
}

}  // namespace

std::string to_npy(const NpyArray& array) {
  const std::string text = header(array);
  std::string file(kMagic);
  file += static_cast<char>(text.size() & 0xFFU);
  file += static_cast<char>(text.size() >> 8);
  return file + text + array.bytes;
}

NpyArray from_npy(std::string_view file) {
  const std::size_t before = kMagic.size() + kLengthSize;
  if (file.size() < before || file.substr(0, kMagic.size()) != kMagic) malformed();
  const std::size_t length = static_cast<std::uint8_t>(file[kMagic.size()]) +
                             256U * static_cast<std::uint8_t>(file[kMagic.size() + 1]);
  if (file.size() < before + length) malformed();
  const std::string_view text = file.substr(before, length);
  NpyArray array = {std::string(between(text, "'descr': '", "'")),
                    parse_shape(between(text, "'shape': (", ")")),
                    std::string(file.substr(before + length))};
  std::size_t expected = array.type == "<f4" ? 4 : 8;
  for (const std::int64_t size : array.shape) {
    // Checked before multiplying, so that no product overflows.
    if (size > static_cast<std::int64_t>(file.size())) malformed();
    expected *= static_cast<std::size_t>(size);
    if (expected > file.size()) malformed();
  }
  if (array.bytes.size() != expected || header(array) != text) malformed();
  return array;
}

}  // namespace subspace::neural
