// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/datasets/download.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <thread>

#include "fetch/transfer.h"
#include "io/text.h"

namespace subspace::datasets {
namespace {

/// So much gained, a connection has proved worth all of its retries again.
constexpr std::uint64_t kWorthwhile = std::uint64_t{1} << 20;

void check(const DownloadOptions& options) {
  const auto require = [](bool holds, const auto&... rule) {
    if (!holds) throw InvalidArgument(message("download: ", rule...));
  };
  require(options.target.has_filename(), "target = '", options.target.string(),
          "', must name a file");
  require(options.most_bytes > 0, "most_bytes = 0, must be > 0");
  require(options.retries >= 0, "retries = ", options.retries, ", must be >= 0");
  require(options.retry_delay.count() >= 0, "retry_delay must be >= 0");
  require(options.connect_timeout.count() > 0, "connect_timeout must be > 0");
  require(options.stall_timeout.count() > 0, "stall_timeout must be > 0");
  const bool is_hash =
      options.sha256.size() == 64 &&
      std::ranges::all_of(options.sha256, [](unsigned char c) { return std::isxdigit(c) != 0; });
  require(options.sha256.empty() || is_hash, "sha256 = '", printable(options.sha256),
          "', must have 64 hexadecimal digits");
}

void wait(std::chrono::milliseconds time, const Context& context) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
    context.throw_if_cancelled();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

/// Counts failures in a row, and waits longer after each.
class Retries {
 public:
  Retries(const DownloadOptions& options, const Url& url)
      : options_(options), url_(url), delay_(options.retry_delay) {}

  void after_drop(const std::string& cause, std::uint64_t size, const Context& context) {
    if (size >= furthest_ + kWorthwhile) {
      used_ = 0;
      delay_ = options_.retry_delay;
      furthest_ = size;
    }
    if (used_ == options_.retries) {
      throw IoError(message("download: ", cause, " (tried ", used_ + 1, " times): ", url_.shown));
    }
    ++used_;
    wait(delay_, context);
    delay_ *= 2;
  }

 private:
  const DownloadOptions& options_;
  const Url& url_;
  std::chrono::milliseconds delay_;
  std::uint64_t furthest_ = 0;  ///< what a restarted file must first surpass
  int used_ = 0;
};

/// Whether the part can be continued: from the same place, and with a way to tell that the file
/// there is still the same.
bool is_of_use(const PartFile& part, const DownloadOptions& options, const Url& url) {
  return part.origin().url == url.shown && !part.origin().if_range().empty() &&
         part.size() <= options.most_bytes;
}

/// Requests until the part is the whole file.
void fill(PartFile& part, const DownloadOptions& options, const Url& url, const Context& context) {
  Reporter reporter(context, "download");
  Retries retries(options, url);
  for (;;) {
    context.throw_if_cancelled();
    if (!is_of_use(part, options, url)) part.discard();
    const TransferResult result = Transfer(options, url, part, context, reporter).run();
    if (result.outcome == Outcome::kComplete) break;
    if (result.outcome == Outcome::kStartOver) part.discard();
    if (result.outcome == Outcome::kDropped) retries.after_drop(result.cause, part.size(), context);
  }
  reporter.report_now(part.size(), part.size());
}

}  // namespace

Downloaded download(const DownloadOptions& options, const Context& context) {
  check(options);
  const Url url = parse_url(options.url);
  PartFile part(options.target);
  fill(part, options, url, context);
  Downloaded result = {
      .bytes = part.size(), .sha256 = part.sha256(context), .resumed = part.was_continued()};
  if (!options.sha256.empty() && result.sha256 != lower_case(options.sha256)) {
    part.discard();
    throw_io_error("download: SHA-256 is ", result.sha256, ", expected ", options.sha256, ": ",
                   url.shown);
  }
  part.finish();
  return result;
}

}  // namespace subspace::datasets
