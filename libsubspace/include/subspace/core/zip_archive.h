// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <subspace/core/export.h>

namespace subspace {

/// One file inside an archive.
struct ZipMember {
  std::string name = {};
  std::string bytes = {};
};

/// CRC-32 of ISO 3309, as zip files use it.
SUBSPACE_API std::uint32_t crc32(std::string_view bytes);

/// A zip archive of stored (not compressed) members without dates: the same members give the same
/// bytes, and any unzip or numpy.load reads them. Throws InvalidArgument beyond 4 GB, where the
/// format's fields end.
SUBSPACE_API std::string to_zip(std::span<const ZipMember> members);

/// The members of an archive that to_zip() wrote. Strict: writing them again must give the very
/// same bytes, so any bit that was flipped, lost or added is found. Throws IoError saying what is
/// wrong.
SUBSPACE_API std::vector<ZipMember> from_zip(std::string_view archive);

}  // namespace subspace
