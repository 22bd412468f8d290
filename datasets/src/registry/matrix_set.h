// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>

#include "registry/locate.h"

namespace subspace::datasets {

/// Pictures of a .mat, which keeps them column by column: turned to rows, checked against the range
/// that the layout promises, divided by its white. 8-bit ones can be brought to another size.
PointSet read_matrix_points(const Located& located, const std::string& shown_as,
                            const LoadOptions& options, const Context& context);

}  // namespace subspace::datasets
