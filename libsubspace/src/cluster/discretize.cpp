// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/cluster/discretize.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include <subspace/core/error.h>
#include <subspace/core/parallel.h>
#include <subspace/core/random.h>
#include <subspace/preprocess/normalize.h>

#include "linalg/linalg.h"

namespace subspace {
namespace {

constexpr Index kPointsPerTile = 1024;

/// Each eigenvector (row) to norm sqrt(N) and first entry <= 0, then each point (column) to norm 1.
/// Zero rows and zero columns stay zero.
Matrix normalized_embedding(const ConstMatrixRef& U) {
  Matrix V = U;
  for (Index i = 0; i < V.rows(); ++i) {
    const double largest = V.row(i).cwiseAbs().maxCoeff();
    if (largest == 0.0) continue;
    V.row(i) /= largest;
    const double sign = V(i, 0) > 0.0 ? -1.0 : 1.0;
    V.row(i) *= sign * std::sqrt(static_cast<double>(V.cols())) / V.row(i).norm();
  }
  normalize_columns(V);
  return V;
}

std::vector<Index> nonzero_columns(const Matrix& V) {
  std::vector<Index> columns;
  for (Index j = 0; j < V.cols(); ++j) {
    if ((V.col(j).array() != 0.0).any()) columns.push_back(j);
  }
  return columns;
}

/// Columns are points as nearly orthogonal to one another as greedy choice finds them: the first is
/// random, each next one has the smallest sum of |cosines| with those before.
Matrix initial_rotation(const Matrix& V, const std::vector<Index>& candidates,
                        RandomStream& random) {
  const Index k = V.rows();
  Matrix R(k, k);
  R.col(0) = V.col(candidates[random.below(candidates.size())]);
  Vector overlap = Vector::Zero(V.cols());
  Vector cosines(V.cols());
  for (Index c = 1; c < k; ++c) {
    linalg::gemv(true, k, V.cols(), 1.0, V.data(), k, R.col(c - 1).data(), 0.0, cosines.data());
    overlap += cosines.cwiseAbs();
    const Index next = *std::min_element(candidates.begin(), candidates.end(),
                                         [&](Index a, Index b) { return overlap[a] < overlap[b]; });
    R.col(c) = V.col(next);
  }
  return R;
}

/// The largest coordinate of each rotated point R'v; the lowest index among equal ones.
void assign(const Matrix& V, const Matrix& R, Labels& labels, const Context& context) {
  const Index k = V.rows();
  for_tiles(context, V.cols(), kPointsPerTile, [&](const Tile& tile) {
    Matrix rotated(k, tile.size());
    linalg::gemm({.transpose_a = true,
                  .m = k,
                  .n = tile.size(),
                  .k = k,
                  .a = R.data(),
                  .lda = k,
                  .b = V.col(tile.begin).data(),
                  .ldb = k,
                  .c = rotated.data(),
                  .ldc = k});
    for (Index j = tile.begin; j < tile.end; ++j) {
      Index largest = 0;
      rotated.col(j - tile.begin).maxCoeff(&largest);
      labels[j] = static_cast<int>(largest);
    }
  });
}

/// Column c is the sum of the points of cluster c.
Matrix cluster_sums(const Matrix& V, const Labels& labels) {
  Matrix sums = Matrix::Zero(V.rows(), V.rows());
  for (Index j = 0; j < V.cols(); ++j) sums.col(labels[j]) += V.col(j);
  return sums;
}

/// Alternates labels for a rotation with the best rotation for the labels (orthogonal Procrustes).
DiscretizeResult alternate(const Matrix& V, Matrix R, int max_iterations, const Context& context) {
  const double n = static_cast<double>(V.cols());
  DiscretizeResult result;
  result.labels.assign(static_cast<std::size_t>(V.cols()), 0);
  result.ncut = std::numeric_limits<double>::infinity();
  result.info.termination = Termination::kIterationLimit;
  while (result.info.iterations < max_iterations) {
    assign(V, R, result.labels, context);
    const Eigen::JacobiSVD<Matrix, Eigen::NoQRPreconditioner> svd(
        cluster_sums(V, result.labels), Eigen::ComputeFullU | Eigen::ComputeFullV);
    const double ncut = 2.0 * (n - svd.singularValues().sum());
    result.info.residual = std::abs(std::exchange(result.ncut, ncut) - ncut);
    ++result.info.iterations;
    if (result.info.residual <= std::numeric_limits<double>::epsilon() * n) {
      result.info.termination = Termination::kConverged;
      break;
    }
    R = svd.matrixU() * svd.matrixV().transpose();
  }
  if (!std::isfinite(result.ncut)) {
    throw NumericalError("discretize: the singular value decomposition of the rotation failed");
  }
  return result;
}

/// No point has a direction, so there is nothing to rotate.
DiscretizeResult one_cluster(Index num_points) {
  DiscretizeResult result;
  result.labels.assign(static_cast<std::size_t>(num_points), 0);
  result.ncut = 2.0 * static_cast<double>(num_points);
  result.info.termination = Termination::kConverged;
  result.info.residual = 0.0;
  return result;
}

}  // namespace

Parameters describe(DiscretizeOptions& options) {
  return {
      parameter("restarts", options.restarts, "random starts; the lowest normalised-cut value wins")
          .at_least(1),
      parameter("max_iterations", options.max_iterations, "alternations of one start").at_least(1),
  };
}

DiscretizeResult discretize(const ConstMatrixRef& U, const DiscretizeOptions& options,
                            std::uint64_t seed, const Context& context) {
  DiscretizeOptions checked = options;
  check(describe(checked), "discretize");
  require_finite(U, "discretize");
  const Matrix V = normalized_embedding(U);
  const std::vector<Index> candidates = nonzero_columns(V);
  if (candidates.empty()) return one_cluster(U.cols());

  std::vector<DiscretizeResult> starts(static_cast<std::size_t>(options.restarts));
  for_tiles(
      context, options.restarts, 1,
      [&](const Tile& start) {
        RandomStream random =
            stream(seed, Stream::kDiscretize, static_cast<std::uint32_t>(start.begin));
        starts[start.begin] =
            alternate(V, initial_rotation(V, candidates, random), options.max_iterations, context);
      },
      "discretize");
  return std::move(*std::min_element(starts.begin(), starts.end(),
                                     [](const auto& a, const auto& b) { return a.ncut < b.ncut; }));
}

}  // namespace subspace
