// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <iostream>

#include <subspace/core/version.h>
#include <subspace/subspace.h>

#include "three_planes.h"

int main() {
  const int points = 60;
  const auto result = subspace::cluster(three_orthogonal_planes(points), {.num_clusters = 3});
  const auto metrics = subspace::evaluate_partition(result.labels, planes_of(points));
  std::cout << "subspace " << SUBSPACE_VERSION << ": accuracy " << metrics.acc << '\n';

  // An exception class must be the same class on both sides of the library's border.
  try {
    subspace::cluster(three_orthogonal_planes(points), {.num_clusters = points + 1});
    std::cout << "more clusters than points were accepted\n";
    return 1;
  } catch (const subspace::DataError& error) {
    std::cout << "refused as it should be: " << error.what() << '\n';
  }
  return metrics.acc == 1.0 ? 0 : 1;
}
