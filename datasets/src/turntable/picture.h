// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <span>

#include "turntable/shade.h"

namespace subspace::datasets::turntable {

/// Takes one picture: size x size bytes of grey, or three such planes of red, green and blue.
/// `grain` seeds the noise of the sensor.
void take_picture(const Scene& scene, double turns, int size, bool color, std::uint32_t grain,
                  std::span<std::uint8_t> values);

}  // namespace subspace::datasets::turntable
