// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <optional>
#include <string>

#include "report/confusion.h"
#include "report/markup.h"
#include "report/thumbnails.h"

namespace subspace::pipelines::report {

/// "effective rank 96.2 of all points, 5.1 to 9.8 of 20 found clusters (median 7.7)"; empty where
/// none is known.
std::string effective_ranks(const FeatureGeometry& geometry);

/// What the found clusters are called, and coloured, by.
struct ClusterNames {
  const Labels& found;
  const std::optional<Confusion>& confusion;

  /// "cluster 3", "cluster 3, matched with class 5"
  std::string name(int cluster) const;
};

Markup covariance_figure(const FeatureGeometry& geometry, const std::string& id);
Markup singular_values_figure(const FeatureGeometry& geometry, const ClusterNames& names);
/// A card a cluster: its numbers, its covariance, the pictures closest to its directions.
Markup cluster_cards(const FeatureGeometry& geometry, const ClusterNames& names,
                     const Thumbnails& thumbnails, const std::string& id);
/// All of them under one title; empty where there is nothing to show.
Markup geometry_section(const FeatureGeometry& geometry, const ClusterNames& names,
                        const Thumbnails& thumbnails, const std::string& id);

}  // namespace subspace::pipelines::report
