// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "fetch/http_response.h"
#include "io/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

namespace subspace::datasets {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Validators are sent back and kept in a file of lines: what is not plain text is no validator.
std::string plain(std::string_view value) {
  constexpr std::size_t kLongest = 512;
  const bool is_plain = value.size() <= kLongest &&
                        std::ranges::all_of(value, [](char c) { return c >= ' ' && c <= '~'; });
  return is_plain ? std::string(value) : std::string();
}

}  // namespace

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stopped != end) return {};
  return number;
}

void HttpResponse::add_line(std::string_view line) {
  line = trimmed(line);
  if (line.starts_with("HTTP/")) {
    *this = {};
    const auto version = line.substr(5, line.find(' ') - 5);
    has_frames_ = !version.starts_with("0") && !version.starts_with("1");
    const auto status = trimmed(line.substr(std::min(line.size(), 5 + version.size())));
    status_ = static_cast<int>(parse_number(status.substr(0, 3)).value_or(0));
    return;
  }
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return;
  read_field(lower_case(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
}

void HttpResponse::read_field(std::string_view name, std::string_view value) {
  if (name == "content-length") length_ = parse_number(value);
  if (name == "content-range") read_range(value);
  if (name == "transfer-encoding")
    chunked_ = lower_case(value).find("chunked") != std::string::npos;
  if (name == "etag") etag_ = plain(value);
  if (name == "last-modified") last_modified_ = plain(value);
}

void HttpResponse::read_range(std::string_view value) {
  if (!lower_case(value).starts_with("bytes ")) return;
  value = trimmed(value.substr(6));
  const auto slash = value.find('/');
  if (slash == std::string_view::npos) return;
  range_total_ = parse_number(value.substr(slash + 1));
  range_first_ = parse_number(value.substr(0, std::min(slash, value.find('-'))));
}

std::string status_text(int status) {
  using Name = std::pair<int, const char*>;
  static constexpr std::array kNames = {Name{204, "No Content"},
                                        Name{300, "Multiple Choices"},
                                        Name{301, "Moved Permanently"},
                                        Name{302, "Found"},
                                        Name{304, "Not Modified"},
                                        Name{400, "Bad Request"},
                                        Name{401, "Unauthorized"},
                                        Name{403, "Forbidden"},
                                        Name{404, "Not Found"},
                                        Name{405, "Method Not Allowed"},
                                        Name{406, "Not Acceptable"},
                                        Name{407, "Proxy Authentication Required"},
                                        Name{408, "Request Timeout"},
                                        Name{410, "Gone"},
                                        Name{416, "Range Not Satisfiable"},
                                        Name{429, "Too Many Requests"},
                                        Name{451, "Unavailable For Legal Reasons"},
                                        Name{500, "Internal Server Error"},
                                        Name{501, "Not Implemented"},
                                        Name{502, "Bad Gateway"},
                                        Name{503, "Service Unavailable"},
                                        Name{504, "Gateway Timeout"}};
  const auto found = std::ranges::find(kNames, status, &Name::first);
  const std::string number = std::to_string(status);
  return found == kNames.end() ? "HTTP status " + number : number + " " + found->second;
}

}  // namespace subspace::datasets
