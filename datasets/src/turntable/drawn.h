// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include "turntable/part.h"

namespace subspace::datasets::turntable {

/// An object of a random family in a random style.
Object drawn_object(int number, std::uint64_t seed);

}  // namespace subspace::datasets::turntable
