// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "report/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <type_traits>

#include <subspace/core/error.h>

namespace subspace::pipelines::report {
namespace {

/// 1.5e-08 for 1.500e-08.
std::string short_power(double value, int digits) {
  std::array<char, 32> text = {};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::scientific, digits);
  const std::string number(text.data(), end.ptr);
  const std::size_t power = number.find('e');
  return without_end_zeros(number.substr(0, power)) + number.substr(power);
}

}  // namespace

std::string fixed(double value, int digits) {
  if (!std::isfinite(value)) return kNoNumber;
  std::array<char, 400> text = {};  // the largest double has 309 digits before the point
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::fixed, digits);
  return {text.data(), end.ptr};
}

std::string significant(double value) {
  if (!std::isfinite(value)) return kNoNumber;
  if (value == 0.0) return "0";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  return fixed(value, std::clamp(2 - magnitude, 0, 9));
}

std::string without_end_zeros(std::string number) {
  if (number.find('.') == std::string::npos) return number;
  number.resize(number.find_last_not_of('0') + 1);
  if (number.ends_with('.')) number.pop_back();
  return number;
}

std::string exact(double value) {
  if (!std::isfinite(value)) return "";
  std::array<char, 32> text = {};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

std::string duration(double seconds) {
  if (seconds < 0.995) return message(fixed(seconds, 2), " s");
  if (seconds < 99.5) return message(fixed(seconds, 1), " s");
  if (seconds < 5970.0) return message(fixed(seconds / 60.0, 1), " min");
  return message(fixed(seconds / 3600.0, 1), " h");
}

std::string counted(std::int64_t count, const std::string& noun) {
  return message(count, " ", noun, count == 1 ? "" : "s");
}

std::string value_text(const ParameterValue& value) {
  return std::visit(
      [](const auto& held) -> std::string {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, bool>) {
          return held ? "true" : "false";
        } else if constexpr (std::is_same_v<Held, double>) {
          return std::isfinite(held) ? exact(held) : kNoNumber;
        } else if constexpr (std::is_same_v<Held, std::int64_t>) {
          return std::to_string(held);
        } else {
          return held;
        }
      },
      value);
}

std::string measured_text(const ParameterValue& value) {
  const double* number = std::get_if<double>(&value);
  if (number == nullptr || !std::isfinite(*number) || *number == 0.0) return value_text(value);
  constexpr int kDigits = 4;
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(*number))));
  if (magnitude < -3 || magnitude > 8) return short_power(*number, kDigits - 1);
  return without_end_zeros(fixed(*number, std::max(0, kDigits - 1 - magnitude)));
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::string one_line(const std::string& text) {
  std::string line = text;
  std::ranges::replace_if(
      line, [](char letter) { return static_cast<unsigned char>(letter) < 0x20; }, ' ');
  return line;
}

}  // namespace subspace::pipelines::report
