// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "visual/similarities.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <subspace/core/parallel.h>

namespace subspace {
namespace {

/// The exponents of one point: squared distances in units of the largest, the smallest subtracted.
/// p_j|i and the perplexity stay the same, and no square can overflow.
void set_exponents(std::span<const double> distances, std::span<double> exponents) {
  const double largest = distances.back();
  const auto squared_share = [largest](double distance) {
    const double share = largest > 0.0 ? distance / largest : 0.0;
    return share * share;
  };
  const double nearest = squared_share(distances.front());
  for (std::size_t m = 0; m < distances.size(); ++m) {
    exponents[m] = squared_share(distances[m]) - nearest;
  }
}

/// p_m = exp(-precision e_m) / sum. Returns its entropy, log(sum) + precision sum_m p_m e_m.
double set_probabilities(std::span<const double> exponents, double precision,
                         std::span<double> probabilities) {
  double sum = 0.0;
  double mean = 0.0;
  for (std::size_t m = 0; m < exponents.size(); ++m) {
    probabilities[m] = std::exp(-precision * exponents[m]);
    sum += probabilities[m];
    mean += probabilities[m] * exponents[m];
  }
  for (double& probability : probabilities) probability /= sum;
  return std::log(sum) + precision * mean / sum;
}

/// The entropy falls as the precision grows: doubled until it is bracketed, then bisected.
void meet_perplexity(std::span<const double> exponents, double perplexity,
                     std::span<double> probabilities) {
  constexpr int kMostSteps = 100;
  constexpr double kTolerance = 1e-6;
  const double wanted = std::log(perplexity);
  double low = 0.0;
  double high = 0.0;  // not known yet
  double precision = 1.0;
  for (int step = 0; step < kMostSteps; ++step) {
    const double entropy = set_probabilities(exponents, precision, probabilities);
    if (std::abs(entropy - wanted) < kTolerance) return;
    (entropy > wanted ? low : high) = precision;
    precision = high > 0.0 ? 0.5 * (low + high) : 2.0 * precision;
  }
}

/// Column i holds p_j|i.
SparseMatrix conditional_similarities(const Neighbors& neighbors, double perplexity,
                                      const Context& context) {
  constexpr Index kPointsPerTile = 64;
  const auto k = static_cast<std::size_t>(neighbors.k);
  const Index num_points = static_cast<Index>(neighbors.indices.size() / k);
  std::vector<double> probabilities(neighbors.distances.size());
  for_tiles(context, num_points, kPointsPerTile, [&](const Tile& tile) {
    std::vector<double> exponents(k);
    for (Index i = tile.begin; i < tile.end; ++i) {
      const std::size_t first = static_cast<std::size_t>(i) * k;
      set_exponents(std::span(neighbors.distances).subspan(first, k), exponents);
      meet_perplexity(exponents, perplexity, std::span(probabilities).subspan(first, k));
    }
  });
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(probabilities.size());
  for (std::size_t at = 0; at < probabilities.size(); ++at) {
    entries.emplace_back(neighbors.indices[at], static_cast<int>(at / k), probabilities[at]);
  }
  SparseMatrix similarities(num_points, num_points);
  similarities.setFromTriplets(entries.begin(), entries.end());
  return similarities;
}

}  // namespace

SparseMatrix map_similarities(const Neighbors& neighbors, double perplexity,
                              const Context& context) {
  const SparseMatrix conditional = conditional_similarities(neighbors, perplexity, context);
  const SparseMatrix transposed = conditional.transpose();
  return (conditional + transposed) / (2.0 * static_cast<double>(conditional.cols()));
}

}  // namespace subspace
