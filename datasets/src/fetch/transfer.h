// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <subspace/core/context.h>
#include <subspace/datasets/download.h>

#include "fetch/curl.h"
#include "fetch/http_response.h"
#include "fetch/part_file.h"
#include "fetch/reporter.h"

namespace subspace::datasets {

/// What a request came to; all else is thrown.
enum class Outcome {
  kComplete,
  kStartOver,  ///< what the part holds is of no use; cannot come of a request for the whole file
  kDropped,    ///< worth another try
};
struct TransferResult {
  Outcome outcome = Outcome::kComplete;
  std::string cause = {};  ///< of kDropped
};

/// One request: the whole file, or from the end of the part on if that holds something.
class Transfer {
 public:
  /// All arguments must outlive it. A part that holds something must have an origin.
  Transfer(const DownloadOptions& options, const Url& url, PartFile& part, const Context& context,
           Reporter& reporter);
  TransferResult run();

 private:
  using Clock = std::chrono::steady_clock;

  void configure();
  void set_callbacks();

  // Called by libcurl, through guarded(). A false return ends the transfer.
  bool on_header(std::string_view line);
  bool on_body(std::span<const std::byte> bytes);
  bool on_tick();
  bool guarded(const std::function<bool()>& action);
  static std::size_t header_callback(char* bytes, std::size_t size, std::size_t n, void* self);
  static std::size_t body_callback(char* bytes, std::size_t size, std::size_t n, void* self);
  static int tick_callback(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

  bool accept_response();
  void accept_whole_file();
  bool accept_continuation();
  bool is_same_file() const;
  bool is_stalled();

  TransferResult judge(CURLcode code);
  TransferResult judge_file();
  TransferResult judge_no_such_range() const;
  [[noreturn]] void throw_curl_error(CURLcode code) const;
  template <typename... Parts>
  [[noreturn]] void fail(const Parts&... parts) const {
    throw IoError(message("download: ", parts..., ": ", url_.shown));
  }

  const DownloadOptions& options_;
  const Url& url_;
  PartFile& part_;
  const Context& context_;
  Reporter& reporter_;
  const std::uint64_t offset_;  ///< where the request begins

  CurlHandle curl_;
  HttpResponse response_;
  bool accepted_ = false;    ///< the response was looked at and its body is wanted
  bool start_over_ = false;  ///< the response continues another file than the part
  bool stalled_ = false;
  std::optional<std::uint64_t> total_ = {};  ///< of the file, once it is announced
  std::exception_ptr failure_ = {};          ///< thrown inside a callback

  std::uint64_t received_ = 0;  ///< heads and bodies
  std::uint64_t received_at_window_ = 0;
  Clock::time_point window_ = {};  ///< begin of the time in which too little may come
};

}  // namespace subspace::datasets
