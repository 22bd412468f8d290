// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>

namespace subspace::pipelines {

/// Multiply-adds a second of a matrix product in double on the context's threads. Measured once, in
/// some hundredths of a second.
double multiply_adds_per_second(const Context& context);

}  // namespace subspace::pipelines
