// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include <subspace/core/export.h>

namespace subspace {

/// Name and version of the dense linear algebra inside this build, e.g. "oneMKL 2026.2 sequential".
SUBSPACE_API std::string backend_name();

/// Multiply-adds a second of a matrix product on one thread, measured now in some hundredths of a
/// second: the best of a few, for the machine may be busy with something else for a moment.
SUBSPACE_API double measure_product_speed();

}  // namespace subspace
