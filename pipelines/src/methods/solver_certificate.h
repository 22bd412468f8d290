// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/pipelines/outcome.h>

namespace subspace::pipelines {

/// What the coefficients are worth: the residual under the name of what it is for this method,
/// solver and outcome, beside the tolerance it was held against. Where a solver stops by something
/// else, that and its own tolerance follow, and the residual stands alone. Nothing for neighbour
/// graphs.
NamedValues solver_certificate(const Method& method, const Representation& representation);

}  // namespace subspace::pipelines
