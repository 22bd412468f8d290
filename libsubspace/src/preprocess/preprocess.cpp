// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/preprocess/preprocess.h>

#include <algorithm>
#include <utility>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/preprocess/pca.h>

#include "preprocess/mean.h"
#include "preprocess/preprocess_bytes.h"

namespace subspace {
namespace {

void append_row(Matrix& points, double value) {
  Matrix longer(points.rows() + 1, points.cols());
  longer.topRows(points.rows()) = points;
  longer.bottomRows(1).setConstant(value);
  points = std::move(longer);
}

}  // namespace

Preprocessor fit_preprocessor(const ConstMatrixRef& X, const PreprocessOptions& options,
                              const Context& context) {
  PreprocessOptions checked = options;
  check(describe(checked), "preprocess");
  const Index most = std::min(X.rows(), X.cols());
  if (options.pca > most) {
    throw DataError(message("preprocess: pca = ", options.pca, ", must satisfy pca <= ", most,
                            ", the smaller of ", X.rows(), " features and ", X.cols(), " samples"));
  }
  Preprocessor made{.dimension = X.rows(),
                    .normalization = options.normalization,
                    .appended = options.append_one};
  if (options.pca > 0) {
    Pca pca = fit_pca(X, options.pca, options.center, context);
    made.basis = std::move(pca.basis);
    if (options.center) made.mean = std::move(pca.mean);
  } else if (options.center && X.cols() > 0) {
    made.mean = mean_column(X);
  }
  return made;
}

Preprocessed apply(const Preprocessor& preprocessor, const ConstMatrixRef& X,
                   const Context& context) {
  if (X.rows() != preprocessor.dimension) {
    throw DataError(message("preprocess: points have ", X.rows(), " features, must have ",
                            preprocessor.dimension));
  }
  check_memory("preprocess", apply_bytes(preprocessor, X.cols()), allowed_memory(context),
               "the points are copied; give fewer samples or features");
  Preprocessed result;
  if (preprocessor.basis.cols() > 0) {
    const bool centered = preprocessor.mean.size() > 0;
    result.points = project({.basis = preprocessor.basis,
                             .mean = centered ? preprocessor.mean : Vector(Vector::Zero(X.rows()))},
                            X);
  } else {
    result.points = X;
    if (preprocessor.mean.size() > 0) result.points.colwise() -= preprocessor.mean;
  }
  if (preprocessor.appended != 0.0) append_row(result.points, preprocessor.appended);
  if (preprocessor.normalization == Normalization::kUnitColumns) {
    result.num_zero = normalize_columns(result.points);
  }
  return result;
}

Preprocessed preprocess(const ConstMatrixRef& X, const PreprocessOptions& options,
                        const Context& context) {
  return apply(fit_preprocessor(X, options, context), X, context);
}

}  // namespace subspace
