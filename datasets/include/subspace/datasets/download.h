// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include <subspace/core/context.h>
#include <subspace/core/export.h>

namespace subspace::datasets {

struct DownloadOptions {
  /// http or https. Redirects are followed, up to eight, and never from https to anything else.
  std::string url = {};
  /// The file to write, in a folder that exists. An old file of this name is replaced at the end.
  std::filesystem::path target = {};
  /// A larger file is refused, by its announced size or as soon as it has sent more.
  std::uint64_t most_bytes = std::uint64_t{4} << 30;
  /// 64 hexadecimal digits: a file with another hash never gets its final name. Empty: any file.
  std::string sha256 = {};
  /// How often a dropped connection or a passing failure of the server (408, 429, 5xx) is tried
  /// again. Counted anew after each MiB gained.
  int retries = 3;
  std::chrono::milliseconds retry_delay{500};  ///< before the first of them, doubled each time
  std::chrono::seconds connect_timeout{30};
  std::chrono::seconds stall_timeout{60};  ///< gives up below one byte a second for so long
};

struct Downloaded {
  std::uint64_t bytes = 0;
  std::string sha256 = {};
  bool resumed = false;  ///< an earlier call's part was continued
};

/// Fetches a file over HTTP. Bytes go to target + ".part"; the target appears whole, synced to
/// disk, or not at all.
///
/// A call that was cancelled or lost its connection leaves the part, and the next call with the
/// same URL continues it if the server still has the same file, by its ETag or date kept in target
/// + ".part.meta"; else it starts over. Two calls for one target at a time: the second is refused.
///
/// A response that ends with its connection, without a length, could have been cut anywhere and is
/// accepted only with a sha256. Certificates are verified. The proxy of the environment
/// (http_proxy, https_proxy, no_proxy) is used, though never for this machine itself.
///
/// Progress has the phase "download", in bytes, with total 0 while it is unknown. Throws IoError
/// with URL or path and cause; InvalidArgument for an URL of another kind; Cancelled.
SUBSPACE_API Downloaded download(const DownloadOptions& options, const Context& context = {});

}  // namespace subspace::datasets
