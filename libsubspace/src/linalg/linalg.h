// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include <subspace/core/context.h>
#include <subspace/core/types.h>

/// The private contract with the dense back end: one of the folders blas/ (oneMKL, OpenBLAS) and
/// eigen/ is compiled. All of it runs on the calling thread; parallelism is our own tiles above it.
namespace subspace::linalg {

/// Name and version of the back end, e.g. "oneMKL 2026.2".
std::string backend();

/// C = alpha op(A) op(B) + beta C on raw column-major blocks; op is transposition when asked for.
struct Gemm {
  bool transpose_a = false;
  bool transpose_b = false;
  Index m = 0, n = 0, k = 0;  ///< C is m x n, k is the inner dimension
  const double* a = nullptr;
  Index lda = 0;
  const double* b = nullptr;
  Index ldb = 0;
  double* c = nullptr;
  Index ldc = 0;
  double alpha = 1.0;
  double beta = 0.0;
};
void gemm(const Gemm& call);

/// y = alpha A x + beta y, or with A' when `transpose`; A is m x n.
void gemv(bool transpose, Index m, Index n, double alpha, const double* a, Index lda,
          const double* x, double beta, double* y);

/// B = op(T)^-1 B, or B op(T)^-1 from the right, for the lower triangle T of the order that
/// fits; B is m x n.
struct TriangularSolve {
  bool from_right = false;
  bool transpose = false;
  Index m = 0, n = 0;
  const double* t = nullptr;
  Index ldt = 0;
  double* b = nullptr;
  Index ldb = 0;
};
void triangular_solve(const TriangularSolve& call);

/// A = L L' on the lower triangle of the n x n block at `a`, which then holds L; the upper one is
/// not touched. False when A is not positive definite; the block is then of no use.
bool cholesky_block(double* a, Index n, Index lda);

/// A = Q R with orthonormal Q in the place of A; R is upper triangular. rows >= columns.
void orthonormalize(Matrix& A, Matrix& R);

/// The thin decomposition A = U diag(values) V', singular values descending. Throws NumericalError
/// when the back end fails.
struct Svd {
  Matrix U = {};
  Vector values = {};
  Matrix V = {};
};
Svd svd(Matrix A);

/// Singular values alone, descending, of any A.
Vector singular_values(Matrix A);

/// All eigenpairs of the symmetric A (lower triangle read), ascending. Destroys A, which then holds
/// the eigenvectors. Throws NumericalError when the back end fails.
void symmetric_eigen(Matrix& A, Vector& eigenvalues);

/// B = L^-1 B, or L'^-1 B when `transpose`, with the lower triangle L of a square matrix; B has
/// L.rows() rows, `ldb` apart, and `columns` columns.
void solve_lower(const Matrix& L, bool transpose, double* b, Index ldb, Index columns);

/// The symmetric n x n Gram matrix X'X by parallel tiles, each computed once and mirrored.
Matrix gram(const ConstMatrixRef& X, const Context& context);
/// The same in the first n rows and columns of G.
void fill_gram(const ConstMatrixRef& X, const Context& context, Matrix& G);

/// The symmetric D x D moment matrix X X', likewise.
Matrix moment(const ConstMatrixRef& X, const Context& context);

/// The Cholesky factor of a symmetric A, in its lower triangle, by parallel tiles; false when A is
/// not positive definite. The upper triangle keeps what it had.
bool cholesky(Matrix& A, const Context& context);

/// B = L^-1 B, or L'^-1 B when `transpose`, for the factor of cholesky(), by tiles of columns.
void solve_factor(const Matrix& L, bool transpose, Matrix& B, const Context& context);

/// C = op(A) op(B) by tiles along the longer side of C.
Matrix multiply(const ConstMatrixRef& A, bool transpose_a, const ConstMatrixRef& B,
                bool transpose_b, const Context& context);

}  // namespace subspace::linalg
