// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <new>

#include <subspace/core/parallel.h>

#include "linalg/sizes.h"
#include "spectral/krylov.h"
#include "spectral/laplacian.h"

namespace subspace {
namespace {

class ShiftedProduct : public SpectralTransform {
 public:
  explicit ShiftedProduct(const SparseMatrix& A) : A_(A) {}

  void apply(const Vector& x, Vector& y, const Context& context) const override {
    symmetric_product(A_, x.data(), y.data(), context);
    y += x;
  }

 private:
  const SparseMatrix& A_;
};

/// The same for a graph in which most pairs of points are joined, without its indices. Every sum
/// runs over the rows in the same order, and zeros add nothing: the same bits in a third of the
/// time.
class FullProduct : public SpectralTransform {
 public:
  explicit FullProduct(const SparseMatrix& A) : A_(A) {}

  void apply(const Vector& x, Vector& y, const Context& context) const override {
    constexpr Index kColumnTile = 64 * kTogether;
    for_tiles(context, A_.cols(), kColumnTile, [&](const Tile& tile) {
      Index j = tile.begin;
      for (; j + kTogether <= tile.end; j += kTogether) sums_of<kTogether>(j, x, y);
      for (; j < tile.end; ++j) sums_of<1>(j, x, y);
    });
    y += x;
  }

 private:
  static constexpr Index kTogether = 4;  ///< independent sums hide the latency of an addition

  template <Index columns>
  void sums_of(Index j, const Vector& x, Vector& y) const {
    const double* const values = A_.col(j).data();
    const Index n = A_.rows();
    double sums[columns] = {};
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k < columns; ++k) sums[k] += values[k * n + i] * x[i];
    }
    std::copy_n(sums, columns, &y[j]);
  }

  const Matrix A_;
};

/// From two thirds on the full copy is no larger than the sparse matrix itself.
bool is_nearly_full(const SparseMatrix& A) {
  const double all = static_cast<double>(A.rows()) * static_cast<double>(A.cols());
  return static_cast<double>(A.nonZeros()) > 2.0 / 3.0 * all;
}

/// Tells what a factor costs after the symbolic analysis, before any number is computed.
class Factor : public Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, Eigen::AMDOrdering<int>> {
 public:
  double flops() const {
    double sum = 0.0;
    for (const int count : m_nonZerosPerCol) sum += static_cast<double>(count) * count;
    return sum;
  }
  double bytes() const {
    double entries = 0.0;
    for (const int count : m_nonZerosPerCol) entries += count;
    return entries * (sizeof(double) + sizeof(int));
  }
};

class ShiftedInverse : public SpectralTransform {
 public:
  void apply(const Vector& x, Vector& y, const Context& context) const override {
    context.throw_if_cancelled();
    y = factor.solve(x);
  }

  Factor factor = {};
};

/// sigma I - A is positive definite for sigma > 1. The nearer to 1, the farther the inverse sets
/// the wanted eigenvalues apart; the error a nearly singular factor makes lies along the kernel,
/// which the iteration projects out.
constexpr double kSigma = 1.0 + 1e-5;

}  // namespace

std::shared_ptr<const SpectralTransform> shifted_product(const SparseMatrix& A, double most_bytes) {
  if (is_nearly_full(A) && matrix_bytes(1.0, A.rows(), A.cols()) <= most_bytes) {
    return std::make_shared<FullProduct>(A);
  }
  return std::make_shared<ShiftedProduct>(A);
}

std::shared_ptr<const SpectralTransform> shifted_inverse(const SparseMatrix& A, double most_flops,
                                                         double most_bytes) {
  SparseMatrix identity(A.rows(), A.cols());
  identity.setIdentity();
  const SparseMatrix shifted = kSigma * identity - A;
  auto inverse = std::make_shared<ShiftedInverse>();
  try {
    inverse->factor.analyzePattern(shifted);
  } catch (const std::bad_alloc&) {
    return nullptr;  // the analysis already makes room for the factor, however large it is
  }
  if (inverse->factor.flops() > most_flops || inverse->factor.bytes() > most_bytes) return nullptr;
  inverse->factor.factorize(shifted);
  if (inverse->factor.info() != Eigen::Success) return nullptr;
  return inverse;
}

}  // namespace subspace
