// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include "turntable/vec3.h"

namespace subspace::datasets::turntable {

/// A well mixed function of up to three numbers.
std::uint32_t hash(std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0);

/// hash() as a number in [0, 1).
double hash_unit(std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0);

/// Smooth noise in [0, 1]: random values at the integer points, blended in between.
double value_noise(const Vec3& p, std::uint32_t seed);

/// Two octaves of value_noise().
double rough_noise(const Vec3& p, std::uint32_t seed);

}  // namespace subspace::datasets::turntable
