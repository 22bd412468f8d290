// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/types.h>

namespace subspace::linalg {

/// Solves with a symmetric positive definite K that gains and loses rows. What is kept is the
/// inverse M = L^-1 of the Cholesky factor K = L L': every operation is then a product with a
/// triangle, without the chain of divisions of a substitution. Appending costs O(p^2), removing row
/// i O((p - i) p); nothing is allocated once the capacity has been met before.
class GrowingFactor {
 public:
  Index size() const { return size_; }
  void clear() { size_ = 0; }

  /// Looks at a further row (k_1 .. k_p, diagonal) of K; `row` holds k_1 .. k_p. False when its
  /// pivot is not above `threshold` times the diagonal: the row depends on the others.
  bool try_row(const double* row, double diagonal, double threshold);
  /// The last entry of L^-1 (r, value) if the row tried last were appended, given y = L^-1 r.
  double reduce(const double* y, double value) const;
  /// Appends the row tried last.
  void append_tried();

  /// Removes row and column `position` of K; later ones move up by one.
  void remove(Index position);

  /// y = L^-1 r
  void solve_forward(const double* r, double* y);
  /// x = L^-T y; with solve_forward, x = K^-1 r.
  void solve_backward(const double* y, double* x);

 private:
  double* row(Index i) { return inverse_.data() + i * stride_; }
  const double* row(Index i) const { return inverse_.data() + i * stride_; }
  void reserve(Index size);
  /// A copy of the first size_ entries, padded with zeros.
  const double* pad(const double* x);

  Index size_ = 0;
  Index stride_ = 0;
  std::vector<double> inverse_;  // M by rows, zero above the diagonal
  std::vector<double> padded_;
  std::vector<double> tried_;  // L^-1 (k_1 .. k_p)
  std::vector<double> result_;
  double tried_pivot_ = 0.0;
};

}  // namespace subspace::linalg
