// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>
#include <subspace/preprocess/normalize.h>

namespace subspace {

/// The way from raw to normalised points, once it is known: x -> basis'(x - mean), a coordinate
/// more where one is appended, then its length.
struct Preprocessor {
  Index dimension = 0;  ///< of raw points
  Vector mean = {};     ///< empty: nothing is subtracted
  Matrix basis = {};    ///< orthonormal columns; empty: no projection
  Normalization normalization = Normalization::kUnitColumns;
  double appended = 0.0;  ///< value of the further coordinate; 0: there is none
  /// Of points that went this way.
  Index output_dimension() const {
    return (basis.cols() > 0 ? basis.cols() : dimension) + (appended != 0.0 ? 1 : 0);
  }
};

struct Preprocessed {
  Matrix points = {};  ///< r x N
  Index num_zero = 0;  ///< columns without a direction, left at zero
};

/// Learns mean and principal directions of the points, where the options ask for them.
SUBSPACE_API Preprocessor fit_preprocessor(const ConstMatrixRef& X,
                                           const PreprocessOptions& options,
                                           const Context& context = {});
/// Takes points the same way as those it was made from. Throws DataError when they have another
/// number of features.
SUBSPACE_API Preprocessed apply(const Preprocessor& preprocessor, const ConstMatrixRef& X,
                                const Context& context = {});

/// Both in one: centre, project, append, normalise, each when asked for.
SUBSPACE_API Preprocessed preprocess(const ConstMatrixRef& X, const PreprocessOptions& options,
                                     const Context& context = {});

}  // namespace subspace
