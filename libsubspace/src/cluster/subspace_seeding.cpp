// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "cluster/subspace_seeding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <subspace/classify/nearest_subspace.h>

#include "labels/groups.h"
#include "linalg/linalg.h"

namespace subspace {
namespace {

/// One index with probability in proportion to its weight; -1 when all weights are zero.
Index draw(const Vector& weights, RandomStream& random) {
  double left = random.uniform() * weights.sum();
  Index last = -1;
  for (Index j = 0; j < weights.size(); ++j) {
    if (!(weights[j] > 0.0)) continue;
    last = j;
    left -= weights[j];
    if (left < 0.0) break;
  }
  return last;
}

/// Nearness of all points to one: |cosine|, or the negative squared distance of affine subspaces.
Vector nearness(const ConstMatrixRef& X, Index point, const Vector& squared_lengths, bool affine) {
  Vector products(X.cols());
  linalg::gemv(true, X.rows(), X.cols(), 1.0, X.data(), X.outerStride(), X.col(point).data(), 0.0,
               products.data());
  if (affine) return 2.0 * products - squared_lengths;  // up to the constant |x_point|^2
  for (Index j = 0; j < X.cols(); ++j) {
    const double length = std::sqrt(squared_lengths[j]);
    products[j] = length > 0.0 ? std::fabs(products[j]) / length : 0.0;
  }
  return products;
}

/// The point and those nearest to it, `count` in all or all there are; the lower index of equals.
std::vector<Index> neighborhood(const Vector& nearness, Index point, Index count) {
  std::vector<Index> order(static_cast<std::size_t>(nearness.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::swap(order.front(), order[static_cast<std::size_t>(point)]);
  const auto end = order.begin() + std::min<Index>(count, nearness.size());
  std::partial_sort(order.begin() + 1, end, order.end(), [&](Index a, Index b) {
    return nearness[a] != nearness[b] ? nearness[a] > nearness[b] : a < b;
  });
  return {order.begin(), end};
}

}  // namespace

Labels seed_subspaces(const ConstMatrixRef& X, const SubspaceSeeding& seeding, RandomStream& random,
                      const Context& context) {
  const Vector squared_lengths = X.colwise().squaredNorm();
  // The first point: in proportion to its squared length, that is its distance from the origin;
  // affine subspaces know no origin.
  Vector squared = seeding.affine ? Vector(Vector::Ones(X.cols())) : squared_lengths;
  Vector nearest = Vector::Constant(X.cols(), std::numeric_limits<double>::infinity());
  Labels labels(static_cast<std::size_t>(X.cols()), 0);
  const Index count = seeding.dimension + (seeding.affine ? 1 : 0);
  for (int k = 0; k < seeding.num_clusters; ++k) {
    context.throw_if_cancelled();
    const Index point = draw(squared, random);
    if (point < 0) break;
    const std::vector<Index> members =
        neighborhood(nearness(X, point, squared_lengths, seeding.affine), point, count);
    const Subspaces one =
        fit_subspaces(gather(X, members), Labels(members.size(), 0),
                      {.dimension = seeding.dimension, .center = seeding.affine}, context);
    const Matrix distances = residuals(one, X, context);
    for (Index j = 0; j < X.cols(); ++j) {
      if (distances(0, j) >= nearest[j]) continue;
      nearest[j] = distances(0, j);
      labels[static_cast<std::size_t>(j)] = k;
    }
    squared = nearest.cwiseAbs2();
  }
  return labels;
}

}  // namespace subspace
