// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include "turntable/part.h"

namespace subspace::datasets::turntable {

inline constexpr int kDesigned = 20;  ///< objects designed one by one

/// Object `number` of the collection. The first kDesigned are the same for every seed; the others
/// are drawn from the families by (seed, number) alone.
Object catalogue_object(int number, std::uint64_t seed);

}  // namespace subspace::datasets::turntable
