// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "linalg/linalg.h"

#ifdef SUBSPACE_BLAS_MKL
#include <mkl.h>
#else
#include <cblas.h>
#include <lapacke.h>
#endif

#include <algorithm>

#include <subspace/core/error.h>

namespace subspace::linalg {
namespace {

#ifdef SUBSPACE_BLAS_MKL
using BlasInt = MKL_INT;

/// Otherwise MKL chooses its path by the alignment of the arrays, and the last bits of equal calls
/// differ.
const bool kReproducible = [] {
  mkl_cbwr_set(MKL_CBWR_AUTO);
  return true;
}();
#else
using BlasInt = blasint;

/// OpenBLAS has threads of its own; ours are above it.
const bool kSingleThreaded = [] {
  openblas_set_num_threads(1);
  return true;
}();
#endif

BlasInt blas_int(Index value) { return static_cast<BlasInt>(value); }
CBLAS_TRANSPOSE blas_op(bool transpose) { return transpose ? CblasTrans : CblasNoTrans; }
int lapack_int_of(Index value) { return static_cast<int>(value); }

void require_success(const char* function, const char* routine, int status, const Matrix& A) {
  if (status == 0) return;
  throw NumericalError(message(function, ": LAPACK ", routine, " returned ", status, " on a ",
                               A.rows(), " x ", A.cols(), " matrix"));
}

}  // namespace

std::string backend() {
#ifdef SUBSPACE_BLAS_MKL
  return message("oneMKL ", __INTEL_MKL__, ".", __INTEL_MKL_UPDATE__, " sequential");
#else
  return message(openblas_get_config());
#endif
}

void gemm(const Gemm& call) {
  if (call.m == 0 || call.n == 0) return;
  cblas_dgemm(CblasColMajor, blas_op(call.transpose_a), blas_op(call.transpose_b), blas_int(call.m),
              blas_int(call.n), blas_int(call.k), call.alpha, call.a, blas_int(call.lda), call.b,
              blas_int(call.ldb), call.beta, call.c, blas_int(call.ldc));
}

void gemv(bool transpose, Index m, Index n, double alpha, const double* a, Index lda,
          const double* x, double beta, double* y) {
  if (m == 0 || n == 0) return;
  cblas_dgemv(CblasColMajor, blas_op(transpose), blas_int(m), blas_int(n), alpha, a, blas_int(lda),
              x, 1, beta, y, 1);
}

void triangular_solve(const TriangularSolve& call) {
  if (call.m == 0 || call.n == 0) return;
  cblas_dtrsm(CblasColMajor, call.from_right ? CblasRight : CblasLeft, CblasLower,
              blas_op(call.transpose), CblasNonUnit, blas_int(call.m), blas_int(call.n), 1.0,
              call.t, blas_int(call.ldt), call.b, blas_int(call.ldb));
}

bool cholesky_block(double* a, Index n, Index lda) {
  return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', lapack_int_of(n), a, lapack_int_of(lda)) == 0;
}

void orthonormalize(Matrix& A, Matrix& R) {
  const int rows = lapack_int_of(A.rows());
  const int columns = lapack_int_of(A.cols());
  Vector scales(columns);
  require_success("orthonormalize", "dgeqrf",
                  LAPACKE_dgeqrf(LAPACK_COL_MAJOR, rows, columns, A.data(), rows, scales.data()),
                  A);
  R = A.topRows(columns).triangularView<Eigen::Upper>();
  require_success(
      "orthonormalize", "dorgqr",
      LAPACKE_dorgqr(LAPACK_COL_MAJOR, rows, columns, columns, A.data(), rows, scales.data()), A);
}

Svd svd(Matrix A) {
  const int rows = lapack_int_of(A.rows());
  const int columns = lapack_int_of(A.cols());
  const int rank = std::min(rows, columns);
  Svd result{.U = Matrix(rows, rank), .values = Vector(rank), .V = {}};
  Matrix transposed(rank, columns);
  require_success(
      "svd", "dgesdd",
      LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', rows, columns, A.data(), rows, result.values.data(),
                     result.U.data(), rows, transposed.data(), rank),
      A);
  result.V = transposed.transpose();
  return result;
}

Vector singular_values(Matrix A) {
  Vector values(std::min(A.rows(), A.cols()));
  const int rows = lapack_int_of(A.rows());
  require_success("singular_values", "dgesdd",
                  LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', rows, lapack_int_of(A.cols()), A.data(),
                                 rows, values.data(), nullptr, 1, nullptr, 1),
                  A);
  return values;
}

void symmetric_eigen(Matrix& A, Vector& eigenvalues) {
  eigenvalues.resize(A.rows());
  require_success("symmetric_eigen", "dsyevd",
                  LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', lapack_int_of(A.rows()), A.data(),
                                 lapack_int_of(A.outerStride()), eigenvalues.data()),
                  A);
}

void solve_lower(const Matrix& L, bool transpose, double* b, Index ldb, Index columns) {
  if (L.rows() == 0 || columns == 0) return;
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, blas_op(transpose), CblasNonUnit,
              blas_int(L.rows()), blas_int(columns), 1.0, L.data(), blas_int(L.outerStride()), b,
              blas_int(ldb));
}

}  // namespace subspace::linalg
