// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include "fuzz/input.h"
#include "images/picture_stacks.h"

namespace subspace::datasets::fuzz {

/// A file of 8-bit pictures as they are, and brought to another size by blocks and by the filter.
inline void read_pictures(Bytes bytes, Format format) {
  succeeds([&] {
    const InputFile input(bytes);
    if (!is_picture_file(input.file(), format)) return;
    const LoadOptions as_stored = {.color = true};
    const LoadOptions halved = {.image_size = ImageSize{16, 16}};
    const LoadOptions filtered = {.image_size = ImageSize{5, 7}, .color = true};
    for (const LoadOptions& options : {as_stored, halved, filtered}) {
      succeeds([&] {
        require_sound(load_picture_stack(input.file(), format, options, small_context()), false);
      });
    }
  });
}

}  // namespace subspace::datasets::fuzz
