// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <iostream>

#include <subspace/metrics/partition.h>
#include <subspace/pipelines/catalogue.h>

#include "three_planes.h"

int main() {
  const int points = 60;
  subspace::pipelines::Clusterer clusterer("ensc");
  clusterer.set("ensc.gamma", "100");
  const auto outcome = clusterer.run(three_orthogonal_planes(points), 3);
  const auto metrics = subspace::evaluate_partition(outcome.labels, planes_of(points));
  std::cout << "ensc from the catalogue: accuracy " << metrics.acc << '\n';
  return metrics.acc == 1.0 ? 0 : 1;
}
