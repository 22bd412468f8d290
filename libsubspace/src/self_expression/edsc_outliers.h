// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/self_expression/edsc.h>

namespace subspace {

/// EDSC with sparse gross errors, see edsc.h; the options and X are valid.
DenseSelfExpression edsc_with_outliers(const ConstMatrixRef& X, const EdscOptions& options,
                                       const Context& context);

}  // namespace subspace
