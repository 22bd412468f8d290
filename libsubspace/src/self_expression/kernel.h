// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/self_expression/kssc.h>

namespace subspace {

/// Entries of a kernel matrix, made from products of points. The Gaussian looks at centred points:
/// its distances do not change and lose fewer digits.
class KernelSource {
 public:
  /// The options are in range, the points finite.
  KernelSource(const ConstMatrixRef& X, const KernelOptions& options);
  Index num_points() const { return points_.cols(); }

  Matrix matrix(const Context& context) const;
  void column(Index j, double* values) const;
  Vector diagonal() const;

 private:
  double value(double product, Index i, Index j) const;
  void map_column(Index j, double* products) const;

  KernelOptions options_;
  double sigma_ = 1.0;
  Matrix points_ = {};
  Vector squared_norms_ = {};
};

/// F with at most `rank` rows such that F'F is near K: pivoted Cholesky takes the point whose
/// diagonal entry is explained worst, the lowest index among equals, until all are explained.
/// The diagonal of K must be finite, and so is all of K then.
Matrix pivoted_cholesky(const KernelSource& source, Index rank, const Context& context);

}  // namespace subspace
