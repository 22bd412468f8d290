// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/elastic_net_products.h"

#include <algorithm>

#include "linalg/kernels.h"
#include "linalg/linalg.h"

namespace subspace {

void correlate(const Matrix& G, Index num_points, const ElasticNetPoint& solver,
               double* correlations) {
  const Index n = G.rows();
  std::copy_n(G.col(solver.point()).data(), n, correlations);
  linalg::subtract_columns(G.data(), n, solver.support().data(), solver.coefficients().data(),
                           static_cast<Index>(solver.support().size()), correlations, n);
  if (solver.shift() != 0.0) {
    Eigen::Map<Vector>(correlations, num_points).array() += solver.shift();
  }
}

void fill_chosen(const Matrix& G, Index num_points, ElasticNetPoint& solver,
                 std::vector<double>& targets) {
  const std::vector<int>& chosen = solver.chosen();
  targets.resize(chosen.size());
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    targets[k] = G(chosen[k], solver.point());
    if (chosen[k] < num_points) targets[k] += solver.shift();
  }
  auto block = solver.enter_chosen(targets.data());
  const std::vector<int>& candidates = solver.candidates();
  for (Index k = 0; k < block.cols(); ++k) {
    const double* column = G.col(chosen[static_cast<std::size_t>(k)]).data();
    for (Index i = 0; i < block.rows(); ++i)
      block(i, k) = column[candidates[static_cast<std::size_t>(i)]];
  }
}

void fill_chosen(const ConstMatrixRef& X, Index num_points, ElasticNetPoint& solver,
                 Matrix& candidates, std::vector<double>& targets) {
  const std::vector<int>& chosen = solver.chosen();
  targets.resize(chosen.size());
  const double* target = X.col(solver.point()).data();
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    targets[k] = linalg::dot(X.col(chosen[k]).data(), target, X.rows());
    if (chosen[k] < num_points) targets[k] += solver.shift();
  }
  auto block = solver.enter_chosen(targets.data());
  const Index count = block.rows();
  if (candidates.cols() < count) candidates.resize(X.rows(), 2 * count);
  for (Index i = 0; i < count; ++i) {
    candidates.col(i) = X.col(solver.candidates()[static_cast<std::size_t>(i)]);
  }
  linalg::gemm({.transpose_a = true,
                .m = count,
                .n = block.cols(),
                .k = X.rows(),
                .a = candidates.data(),
                .lda = candidates.outerStride(),
                .b = candidates.col(count - block.cols()).data(),
                .ldb = candidates.outerStride(),
                .c = block.data(),
                .ldc = block.outerStride()});
}

void set_residual(const ConstMatrixRef& X, const ElasticNetPoint& solver, double* residual) {
  std::copy_n(X.col(solver.point()).data(), X.rows(), residual);
  linalg::subtract_columns(X.data(), X.outerStride(), solver.support().data(),
                           solver.coefficients().data(),
                           static_cast<Index>(solver.support().size()), residual, X.rows());
  // The last coordinate of all points is sqrt(sum_weight): this adds the shift to each of their
  // X'r.
  if (solver.shift() != 0.0) residual[X.rows() - 1] += solver.shift() / X(X.rows() - 1, 0);
}

}  // namespace subspace
