// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace subspace::datasets {

/// The head of a response, as far as a download needs it [RFC 9110].
class HttpResponse {
 public:
  /// Takes one line as libcurl hands it over; a status line starts a new response, for redirects
  /// and provisional answers bring several.
  void add_line(std::string_view line);

  int status() const { return status_; }
  /// Content-Length: of this response, not of the file.
  std::optional<std::uint64_t> length() const { return length_; }
  /// Content-Range "bytes 5-9/10" is first = 5, total = 10; "bytes */10" is total alone.
  std::optional<std::uint64_t> range_first() const { return range_first_; }
  std::optional<std::uint64_t> range_total() const { return range_total_; }
  const std::string& etag() const { return etag_; }
  const std::string& last_modified() const { return last_modified_; }
  /// Whether a cut would show: by a length, by chunks, or by the frames of HTTP/2 and later.
  bool shows_its_end() const { return length_ || chunked_ || has_frames_; }

 private:
  void read_field(std::string_view name, std::string_view value);
  void read_range(std::string_view value);

  int status_ = 0;
  bool has_frames_ = false;
  bool chunked_ = false;
  std::optional<std::uint64_t> length_ = {}, range_first_ = {}, range_total_ = {};
  std::string etag_ = {}, last_modified_ = {};
};

/// "404 Not Found"; the number alone where it has no common name.
std::string status_text(int status);

/// Digits and nothing else, within 64 bits.
std::optional<std::uint64_t> parse_number(std::string_view text);

}  // namespace subspace::datasets
