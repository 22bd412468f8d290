// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <vector>

#include <subspace/core/export.h>
#include <subspace/core/types.h>

namespace subspace::neural {

/// Whether a step that takes all images takes them as they come or in an order of its own.
enum class WholeSetOrder { kAsGiven, kMixed };

/// The images of a step: all of them, or a batch of the epoch's permutation. A function of its
/// arguments alone.
SUBSPACE_API std::vector<Index> images_of_step(Index num_images, int batch, std::uint64_t seed,
                                               std::int64_t step,
                                               WholeSetOrder order = WholeSetOrder::kAsGiven);

}  // namespace subspace::neural
