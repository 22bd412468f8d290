// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <string>

#include "arrays/array.h"
#include "io/mapped_file.h"

namespace subspace::datasets {

/// Reads the header of a .npy (versions 1 to 3) and checks that the array fills exactly
/// `total_bytes`, header included. Types that are not numbers come back as a non-numeric variable.
ArrayHeader read_npy_header(ByteStream& stream, const std::string& name, std::uint64_t total_bytes);

OpenArray open_npy(const MappedFile& file);

}  // namespace subspace::datasets
