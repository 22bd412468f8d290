// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include <subspace/core/export.h>

namespace subspace {

/// Name and version of the dense linear algebra inside this build, e.g. "oneMKL 2026.2 sequential".
SUBSPACE_API std::string backend_name();

/// Multiply-adds a second of a matrix product on one thread, measured now in some hundredths of a
/// second of processor time: the best of a few, for what else the machine does shares its caches.
SUBSPACE_API double measure_product_speed();

}  // namespace subspace
