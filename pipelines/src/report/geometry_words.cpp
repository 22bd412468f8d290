// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>

#include <subspace/core/error.h>

#include "report/format.h"
#include "report/geometry.h"

namespace subspace::pipelines::report {
namespace {

double median(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2.0;
}

std::string of_clusters(const std::vector<double>& ranks) {
  if (ranks.size() == 1) return message(fixed(ranks[0], 1), " of one found cluster");
  return message(fixed(ranks.front(), 1), " to ", fixed(ranks.back(), 1), " of ", ranks.size(),
                 " found clusters (median ", fixed(median(ranks), 1), ")");
}

}  // namespace

std::string effective_ranks(const FeatureGeometry& geometry) {
  std::vector<double> ranks;
  for (const ClusterGeometry& cluster : geometry.clusters) {
    if (cluster.own.effective_rank > 0.0) ranks.push_back(cluster.own.effective_rank);
  }
  std::ranges::sort(ranks);
  const double all = geometry.all.effective_rank;
  if (all <= 0.0 && ranks.empty()) return "";
  std::string words = "effective rank ";
  if (all > 0.0) words += message(fixed(all, 1), " of all points", ranks.empty() ? "" : ", ");
  if (!ranks.empty()) words += of_clusters(ranks);
  return words;
}

std::string ClusterNames::name(int cluster) const {
  const std::string own = message("cluster ", cluster);
  if (!confusion) return own;
  const auto at = std::ranges::find(confusion->clusters, cluster) - confusion->clusters.begin();
  if (at == std::ssize(confusion->clusters)) return own;
  const int matched = confusion->class_of[static_cast<std::size_t>(at)];
  if (matched < 0) return message(own, ", matched with no class");
  return message(own, ", matched with class ",
                 confusion->classes[static_cast<std::size_t>(matched)]);
}

}  // namespace subspace::pipelines::report
