// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/random.h>
#include <subspace/neural/augmentation.h>

namespace subspace::neural::detail {

/// The numbers of one stage for one view of one image, in lanes that do not share any. Counter and
/// key of Philox have room for a seed and two numbers, so seed, step, view and lane are first mixed
/// into a seed of their own.
inline RandomStream view_stream(const ViewKey& key, Stream stage, std::uint32_t image,
                                std::uint32_t lane = 0) {
  const auto number = static_cast<std::uint32_t>(stage);
  const auto low = static_cast<std::uint32_t>(key.seed);
  const auto high = static_cast<std::uint32_t>(key.seed >> 32);
  const auto mixed = RandomStream::block({key.step, key.view, number, lane}, {low, high});
  return RandomStream((std::uint64_t{mixed[1]} << 32) | mixed[0], number, image);
}

}  // namespace subspace::neural::detail
