// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include "turntable/part.h"

namespace subspace::datasets::turntable {

/// Object 0 .. kDesigned - 1. As in COIL-20, some are near relatives: three cars, two cups, two
/// cartons, two tubs, two wooden buildings.
Object designed_object(int number);

}  // namespace subspace::datasets::turntable
