// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/margin_confidence.h"

#include <cmath>
#include <map>
#include <utility>

namespace subspace::pipelines {
double relative_margin(double residual, double margin) {
  if (std::isinf(margin)) return 1.0;
  const double next = residual + margin;
  return next > 0.0 ? margin / next : 0.0;
}

Confidence margin_confidence(const NearestSubspaces& nearest) {
  Vector points(nearest.residuals.size());
  for (Index j = 0; j < points.size(); ++j) {
    points[j] = relative_margin(nearest.residuals[j], nearest.margins[j]);
  }
  return summed_up(std::move(points), nearest.labels);
}

Confidence summed_up(Vector points, const Labels& labels) {
  std::map<int, std::pair<double, int>> sums;
  for (std::size_t j = 0; j < labels.size(); ++j) {
    auto& [sum, count] = sums[labels[j]];
    sum += points[static_cast<Index>(j)];
    ++count;
  }
  Confidence confidence{.of_labels = Vector(static_cast<Index>(sums.size()))};
  for (const auto& [label, own] : sums) {
    confidence.of_labels[static_cast<Index>(confidence.labels.size())] = own.first / own.second;
    confidence.labels.push_back(label);
  }
  if (points.size() > 0) confidence.mean = points.mean();
  confidence.points = std::move(points);
  return confidence;
}

}  // namespace subspace::pipelines
