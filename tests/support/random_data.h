// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/random.h>
#include <subspace/core/types.h>

namespace subspace::testing {

/// Independent standard normal entries.
inline Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  RandomStream random = stream(seed, Stream::kTest);
  Matrix X(rows, columns);
  for (Index j = 0; j < columns; ++j) {
    for (Index i = 0; i < rows; ++i) X(i, j) = random.normal();
  }
  return X;
}

inline Labels random_labels(Index n, int num_labels, std::uint64_t seed) {
  RandomStream random = stream(seed, Stream::kTest, 1);
  Labels labels(static_cast<std::size_t>(n));
  for (int& label : labels) {
    label = static_cast<int>(random.below(static_cast<std::uint64_t>(num_labels)));
  }
  return labels;
}

/// Balls of standard deviation 1 around places `distance` apart on the axes (dimension >=
/// clusters).
struct Blobs {
  Matrix points = {};
  Labels labels = {};
};
inline Blobs blobs(Index dimension, int num_clusters, Index per_cluster, double distance,
                   std::uint64_t seed) {
  Blobs result;
  result.points = random_matrix(dimension, num_clusters * per_cluster, seed);
  for (Index j = 0; j < result.points.cols(); ++j) {
    const int label = static_cast<int>(j % num_clusters);
    result.points(label, j) += distance;
    result.labels.push_back(label);
  }
  return result;
}

}  // namespace subspace::testing
