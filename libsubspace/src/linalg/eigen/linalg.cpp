// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "linalg/linalg.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <subspace/core/error.h>

namespace subspace::linalg {
namespace {

using ConstBlock = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;
using Block = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>;

template <typename A, typename B>
void accumulate(Block& C, double alpha, const A& a, const B& b) {
  C.noalias() += alpha * (a * b);
}

}  // namespace

std::string backend() {
  return message("Eigen ", EIGEN_WORLD_VERSION, ".", EIGEN_MAJOR_VERSION, ".", EIGEN_MINOR_VERSION);
}

void gemm(const Gemm& call) {
  const ConstBlock a(call.a, call.transpose_a ? call.k : call.m, call.transpose_a ? call.m : call.k,
                     Eigen::OuterStride<>(call.lda));
  const ConstBlock b(call.b, call.transpose_b ? call.n : call.k, call.transpose_b ? call.k : call.n,
                     Eigen::OuterStride<>(call.ldb));
  Block c(call.c, call.m, call.n, Eigen::OuterStride<>(call.ldc));
  if (call.beta == 0.0) {
    c.setZero();
  } else if (call.beta != 1.0) {
    c *= call.beta;
  }
  if (call.transpose_a && call.transpose_b) {
    accumulate(c, call.alpha, a.transpose(), b.transpose());
  } else if (call.transpose_a) {
    accumulate(c, call.alpha, a.transpose(), b);
  } else if (call.transpose_b) {
    accumulate(c, call.alpha, a, b.transpose());
  } else {
    accumulate(c, call.alpha, a, b);
  }
}

void gemv(bool transpose, Index m, Index n, double alpha, const double* a, Index lda,
          const double* x, double beta, double* y) {
  const ConstBlock A(a, m, n, Eigen::OuterStride<>(lda));
  const Eigen::Map<const Vector> in(x, transpose ? m : n);
  Eigen::Map<Vector> out(y, transpose ? n : m);
  if (beta == 0.0) {
    out.setZero();
  } else if (beta != 1.0) {
    out *= beta;
  }
  if (transpose) {
    out.noalias() += alpha * (A.transpose() * in);
  } else {
    out.noalias() += alpha * (A * in);
  }
}

void symmetric_eigen(Matrix& A, Vector& eigenvalues) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(A);
  if (solver.info() != Eigen::Success) {
    throw NumericalError(
        message("symmetric_eigen: no convergence on a ", A.rows(), " x ", A.cols(), " matrix"));
  }
  eigenvalues = solver.eigenvalues();
  A = solver.eigenvectors();
}

void cholesky(Matrix& A) {
  const Eigen::LLT<Eigen::Ref<Matrix>> factor(A);  // in place
  if (factor.info() != Eigen::Success) {
    throw NumericalError(
        message("cholesky: a ", A.rows(), " x ", A.cols(), " matrix is not positive definite"));
  }
}

void solve_lower(const Matrix& L, bool transpose, double* b, Index ldb, Index columns) {
  Block B(b, L.rows(), columns, Eigen::OuterStride<>(ldb));
  if (transpose) {
    L.triangularView<Eigen::Lower>().transpose().solveInPlace(B);
  } else {
    L.triangularView<Eigen::Lower>().solveInPlace(B);
  }
}

}  // namespace subspace::linalg
