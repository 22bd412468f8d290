// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "base64.h"

#include <array>
#include <cstdint>

#include <subspace/core/error.h>

namespace subspace::pipelines {
namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::uint32_t value_of(char letter) {
  const auto place = kLetters.find(letter);
  if (place == std::string_view::npos) throw DataError("base64: a letter that does not belong");
  return static_cast<std::uint32_t>(place);
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8 | (j < have ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      text += j <= have ? kLetters[group >> (18 - 6 * j) & 63U] : '=';
    }
  }
  return text;
}

std::string from_base64(std::string_view text) {
  if (text.size() % 4 != 0) throw DataError("base64: the length must be a multiple of 4");
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const std::size_t letters = i + 4 == text.size() ? 4 - padding : 4;
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 4; ++j)
      group = group << 6 | (j < letters ? value_of(text[i + j]) : 0U);
    for (std::size_t j = 0; j + 1 < letters; ++j)
      bytes += static_cast<char>(group >> (16 - 8 * j) & 255U);
  }
  return bytes;
}

}  // namespace subspace::pipelines
