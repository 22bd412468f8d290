// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/preprocess/normalize.h>

#include <cmath>

#include <subspace/core/error.h>

#include "preprocess/mean.h"

namespace subspace {
namespace {

/// Zero times a finite number is zero and times NaN or Inf is NaN, so one vectorised sum tells.
bool all_finite(const Eigen::Ref<const Vector>& x) { return (x.array() * 0.0).sum() == 0.0; }

Index first_non_finite(const Eigen::Ref<const Vector>& x) {
  Index i = 0;
  while (std::isfinite(x[i])) ++i;
  return i;
}

/// Multiplies by a power of two, which is exact, so that the largest magnitude lies in [1/2, 1).
void scale_to_unit_magnitude(Eigen::Ref<Vector> x, double largest) {
  int exponent = 0;
  std::frexp(largest, &exponent);
  for (double& value : x) value = std::ldexp(value, -exponent);
}

/// False when x is zero.
bool normalize(Eigen::Ref<Vector> x) {
  // Between these bounds no square that counts overflows or underflows.
  constexpr double kSafeLow = 1e-280;
  constexpr double kSafeHigh = 1e280;
  const double squared = x.squaredNorm();
  if (squared > kSafeLow && squared < kSafeHigh) {
    x /= std::sqrt(squared);
    return true;
  }
  const double largest = x.cwiseAbs().maxCoeff();
  if (largest == 0.0) return false;
  scale_to_unit_magnitude(x, largest);
  x /= x.norm();
  return true;
}

}  // namespace

Parameters describe(PreprocessOptions& options) {
  return {
      parameter("center", options.center, "subtract the mean point first"),
      choice("normalization", options.normalization,
             {{"none", Normalization::kNone}, {"unit-columns", Normalization::kUnitColumns}},
             "what happens to the length of each point"),
      parameter("pca", options.pca, "principal dimensions kept before normalising; 0: all")
          .at_least(0),
      parameter(
          "append_one", options.append_one,
          "value of a coordinate appended to every point before normalising: affine subspaces "
          "become linear; 0: none")
          .at_least(0.0),
  };
}

void require_finite(const ConstMatrixRef& X, const std::string& function) {
  if (X.size() == 0) {
    throw DataError(message(function, ": the data has ", X.cols(), " samples and ", X.rows(),
                            " features, must have at least one of each"));
  }
  for (Index j = 0; j < X.cols(); ++j) {
    if (all_finite(X.col(j))) continue;
    const Index i = first_non_finite(X.col(j));
    throw DataError(message(function, ": sample ", j, ", feature ", i, " (counted from 0) is ",
                            std::isnan(X(i, j)) ? "nan" : (X(i, j) > 0.0 ? "inf" : "-inf"),
                            "; all values must be finite"));
  }
}

Index normalize_columns(Matrix& X) {
  if (X.rows() == 0) return X.cols();
  Index num_zero = 0;
  for (Index j = 0; j < X.cols(); ++j) {
    if (!normalize(X.col(j))) ++num_zero;
  }
  return num_zero;
}

void center_columns(Matrix& X) {
  if (X.size() == 0) return;
  const Vector mean = mean_column(X);
  X.colwise() -= mean;
}

}  // namespace subspace
