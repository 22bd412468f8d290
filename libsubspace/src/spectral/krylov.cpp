// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "spectral/krylov.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Spectra/SymEigsSolver.h>
#include <algorithm>
#include <stdexcept>
#include <utility>

#include <subspace/core/error.h>

#include "linalg/sizes.h"
#include "spectral/laplacian.h"

namespace subspace {
namespace {

/// P T P for Spectra, where P projects onto the complement of the orthonormal columns of
/// `excluded`. T is positive semidefinite, so the excluded directions get its smallest possible
/// eigenvalue, zero.
class DeflatedOperator {
 public:
  using Scalar = double;

  DeflatedOperator(const SpectralTransform& transform, const Matrix& excluded,
                   const Context& context)
      : transform_(transform), excluded_(excluded), context_(context) {}

  Index rows() const { return excluded_.rows(); }
  Index cols() const { return excluded_.rows(); }

  void perform_op(const double* x, double* y) const {
    input_ = Eigen::Map<const Vector>(x, rows());
    output_.resize(rows());
    project(input_);
    transform_.apply(input_, output_, context_);
    project(output_);
    Eigen::Map<Vector>(y, rows()) = output_;
  }

  void project(Vector& x) const { x.noalias() -= excluded_ * (excluded_.transpose() * x).eval(); }

 private:
  const SpectralTransform& transform_;
  const Matrix& excluded_;
  const Context& context_;
  mutable Vector input_ = {};
  mutable Vector output_ = {};
};

struct RitzVectors {
  Matrix vectors = {};
  int restarts = 0;
  bool converged = false;
};

/// Spectra hides Ritz vectors that missed the tolerance; an honest answer needs them too.
class LanczosSolver : public Spectra::SymEigsSolver<DeflatedOperator> {
 public:
  using SymEigsSolver::SymEigsSolver;

  subspace::Matrix ritz_vectors() const {
    const Eigen::SelfAdjointEigenSolver<subspace::Matrix> small(m_fac.matrix_H());
    if (small.info() != Eigen::Success) throw std::runtime_error("no Ritz vectors");
    return m_fac.matrix_V() * small.eigenvectors().rightCols(m_nev).rowwise().reverse();
  }
};

struct LanczosLimits {
  Index count = 0;
  Index subspace = 0;
  double tolerance = 0.0;
  int max_restarts = 0;
};

RitzVectors run_from(const Vector& start, DeflatedOperator& op, const LanczosLimits& limits) {
  LanczosSolver solver(op, limits.count, limits.subspace);
  solver.init(start.data());
  solver.compute(Spectra::SortRule::LargestAlge, limits.max_restarts, limits.tolerance);
  return {solver.ritz_vectors(), static_cast<int>(solver.num_iterations()),
          solver.info() == Spectra::CompInfo::Successful};
}

/// Spectra throws when its small tridiagonal problem fails, which rounding can bring about once the
/// Krylov space is exhausted. Another start helps; no vectors are returned when none does.
RitzVectors run_lanczos(DeflatedOperator& op, const LanczosLimits& limits, RandomStream& random) {
  constexpr int kStarts = 3;
  for (int attempt = 0; attempt < kStarts; ++attempt) {
    Vector start(op.rows());
    for (double& value : start) value = random.normal();
    op.project(start);
    try {
      return run_from(start, op, limits);
    } catch (const Error&) {
      throw;  // ours: cancelled
    } catch (const std::runtime_error&) {
      continue;
    }
  }
  return {.vectors = Matrix(op.rows(), 0)};
}

/// The subspace searched so far: orthonormal, rotated to Ritz vectors of A by decreasing value.
class FoundPairs {
 public:
  FoundPairs(const SparseMatrix& A, const Vector& kernel, const Context& context)
      : A_(A), context_(context), basis_(kernel) {}

  /// The kernel and everything found.
  const Matrix& basis() const { return basis_; }
  Index size() const { return values_.size(); }
  const Vector& values() const { return values_; }
  auto vectors(Index count) const { return basis_.middleCols(1, count); }

  void add(const Matrix& vectors) {
    if (vectors.cols() == 0) return;
    Matrix extended(basis_.rows(), basis_.cols() + vectors.cols());
    extended << basis_, vectors;
    orthonormalize(extended);
    const Index found = extended.cols() - 1;
    const Matrix products = symmetric_products(A_, extended.rightCols(found), context_);
    const Matrix projected = extended.rightCols(found).transpose() * products;
    const Eigen::SelfAdjointEigenSolver<Matrix> ritz(projected);
    values_ = ritz.eigenvalues().reverse();
    basis_ = std::move(extended);
    basis_.rightCols(found) =
        (basis_.rightCols(found) * ritz.eigenvectors().rowwise().reverse()).eval();
  }

 private:
  /// Leaves the first column, the kernel, as it is up to rounding.
  static void orthonormalize(Matrix& Q) {
    const Eigen::HouseholderQR<Matrix> qr(Q);
    const Vector kernel = Q.col(0);
    Q = qr.householderQ() * Matrix::Identity(Q.rows(), Q.cols());
    Q.col(0) = kernel;
  }

  const SparseMatrix& A_;
  const Context& context_;
  Matrix basis_;
  Vector values_ = {};
};

/// What all runs of one plan share.
struct Search {
  const KrylovPlan& plan;
  const EigenRequest& request;
  RandomStream& random;
  const Context& context;
};

/// The dimension a run restarts at: Spectra asks for more than the pairs wanted, and a complement
/// has room for so many only.
Index lanczos_width(Index subspace, Index count, Index room) {
  return std::min(std::max(subspace, 2 * count + 8), room);
}

RitzVectors search_complement(const Search& search, const FoundPairs& found, LanczosLimits limits) {
  DeflatedOperator op(*search.plan.transform, found.basis(), search.context);
  const Index room = op.rows() - found.basis().cols();
  limits.count = std::min(limits.count, room - 1);
  limits.subspace = lanczos_width(limits.subspace, limits.count, room);
  limits.max_restarts = search.request.max_restarts;
  return run_lanczos(op, limits, search.random);
}

double rayleigh_quotient(const SparseMatrix& A, const Vector& u, const Context& context) {
  Vector product(u.size());
  symmetric_product(A, u.data(), product.data(), context);
  return u.dot(product) / u.squaredNorm();
}

}  // namespace

double krylov_bytes(Index n, Index count, Index subspace) {
  const Index width = lanczos_width(subspace, count, n - 1);
  // The basis and its copy when a restart rotates it; the kernel, the start, the residual and the
  // two sides of a product.
  const Index lanczos = 2 * width + 5;
  // The Ritz vectors, then with the kernel: joined, factored and multiplied out.
  const Index rotation = count + 3 * (count + 1) + 1;
  // The small problem, its rotations and its eigenvectors.
  constexpr double kSmallMatrices = 6.0;
  return matrix_bytes(1.0, n, std::max(lanczos, rotation)) +
         matrix_bytes(kSmallMatrices, width, width);
}

EigenPairs krylov_pairs(const SparseMatrix& A, const Vector& kernel, const EigenRequest& request,
                        const KrylovPlan& plan, RandomStream& random, const Context& context) {
  // Spectra stops by an estimate relative to the transformed eigenvalue; the margin pays for the
  // difference to the residual with A.
  const double tolerance = std::max(0.1 * request.tolerance, 1e-14);
  // A check only has to tell whether the complement holds an eigenvalue above the smallest kept.
  constexpr double kCheckTolerance = 1e-6;
  constexpr Index kCheckSubspace = 24;
  const double slack = std::min(request.tolerance, 1e-8);

  const Search search{plan, request, random, context};
  FoundPairs found(A, kernel, context);
  EigenPairs pairs;
  const auto run = [&](const LanczosLimits& limits) {
    RitzVectors ritz = search_complement(search, found, limits);
    pairs.restarts += ritz.restarts;
    pairs.certain = pairs.certain && ritz.converged;
    return ritz.vectors;
  };
  const auto kept = [&] { return std::min(request.count, found.size()); };
  const auto is_complete = [&] {
    if (found.basis().cols() + 2 > A.rows()) return true;
    const Matrix leftover =
        run({.count = 1, .subspace = kCheckSubspace, .tolerance = kCheckTolerance});
    return leftover.cols() == 0 ||
           rayleigh_quotient(A, leftover.col(0), context) <= found.values()[kept() - 1] + slack;
  };

  found.add(run({.count = request.count, .subspace = plan.subspace, .tolerance = tolerance}));
  for (Index more = 2; pairs.certain && !is_complete(); more = std::min(2 * more, request.count)) {
    found.add(run({.count = more, .subspace = kCheckSubspace, .tolerance = tolerance}));
  }
  pairs.values = found.values().head(kept());
  pairs.vectors = found.vectors(kept());
  return pairs;
}

}  // namespace subspace
