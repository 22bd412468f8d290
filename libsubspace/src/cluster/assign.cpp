// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/cluster/assign.h>

#include <vector>

#include <subspace/core/error.h>

#include "cluster/assign_bytes.h"
#include "linalg/sizes.h"

namespace subspace {
namespace {

struct Assignable {
  Assigned assigned = {};
  int isolated_label = 0;  // what a zero column gets
};

/// The centre nearest to the origin.
int nearest_to_origin(const Matrix& centers) {
  Index nearest = 0;
  centers.colwise().squaredNorm().minCoeff(&nearest);
  return static_cast<int>(nearest);
}

Assignable assign_all(const ConstMatrixRef& U, int num_clusters, const AssignOptions& options,
                      std::uint64_t seed, const Context& context) {
  if (options.assignment == Assignment::kDiscretize) {
    DiscretizeResult result = discretize(U, options.discretize, seed, context);
    return {{std::move(result.labels), result.info}, 0};
  }
  KMeansResult result = kmeans(U, num_clusters, options.kmeans, seed, context);
  const int nearest = nearest_to_origin(result.centers);
  return {{std::move(result.labels), result.info}, nearest};
}

/// A rotation of k-dimensional points knows k clusters, neither more nor fewer.
void check_rows(const ConstMatrixRef& U, int num_clusters, const AssignOptions& options) {
  if (options.assignment != Assignment::kDiscretize || U.rows() == num_clusters) return;
  throw InvalidArgument(message("assign: num_clusters = ", num_clusters,
                                ", must equal the dimension of the embedding (", U.rows(),
                                ") for discretize"));
}

std::vector<Index> columns_with_edges(const ConstMatrixRef& U) {
  std::vector<Index> columns;
  for (Index j = 0; j < U.cols(); ++j) {
    if (!U.col(j).isZero(0.0)) columns.push_back(j);
  }
  return columns;
}

}  // namespace

double assign_bytes(const AssignOptions& options, Index dimension, Index num_points,
                    int num_clusters, const Context& context) {
  // A rotation needs the points and their copies of unit length.
  return options.assignment == Assignment::kDiscretize
             ? matrix_bytes(2.0, dimension, num_points)
             : kmeans_bytes(options.kmeans, dimension, num_points, num_clusters, context);
}

Assigned assign(const ConstMatrixRef& U, int num_clusters, const AssignOptions& options,
                std::uint64_t seed, const Context& context) {
  check_rows(U, num_clusters, options);
  const std::vector<Index> columns = columns_with_edges(U);
  const Index count = static_cast<Index>(columns.size());
  if (count == U.cols() || count < num_clusters) {
    return assign_all(U, num_clusters, options, seed, context).assigned;
  }
  const Matrix connected = U(Eigen::all, columns);
  const Assignable part = assign_all(connected, num_clusters, options, seed, context);
  Assigned result;
  result.info = part.assigned.info;
  result.labels.assign(static_cast<std::size_t>(U.cols()), part.isolated_label);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    result.labels[static_cast<std::size_t>(columns[i])] = part.assigned.labels[i];
  }
  return result;
}

}  // namespace subspace
