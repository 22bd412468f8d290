// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/diagnostics/confidence.h>

#include <algorithm>
#include <limits>
#include <vector>

#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>

#include "labels/groups.h"
#include "linalg/sizes.h"
#include "preprocess/power_of_two.h"

namespace subspace {
namespace {

constexpr Index kPointsPerTile = 256;

/// Centres of the clusters; those without a placed point, all of whose columns are zero, have none.
struct Centers {
  Matrix places = {};
  std::vector<Index> sizes = {};  ///< points each was made from
};

bool is_placed(const Matrix& U, Index j) { return (U.col(j).array() != 0.0).any(); }

Centers find_centers(const Matrix& U, const Groups& groups) {
  Centers centers{Matrix::Zero(U.rows(), groups.size()), {}};
  for (int k = 0; k < groups.size(); ++k) {
    Index size = 0;
    for (const Index j : groups.members[static_cast<std::size_t>(k)]) {
      if (!is_placed(U, j)) continue;
      centers.places.col(k) += U.col(j);
      ++size;
    }
    if (size > 0) centers.places.col(k) /= static_cast<double>(size);
    centers.sizes.push_back(size);
  }
  return centers;
}

struct Margin {
  double confidence = 0.0;
  int runner_up = 0;
};

Margin margin_of(const Matrix& U, Index j, int own, const Centers& centers) {
  if (centers.sizes.size() == 1) return {is_placed(U, j) ? 1.0 : 0.0, own};
  double nearest = std::numeric_limits<double>::infinity();
  int runner_up = own == 0 ? 1 : 0;
  for (int k = 0; k < static_cast<int>(centers.sizes.size()); ++k) {
    if (k == own || centers.sizes[static_cast<std::size_t>(k)] == 0) continue;
    const double distance = (U.col(j) - centers.places.col(k)).norm();
    if (distance >= nearest) continue;
    nearest = distance;
    runner_up = k;
  }
  const auto size = static_cast<double>(centers.sizes[static_cast<std::size_t>(own)]);
  if (!is_placed(U, j) || size < 2.0) return {0.0, runner_up};
  if (nearest == std::numeric_limits<double>::infinity()) return {1.0, runner_up};
  // Without the point the centre is size/(size - 1) times as far away.
  const double distance = (U.col(j) - centers.places.col(own)).norm() * size / (size - 1.0);
  return {nearest > distance ? (nearest - distance) / nearest : 0.0, runner_up};
}

void add_means(const Groups& groups, Confidence& result) {
  result.labels = groups.names;
  result.of_labels.resize(groups.size());
  for (int k = 0; k < groups.size(); ++k) {
    const std::vector<Index>& members = groups.members[static_cast<std::size_t>(k)];
    result.of_labels[k] = result.points(members).mean();
  }
  result.mean = result.points.mean();
}

}  // namespace

Confidence label_confidence(const ConstMatrixRef& U, const Labels& labels, const Context& context) {
  require_labelled(U, labels, "label_confidence");
  check_memory("label_confidence", matrix_bytes(1.0, U.rows(), U.cols()), allowed_memory(context),
               "give fewer points");
  Matrix scaled = U;
  scale_by_power_of_two(scaled, -binary_exponent(scaled));
  const Groups groups = group_by_label(labels);
  std::vector<int> own(labels.size());
  for (int k = 0; k < groups.size(); ++k) {
    for (const Index j : groups.members[static_cast<std::size_t>(k)])
      own[static_cast<std::size_t>(j)] = k;
  }
  const Centers centers = find_centers(scaled, groups);
  Confidence result;
  result.points.resize(U.cols());
  result.runners_up.resize(labels.size());
  for_tiles(context, U.cols(), kPointsPerTile, [&](const Tile& tile) {
    for (Index j = tile.begin; j < tile.end; ++j) {
      const Margin margin = margin_of(scaled, j, own[static_cast<std::size_t>(j)], centers);
      result.points[j] = margin.confidence;
      result.runners_up[static_cast<std::size_t>(j)] =
          groups.names[static_cast<std::size_t>(margin.runner_up)];
    }
  });
  add_means(groups, result);
  return result;
}

}  // namespace subspace
