// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/self_expression/omp.h>

namespace subspace {

/// One point's way through orthogonal matching pursuit: what was taken, the Cholesky factor L of
/// its Gram matrix, row by row, and y = L^-1 (inner products with the point). In terms of the
/// orthonormal directions d_1, d_2, .. that Gram-Schmidt makes of the support, L_kl = d_l'x_k and
/// y_k = d_k'x_j, so that |r|^2 falls by y_k^2. How these inner products come about is left to the
/// caller:
///     start(...);
///     while (choose(correlations)) { fill row(); if (enter(...)) update the correlations; }
class OmpPath {
 public:
  /// `squared_lengths` of all points outlives the path.
  void start(int point, const Vector& squared_lengths, const OmpOptions& options, Index most);
  int point() const { return point_; }
  Index size() const { return static_cast<Index>(support_.size()); }

  /// Neither the number of points nor the residual allows another one.
  bool is_finished() const;
  /// Picks the point of the largest correlation that is still allowed; false at the end of the
  /// path. Sets the correlations of all others that must not be taken to zero.
  bool choose(double* correlations);
  int chosen() const { return chosen_; }
  /// To be filled with the inner products of the chosen point and the size() directions so far.
  std::vector<double>& row() { return row_; }
  /// Takes the chosen point, whose part orthogonal to the directions has this squared length and
  /// this inner product with r. False, and nothing taken, when that part is rounding.
  bool enter(double squared_pivot, double correlation);

  /// L_kk and y_k of the point taken last.
  double pivot() const { return factor_.back(); }
  double reduced() const { return reduced_.back(); }

  const std::vector<int>& support() const { return support_; }
  std::vector<double>& coefficients() { return coefficients_; }
  /// coefficients = L^-T y, the fit of least squares.
  void solve();
  /// Adds (L L')^-1 t to the coefficients, t being the inner products of the support with what is
  /// left: a step of iterative refinement. Destroys t.
  void refine(std::vector<double>& t);

 private:
  double entry(Index row, Index column) const {
    return factor_[static_cast<std::size_t>(row * (row + 1) / 2 + column)];
  }
  void solve_backward(std::vector<double>& x) const;

  const Vector* squared_lengths_ = nullptr;
  int point_ = 0;
  int chosen_ = 0;
  Index most_ = 0;
  double squared_residual_ = 0.0;
  double squared_tolerance_ = 0.0;
  std::vector<int> support_;
  std::vector<int> dependent_;  // passed over
  std::vector<double> row_;
  std::vector<double> factor_;   // rows of L, one behind the other
  std::vector<double> reduced_;  // y
  std::vector<double> coefficients_;
};

}  // namespace subspace
