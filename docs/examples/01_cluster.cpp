// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
//
// Clusters points on five random subspaces and compares with the truth.
#include <cstdio>

#include <subspace/datasets/synthetic.h>
#include <subspace/subspace.h>

int main() {
  const auto world =
      subspace::datasets::union_of_subspaces({.num_subspaces = 5, .noise = 0.02, .seed = 1});

  subspace::PipelineOptions options;
  options.num_clusters = 5;
  options.method = subspace::ElasticNetOptions{.tau = 0.9, .gamma = 50};
  const subspace::ClusteringResult result = subspace::cluster(world.points.X, options);

  const auto metrics = subspace::evaluate_partition(result.labels, world.truth);
  std::printf("ACC %.3f, largest violation of the optimality conditions %.1e\n", metrics.acc,
              subspace::max_residual(result.representation));
  return subspace::converged(result) ? 0 : 4;
}
