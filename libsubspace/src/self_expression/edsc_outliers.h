// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/self_expression/edsc.h>

namespace subspace {

/// Data, clean points, errors, multiplier and three temporaries; I - C, its moment and factor, C.
double edsc_outlier_bytes(Index dimension, Index num_points);

/// EDSC with sparse gross errors, see edsc.h; the options and X are valid.
DenseSelfExpression edsc_with_outliers(const ConstMatrixRef& X, const EdscOptions& options,
                                       const Context& context);

}  // namespace subspace
