// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "linalg/linalg.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

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

void triangular_solve(const TriangularSolve& call) {
  const Index order = call.from_right ? call.n : call.m;
  const ConstBlock t(call.t, order, order, Eigen::OuterStride<>(call.ldt));
  Block b(call.b, call.m, call.n, Eigen::OuterStride<>(call.ldb));
  const auto lower = t.triangularView<Eigen::Lower>();
  const auto upper = t.transpose().triangularView<Eigen::Upper>();
  if (call.from_right && call.transpose) {
    upper.solveInPlace<Eigen::OnTheRight>(b);
  } else if (call.from_right) {
    lower.solveInPlace<Eigen::OnTheRight>(b);
  } else if (call.transpose) {
    upper.solveInPlace(b);
  } else {
    lower.solveInPlace(b);
  }
}

bool cholesky_block(double* a, Index n, Index lda) {
  Block A(a, n, n, Eigen::OuterStride<>(lda));
  const Eigen::LLT<Matrix, Eigen::Lower> factor(A);
  if (factor.info() != Eigen::Success) return false;
  // Eigen asks whether a pivot is <= 0, which one that is not a number is not.
  if (!(factor.matrixLLT().diagonal().array() > 0.0).all()) return false;
  A.triangularView<Eigen::Lower>() = factor.matrixL();
  return true;
}

void orthonormalize(Matrix& A, Matrix& R) {
  const Eigen::HouseholderQR<Matrix> qr(A);
  R = qr.matrixQR().topRows(A.cols()).triangularView<Eigen::Upper>();
  A = qr.householderQ() * Matrix::Identity(A.rows(), A.cols());
}

Svd svd(Matrix A) {
  const Eigen::BDCSVD<Matrix> solver(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {solver.matrixU(), solver.singularValues(), solver.matrixV()};
}

Vector singular_values(Matrix A) { return Eigen::BDCSVD<Matrix>(A).singularValues(); }

void symmetric_eigen(Matrix& A, Vector& eigenvalues) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(A);
  if (solver.info() != Eigen::Success) {
    throw NumericalError(
        message("symmetric_eigen: no convergence on a ", A.rows(), " x ", A.cols(), " matrix"));
  }
  eigenvalues = solver.eigenvalues();
  A = solver.eigenvectors();
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
