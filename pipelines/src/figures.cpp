// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/figures.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include <subspace/core/error.h>
#include <subspace/spectral/embedding.h>
#include <subspace/visual/neighbor_map.h>

#include "heat_map.h"

namespace subspace::pipelines {
namespace {

void check_evidence(const Evidence& evidence, const Labels& labels, int num_clusters) {
  const auto require_length = [&](const char* what, Index length) {
    if (length == 0 || length == static_cast<Index>(labels.size())) return;
    throw DataError(message("make_figures: ", what, " of ", length, " points and ", labels.size(),
                            " labels, must be as many"));
  };
  require_length("an embedding", evidence.embedding.cols());
  require_length("an affinity", evidence.affinity.cols());
  require_length("an affinity", evidence.affinity.rows());
  require_length("features", evidence.features.cols());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= 0 && labels[i] < num_clusters) continue;
    throw DataError(message("make_figures: label ", labels[i], " of point ", i,
                            ", must satisfy 0 <= label < ", num_clusters));
  }
}

std::vector<double> lowest_eigenvalues(const Evidence& evidence, int num_clusters,
                                       std::uint64_t seed, const Context& context) {
  constexpr Index kBeyondClusters = 10;
  const Index n = evidence.affinity.cols();
  if (num_clusters >= n) return {};
  const EmbeddingOptions options = {
      .dimensions = static_cast<int>(std::min(n, num_clusters + kBeyondClusters)),
      .loops = evidence.loops};
  const Embedding embedding =
      spectral_embedding(evidence.affinity, num_clusters, options, seed, context);
  std::vector<double> lowest;
  for (const double eigenvalue : embedding.eigenvalues) {
    if (std::isfinite(eigenvalue)) lowest.push_back(1.0 - eigenvalue);
  }
  return lowest;
}

/// All points, or every n-th such that there are at most kMapPoints.
std::vector<Index> evenly_chosen(Index num_points) {
  const Index stride = (num_points + kMapPoints - 1) / kMapPoints;
  std::vector<Index> chosen;
  for (Index i = 0; i < num_points; i += stride) chosen.push_back(i);
  return chosen;
}

/// Points of one place, to a thousandth of the map, go around it as the seeds of a sunflower do.
/// Duplicates have one place (the embedding of a connected component is one point), and a reader
/// shall see how many they are.
void spread_coinciding(Matrix& places) {
  constexpr double kCell = 1e-3;
  constexpr double kSpacing = 3e-3;
  const double golden_angle = std::numbers::pi * (3.0 - std::sqrt(5.0));
  const Vector ranges = places.rowwise().maxCoeff() - places.rowwise().minCoeff();
  const double range = ranges.maxCoeff() > 0.0 ? ranges.maxCoeff() : 1.0;
  std::map<std::pair<long, long>, int> points_in;
  for (auto place : places.colwise()) {
    const std::pair cell(std::lround(place[0] / (kCell * range)),
                         std::lround(place[1] / (kCell * range)));
    const int before = points_in[cell]++;
    const double radius = kSpacing * range * std::sqrt(before);
    place[0] += radius * std::cos(golden_angle * before);
    place[1] += radius * std::sin(golden_angle * before);
  }
}

/// Into the unit square by one factor for both axes, the shorter one in the middle.
std::vector<std::array<float, 2>> in_unit_square(const Matrix& places) {
  const Vector low = places.rowwise().minCoeff();
  const Vector range = places.rowwise().maxCoeff() - low;
  const double scale = range.maxCoeff() > 0.0 ? 1.0 / range.maxCoeff() : 0.0;
  const Vector margin = (0.5 - 0.5 * scale * range.array()).matrix();
  std::vector<std::array<float, 2>> scaled;
  for (const auto& place : places.colwise()) {
    const Vector at = (margin + scale * (place - low)).cwiseMax(0.0).cwiseMin(1.0);
    scaled.push_back({static_cast<float>(at[0]), static_cast<float>(at[1])});
  }
  return scaled;
}

void add_map(const Evidence& evidence, std::uint64_t seed, const Context& context,
             Figures& figures) {
  figures.map_of = evidence.embedding_of;
  figures.map_points = evenly_chosen(evidence.embedding.cols());
  const Matrix shown = evidence.embedding(Eigen::all, figures.map_points);
  Matrix places = neighbor_map(shown, {}, seed, context);
  spread_coinciding(places);
  figures.map = in_unit_square(places);
}

}  // namespace

Figures make_figures(const Evidence& evidence, const Labels& labels, int num_clusters,
                     std::uint64_t seed, const Context& context) {
  check_evidence(evidence, labels, num_clusters);
  Figures figures;
  if (evidence.affinity.cols() > 0) {
    figures.affinity = make_heat_map(evidence.affinity, labels, num_clusters, kHeatMapSide);
    figures.eigenvalues = lowest_eigenvalues(evidence, num_clusters, seed, context);
  }
  if (evidence.embedding.size() > 0) add_map(evidence, seed, context, figures);
  if (evidence.features.size() > 0) {
    figures.geometry = make_geometry(evidence.features, "learned features", labels, context);
  }
  return figures;
}

}  // namespace subspace::pipelines
