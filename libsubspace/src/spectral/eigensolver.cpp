// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "spectral/eigensolver.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <subspace/core/memory.h>

#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "spectral/embedding_bytes.h"
#include "spectral/krylov.h"
#include "spectral/laplacian.h"

namespace subspace {
namespace {

constexpr Index kDenseOrder = 200;       ///< up to here the dense solver is the fastest
constexpr Index kLastDenseOrder = 8000;  ///< up to here it may take over from a failed Lanczos run

double residual(const SparseMatrix& A, const EigenPairs& pairs, const Context& context) {
  const Matrix products = symmetric_products(A, pairs.vectors, context);
  double largest = 0.0;
  for (Index p = 0; p < pairs.values.size(); ++p) {
    largest = std::max(largest, (products.col(p) - pairs.values[p] * pairs.vectors.col(p)).norm());
  }
  return largest;
}

/// Leading pairs of A - 4 k k': the kernel k now has eigenvalue -3, all other pairs stay in [-1,
/// 1].
EigenPairs dense_pairs(const SparseMatrix& A, const Vector& kernel, Index count) {
  Matrix shifted = Matrix(A) - 4.0 * kernel * kernel.transpose();
  EigenPairs pairs;
  linalg::symmetric_eigen(shifted, pairs.values);
  pairs.values = pairs.values.tail(count).reverse().eval();
  pairs.vectors = shifted.rightCols(count).rowwise().reverse();
  pairs.dense = true;
  return pairs;
}

/// The matrix and the workspace of the eigensolver, which is up to three times its size.
double dense_bytes(Index n) { return matrix_bytes(4.0, n, n); }

bool dense_fits(Index n, const Context& context) {
  return n <= kLastDenseOrder && dense_bytes(n) <= allowed_memory(context);
}

/// Small orders, and requests for a large share of the spectrum.
bool starts_dense(Index n, Index count, const Context& context) {
  return n <= kDenseOrder || (5 * count > n && dense_fits(n, context));
}

/// More pairs are better than fewer, then small residuals than large ones.
bool is_better(const EigenPairs& a, double a_residual, const EigenPairs& b, double b_residual) {
  return a.values.size() != b.values.size() ? a.values.size() > b.values.size()
                                            : a_residual < b_residual;
}

enum class Rung { kCheapInverse, kProduct, kInverse, kWideProduct };

/// Measured on neighbour graphs of 1000 to 10000 points: factors of graphs along curves and
/// surfaces, whose eigenvalues crowd at 1, take up to 1000 flops a vertex and make Lanczos 3 to 30
/// times faster. Graphs that mix well (neighbours in many dimensions, sparse representations) take
/// 10^4 to 10^7, and plain Lanczos is faster there. A graph of more neighbours than this is not
/// worth the analysis.
constexpr double kCheapFlopsPerVertex = 5e3;
constexpr double kCheapNonZerosPerVertex = 24.0;
constexpr double kMostFlops = 2e10;

/// The dimension at which the Lanczos runs of a rung restart.
Index rung_subspace(Rung rung, Index count) {
  switch (rung) {
    case Rung::kCheapInverse:
    case Rung::kInverse:
      return count + std::max<Index>(count, 16);
    case Rung::kProduct:
      return count + std::max<Index>(count, 40);
    case Rung::kWideProduct:
      break;
  }
  return count + std::max<Index>(6 * count, 80);
}

/// A run of the rung, and the best pairs of those before it.
double rung_bytes(Rung rung, Index n, Index count) {
  return krylov_bytes(n, count, rung_subspace(rung, count)) + matrix_bytes(1.0, n, count);
}

/// No transform where the rung does not pay or would not fit.
KrylovPlan plan_rung(Rung rung, const SparseMatrix& A, Index count, double allowed_bytes) {
  const double n = static_cast<double>(A.cols());
  const double room = allowed_bytes - rung_bytes(rung, A.cols(), count);
  if (room < 0.0) return {};
  const Index subspace = rung_subspace(rung, count);
  switch (rung) {
    case Rung::kCheapInverse:
      if (static_cast<double>(A.nonZeros()) > kCheapNonZerosPerVertex * n) return {};
      return {shifted_inverse(A, kCheapFlopsPerVertex * n, room), subspace};
    case Rung::kInverse:
      return {shifted_inverse(A, kMostFlops, room), subspace};
    case Rung::kProduct:
    case Rung::kWideProduct:
      break;
  }
  return {shifted_product(A, room), subspace};
}

}  // namespace

double eigenpair_bytes(Index n, Index count, const Context& context) {
  if (count == 0) return 0.0;
  return starts_dense(n, count, context) ? dense_bytes(n) : rung_bytes(Rung::kProduct, n, count);
}

EigenPairs leading_pairs(const SparseMatrix& A, const Vector& kernel, const EigenRequest& request,
                         RandomStream random, const Context& context) {
  const Index n = A.rows();
  if (request.count == 0) return {.values = Vector(), .vectors = Matrix(n, 0)};
  if (starts_dense(n, request.count, context)) return dense_pairs(A, kernel, request.count);
  // The plain rung must fit; the others are passed over where they do not.
  const double allowed = allowed_memory(context);
  check_memory("spectral_embedding", eigenpair_bytes(n, request.count, context), allowed,
               "ask for fewer clusters");
  EigenPairs best;
  double best_residual = std::numeric_limits<double>::infinity();
  bool solved = false;
  int restarts = 0;
  for (const Rung rung :
       {Rung::kCheapInverse, Rung::kProduct, Rung::kInverse, Rung::kWideProduct}) {
    const KrylovPlan plan = plan_rung(rung, A, request.count, allowed);
    if (plan.transform == nullptr) continue;
    EigenPairs pairs = krylov_pairs(A, kernel, request, plan, random, context);
    restarts += pairs.restarts;
    const double found_residual = residual(A, pairs, context);
    solved = pairs.certain && found_residual <= request.tolerance;
    if (solved || is_better(pairs, found_residual, best, best_residual)) {
      best = std::move(pairs);
      best_residual = found_residual;
    }
    if (solved) break;
  }
  if (!solved && dense_fits(n, context)) best = dense_pairs(A, kernel, request.count);
  best.restarts = restarts;
  return best;
}

}  // namespace subspace
