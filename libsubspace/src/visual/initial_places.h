// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include <subspace/core/types.h>

namespace subspace {

/// Where the points of a map start: 2 x N, along the two leading principal directions of X, with
/// standard deviation 1e-4 along the first, and a small step of its own for every point, so that
/// duplicates can part. Data without spread have those steps alone.
Matrix initial_places(const ConstMatrixRef& X, std::uint64_t seed);

}  // namespace subspace
