// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>
#include <subspace/preprocess/normalize.h>

namespace subspace {

struct Preprocessed {
  Matrix points = {};  ///< r x N
  Index num_zero = 0;  ///< columns without a direction, left at zero
};

/// The way from raw to normalised points: centre, project, normalise, each when asked for.
SUBSPACE_API Preprocessed preprocess(const ConstMatrixRef& X, const PreprocessOptions& options,
                                     const Context& context = {});

}  // namespace subspace
