// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include <subspace/core/types.h>
#include <subspace/preprocess/normalize.h>

namespace subspace::testing {

/// argmin_c |x - A c|^2 + lambda |c|^2 by the normal equations.
inline Vector ridge(const Matrix& A, const Vector& x, double lambda) {
  Matrix H = A.transpose() * A;
  H.diagonal().array() += lambda;
  return H.ldlt().solve(A.transpose() * x);
}

/// Points that every method must survive, with a name for the message.
struct DegenerateCase {
  const char* name;
  Matrix points;
};
inline std::vector<DegenerateCase> degenerate_cases() {
  std::vector<DegenerateCase> cases;
  const Matrix base = Matrix::Random(3, 7);
  cases.push_back({"all zero", Matrix::Zero(4, 6)});
  cases.push_back({"one zero point", Matrix::Zero(1, 1)});
  cases.push_back({"one point", Matrix::Constant(3, 1, 0.3)});
  cases.push_back({"two equal points", Matrix::Constant(3, 2, 0.3)});
  cases.push_back({"constant", Matrix::Constant(5, 40, 0.1)});
  cases.push_back({"one feature", Matrix::Random(1, 20)});
  cases.push_back({"many features", Matrix::Random(100, 3)});
  cases.push_back({"rank one", Vector(Vector::Random(6)) * Vector(Vector::Random(9)).transpose()});
  cases.push_back({"tiny", 1e-150 * base});
  cases.push_back({"huge", 1e150 * base});
  Matrix mixed = base;
  mixed.col(2).setZero();
  mixed.col(4) = mixed.col(1);
  mixed.col(5) = -mixed.col(1);
  cases.push_back({"zero, equal and opposite points", mixed});
  mixed.col(0) *= 1e120;
  mixed.col(1) *= 1e-120;
  cases.push_back({"very different lengths", mixed});
  return cases;
}

}  // namespace subspace::testing
