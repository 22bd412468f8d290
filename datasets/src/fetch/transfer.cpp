// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "fetch/transfer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <subspace/core/version.h>

#include "io/text.h"

namespace subspace::datasets {
namespace {

constexpr long kMaxRedirects = 8;

bool is_passing_failure(int status) {
  constexpr std::array kPassing = {408, 429, 500, 502, 503, 504};
  return std::ranges::find(kPassing, status) != kPassing.end();
}

bool is_drop(CURLcode code) {
  constexpr std::array kDrops = {CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR,
                                 CURLE_SEND_ERROR,   CURLE_HTTP2,       CURLE_HTTP2_STREAM};
  return std::ranges::find(kDrops, code) != kDrops.end();
}

}  // namespace

Transfer::Transfer(const DownloadOptions& options, const Url& url, PartFile& part,
                   const Context& context, Reporter& reporter)
    : options_(options),
      url_(url),
      part_(part),
      context_(context),
      reporter_(reporter),
      offset_(part.size()) {
  configure();
  set_callbacks();
}

void Transfer::configure() {
  curl_.set(CURLOPT_URL, url_.full.c_str());
  limit_protocols(curl_, url_);
  bypass_proxy_for_loopback(curl_);
  curl_.set(CURLOPT_USERAGENT, "subspace/" SUBSPACE_VERSION);
  curl_.set(CURLOPT_FOLLOWLOCATION, 1L);
  curl_.set(CURLOPT_MAXREDIRS, kMaxRedirects);
  curl_.set(CURLOPT_SSL_VERIFYPEER, 1L);
  curl_.set(CURLOPT_SSL_VERIFYHOST, 2L);
  curl_.set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(options_.connect_timeout.count()));
  curl_.set(CURLOPT_NOSIGNAL, 1L);  // signals belong to the program we are a guest of
  curl_.set(CURLOPT_BUFFERSIZE, 256L << 10);
  if (offset_ == 0) return;
  // Not CURLOPT_RESUME_FROM: with that a server that sends the whole file is an error to libcurl.
  curl_.set(CURLOPT_RANGE, message(offset_, "-").c_str());
  curl_.add_header("If-Range: " + part_.origin().if_range());
}

void Transfer::set_callbacks() {
  curl_.set(CURLOPT_HEADERFUNCTION, &Transfer::header_callback);
  curl_.set(CURLOPT_HEADERDATA, this);
  curl_.set(CURLOPT_WRITEFUNCTION, &Transfer::body_callback);
  curl_.set(CURLOPT_WRITEDATA, this);
  curl_.set(CURLOPT_XFERINFOFUNCTION, &Transfer::tick_callback);
  curl_.set(CURLOPT_XFERINFODATA, this);
  curl_.set(CURLOPT_NOPROGRESS, 0L);
}

/// No exception may pass through libcurl.
bool Transfer::guarded(const std::function<bool()>& action) {
  try {
    return action();
  } catch (...) {
    failure_ = std::current_exception();
    return false;
  }
}

std::size_t Transfer::header_callback(char* bytes, std::size_t size, std::size_t n, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  const std::string_view line(bytes, size * n);
  return transfer.guarded([&] { return transfer.on_header(line); }) ? size * n : 0;
}

std::size_t Transfer::body_callback(char* bytes, std::size_t size, std::size_t n, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  const auto body = std::as_bytes(std::span(bytes, size * n));
  return transfer.guarded([&] { return transfer.on_body(body); }) ? size * n : 0;
}

int Transfer::tick_callback(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  auto& transfer = *static_cast<Transfer*>(self);
  return transfer.guarded([&] { return transfer.on_tick(); }) ? 0 : 1;
}

bool Transfer::on_header(std::string_view line) {
  received_ += line.size();
  response_.add_line(line);
  return true;
}

bool Transfer::on_body(std::span<const std::byte> bytes) {
  received_ += bytes.size();
  context_.throw_if_cancelled();
  if (!accepted_ && !accept_response()) return false;  // a page about an error may have no end
  if (total_ && bytes.size() > *total_ - part_.size()) {
    part_.discard();
    fail("the server sends more than the ", *total_, " bytes it announced");
  }
  if (bytes.size() > options_.most_bytes - part_.size()) {
    part_.discard();
    fail("more than the ", options_.most_bytes, " bytes allowed");
  }
  part_.append(bytes);
  return true;
}

bool Transfer::on_tick() {
  context_.throw_if_cancelled();
  if (accepted_) reporter_.report(part_.size(), total_.value_or(0));
  stalled_ = is_stalled();
  return !stalled_;
}

/// Whether fewer bytes than seconds came in the last stall_timeout.
bool Transfer::is_stalled() {
  const auto now = Clock::now();
  const auto enough = static_cast<std::uint64_t>(options_.stall_timeout.count());
  if (received_ - received_at_window_ >= enough) {
    received_at_window_ = received_;
    window_ = now;
  }
  return now - window_ >= options_.stall_timeout;
}

/// Looks at the final response before its first byte is kept. False: its body is not the file.
bool Transfer::accept_response() {
  if (response_.status() == 200) {
    accept_whole_file();
    accepted_ = true;
  } else if (response_.status() == 206 && offset_ > 0) {
    accepted_ = accept_continuation();
    start_over_ = !accepted_;
  }
  if (accepted_ && total_ && *total_ > options_.most_bytes) {
    part_.discard();
    fail("the file has ", *total_, " bytes, at most ", options_.most_bytes, " are allowed");
  }
  return accepted_;
}

void Transfer::accept_whole_file() {
  total_ = response_.length();
  part_.start({.url = url_.shown,
               .etag = response_.etag(),
               .last_modified = response_.last_modified(),
               .total = total_});
}

bool Transfer::accept_continuation() {
  total_ = response_.range_total() ? response_.range_total() : part_.origin().total;
  return response_.range_first() == offset_ && is_same_file() && (!total_ || *total_ >= offset_);
}

/// Some servers continue whatever they have now, If-Range or not.
bool Transfer::is_same_file() const {
  const Origin& origin = part_.origin();
  const bool same_total =
      !origin.total || !response_.range_total() || origin.total == response_.range_total();
  const bool same_etag =
      origin.etag.empty() || response_.etag().empty() || origin.etag == response_.etag();
  const bool same_date = origin.last_modified.empty() || response_.last_modified().empty() ||
                         origin.last_modified == response_.last_modified();
  // Servers of one host may disagree on the date of one file, which the ETag settles.
  return same_total && same_etag && (same_date || !origin.etag.empty());
}

TransferResult Transfer::run() {
  window_ = Clock::now();
  const CURLcode code = curl_.perform();
  if (failure_) std::rethrow_exception(failure_);
  if (stalled_) fail("no data for ", options_.stall_timeout.count(), " s");
  return judge(code);
}

TransferResult Transfer::judge(CURLcode code) {
  if (start_over_) return {Outcome::kStartOver, ""};
  if (is_drop(code)) return {Outcome::kDropped, curl_.error_text(code)};
  // on_body() wanted no more; what it threw was thrown on.
  if (code != CURLE_OK && code != CURLE_WRITE_ERROR) throw_curl_error(code);
  const int status = response_.status();
  if (status == 200 || status == 206) return judge_file();
  if (status == 416 && offset_ > 0) return judge_no_such_range();
  if (is_passing_failure(status)) return {Outcome::kDropped, status_text(status)};
  fail(status_text(status));
}

TransferResult Transfer::judge_file() {
  if (!accepted_ && !accept_response()) {  // a body without bytes
    if (start_over_) return {Outcome::kStartOver, ""};
    fail("a part of the file that was not asked for (206)");
  }
  if (!response_.shows_its_end() && options_.sha256.empty()) {
    part_.discard();
    fail("neither length nor chunks, so that a cut would not show; accepted only with a sha256");
  }
  if (total_ && part_.size() < *total_) {
    return {Outcome::kDropped, message(part_.size(), " of ", *total_, " bytes came")};
  }
  return {Outcome::kComplete, ""};
}

/// 416: the part is the whole file, or longer than the file is by now.
TransferResult Transfer::judge_no_such_range() const {
  const bool is_whole = response_.range_total() == offset_ && is_same_file();
  return {is_whole ? Outcome::kComplete : Outcome::kStartOver, ""};
}

void Transfer::throw_curl_error(CURLcode code) const {
  switch (code) {
    case CURLE_COULDNT_CONNECT:
      fail("no connection (",
           curl_.system_error() != 0 ? std::strerror(curl_.system_error()) : "refused", ")");
    case CURLE_OPERATION_TIMEDOUT:
      fail("no connection within ", options_.connect_timeout.count(), " s");
    case CURLE_TOO_MANY_REDIRECTS:
      fail("more than ", kMaxRedirects, " redirects");
    case CURLE_UNSUPPORTED_PROTOCOL:
      if (response_.status() / 100 == 3) {
        fail("redirected to something other than ", url_.is_https ? "https" : "http and https");
      }
      [[fallthrough]];
    default:
      fail(curl_.error_text(code));
  }
}

}  // namespace subspace::datasets
