// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/random.h>
#include <subspace/neural/augmentation.h>

namespace subspace::neural {

/// Independent streams of one view of one image.
enum class Lane : std::uint32_t { kFirst, kLater, kPoint };
RandomStream stream_of(const ViewKey& key, std::uint32_t image, Lane lane);

/// Taps of the blur's kernel, an odd number.
int num_taps(const AugmentationOptions& options, const ImageShape& shape);

}  // namespace subspace::neural
