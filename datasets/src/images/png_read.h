// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/datasets/image.h>

namespace subspace::datasets {

/// One decoded picture.
struct Picture {
  ImageShape shape = {};
  std::vector<std::uint8_t> values = {};  ///< in the order of ImageShape
};

/// Decodes a .png of grey, palette or RGB pixels of at most 8 bits, with its stored numbers: no
/// gamma, no colour profile. An alpha channel must be opaque throughout. Throws IoError that starts
/// with `origin`; ResourceError, before it allocates, if the picture takes more memory than the
/// context allows.
Picture decode_png(const std::string& origin, std::span<const std::byte> bytes,
                   const Context& context);

}  // namespace subspace::datasets
