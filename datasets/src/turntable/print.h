// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include "turntable/material.h"

namespace subspace::datasets::turntable {

/// What is printed on a carton: `base` ground, a title block in `second` with letters in `third`,
/// an emblem and lines of small print. Each face has its own layout.
Vec3 carton_print(const Material& material, const SurfacePoint& point);

/// The same on a paper around the w axis; the relative height decides what is paper.
Vec3 wrapper_print(const Material& material, const SurfacePoint& point);

}  // namespace subspace::datasets::turntable
