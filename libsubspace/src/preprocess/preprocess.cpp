// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/preprocess/preprocess.h>

#include <algorithm>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/preprocess/pca.h>

#include "linalg/sizes.h"

namespace subspace {

Preprocessed preprocess(const ConstMatrixRef& X, const PreprocessOptions& options,
                        const Context& context) {
  PreprocessOptions checked = options;
  check(describe(checked), "preprocess");
  const Index most = std::min(X.rows(), X.cols());
  if (options.pca > most) {
    throw DataError(message("preprocess: pca = ", options.pca, ", must satisfy pca <= ", most,
                            ", the smaller of ", X.rows(), " features and ", X.cols(), " samples"));
  }
  Preprocessed result;
  if (options.pca > 0) {
    result.points = project(fit_pca(X, options.pca, options.center, context), X);
  } else {
    check_memory("preprocess", matrix_bytes(2.0, X.rows(), X.cols()), allowed_memory(context),
                 "the points are copied; give fewer samples or features");
    result.points = X;
    if (options.center) center_columns(result.points);
  }
  if (options.normalization == Normalization::kUnitColumns) {
    result.num_zero = normalize_columns(result.points);
  }
  return result;
}

}  // namespace subspace
