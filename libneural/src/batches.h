// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <vector>

#include <subspace/core/export.h>
#include <subspace/core/types.h>

namespace subspace::neural {

/// The images of a step: all of them in order, or a batch of the epoch's permutation. A function of
/// its arguments alone.
SUBSPACE_API std::vector<Index> images_of_step(Index num_images, int batch, std::uint64_t seed,
                                               std::int64_t step);

}  // namespace subspace::neural
