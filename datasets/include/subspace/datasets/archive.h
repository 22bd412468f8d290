// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <filesystem>

#include <subspace/core/context.h>
#include <subspace/core/export.h>

namespace subspace::datasets {

struct UnpackLimits {
  std::uint64_t max_files = 500'000;                  ///< files and folders together
  std::uint64_t max_bytes = std::uint64_t{16} << 30;  ///< of all files together
};

struct Unpacked {
  std::uint64_t files = 0;  ///< regular files
  std::uint64_t bytes = 0;
};

/// Unpacks a .tar, .tar.gz, .tar.bz2 or .zip, told apart by content, into a folder that does not
/// exist yet or is empty; its parent must exist. Members are written to a temporary folder beside
/// it, which is renamed when all of them are there and synced, and removed if anything fails.
///
/// An archive is not trusted. Refused, with member and rule in the message, are absolute names,
/// names with "..", a backslash or control characters, names that occur twice, links of any kind,
/// devices and FIFOs, encrypted members, anything beyond the limits, data that expand more than
/// deflate can (1032 times, and 16 MiB of grace for other methods), damaged checksums, and archives
/// that are cut short or empty. Sizes are counted while they are written; declared ones are not
/// believed. Owner, time and special bits are ignored; modes are 0644 and 0755 under the umask.
///
/// Progress has the phase "unpack", in bytes of the archive. Throws IoError; Cancelled.
SUBSPACE_API Unpacked unpack(const std::filesystem::path& archive,
                             const std::filesystem::path& folder, const UnpackLimits& limits = {},
                             const Context& context = {});

}  // namespace subspace::datasets
