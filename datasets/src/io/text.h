// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <subspace/core/error.h>

namespace subspace::datasets {

/// Text from a file made fit for a message: one line, printable, at most 80 characters.
inline std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  std::string out;
  for (const char c : text.substr(0, kLongest)) {
    out += (c >= ' ' && c <= '~') ? c : '?';
  }
  if (text.size() > kLongest) out += "...";
  return out;
}

/// Letters of ASCII to small ones.
inline std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

/// "(1440, 1024)", as NumPy writes it: "(7,)" for one axis.
inline std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string out = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) out += ", ";
    out += std::to_string(shape[i]);
  }
  return out + (shape.size() == 1 ? ",)" : ")");
}

template <typename... Parts>
[[noreturn]] void throw_io_error(const Parts&... parts) {
  throw IoError(message(parts...));
}

}  // namespace subspace::datasets
