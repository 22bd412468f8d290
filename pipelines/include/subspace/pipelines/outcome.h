// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <subspace/core/parameters.h>
#include <subspace/core/types.h>
#include <subspace/diagnostics/cluster_count.h>
#include <subspace/diagnostics/confidence.h>
#include <subspace/metrics/partition.h>
#include <subspace/pipeline/pipeline.h>
#include <subspace/self_expression/self_expression.h>

namespace subspace::pipelines {

/// Values under their names, in an order that records and tables keep.
using NamedValues = std::vector<std::pair<std::string, ParameterValue>>;

/// Which trained network a run used.
struct ModelInfo {
  std::string folder = {};
  std::string sha256 = {};  ///< of its arrays
  std::int64_t step = 0;    ///< of the training, that its weights come from
  int num_clusters = 0;     ///< that its cluster head tells apart; 0: it has none
};

/// What a run leaves to look at beside its labels.
struct Evidence {
  Matrix embedding = {};          ///< a column a point: what the last stage saw
  std::string embedding_of = {};  ///< in words: "spectral embedding", "points"
  SparseMatrix affinity = {};     ///< empty where a method has none
  Matrix features = {};           ///< a column a point: what was learned; empty where nothing was
  bool loops = false;             ///< the diagonal of the affinity counts, see AffinityOptions
};

/// What a method that learns would have answered had its training ended earlier.
struct CurvePoint {
  std::int64_t step = 0;
  double seconds = 0.0;  ///< its share of the training, and the clustering
  Labels labels = {};
  NamedValues signals = {};                      ///< as those of the outcome
  std::optional<PartitionMetrics> metrics = {};  ///< only where truth is known
};

/// What any method of the catalogue answers.
struct Outcome {
  Labels labels = {};
  StageSeconds seconds = {};         ///< stages a method does not have stay 0
  double features_seconds = 0.0;     ///< learning of features, whenever that was; part of the total
  std::int64_t features_memory = 0;  ///< largest resident set while they were learned, bytes
  bool converged = false;            ///< every stage met its own tolerance
  NamedValues certificate = {};  ///< evidence: residuals and the tolerances they were held against
  std::vector<std::string> warnings = {};
  /// What speaks for the labels without any truth: `cut`, the mean share of edge weight that leaves
  /// a cluster, `confidence`, the mean over points, `rate`, the coding rate of the clusters (of the
  /// points, or of what was learned of them), and `loss`, that a training ended with. Of methods
  /// that can tell.
  NamedValues signals = {};
  std::vector<CurvePoint> curve = {};              ///< of the steps in Execution::curve
  std::optional<Confidence> confidence = {};       ///< in each label; of methods that can tell
  std::optional<ClusterCount> cluster_count = {};  ///< where the number was estimated
  std::optional<Evidence> evidence = {};           ///< where Execution::keep_evidence asked for it
  /// p x N, what was learned of the points; empty unless Execution::keep_features asked for it of a
  /// method that learns.
  Matrix features = {};
  /// How each point is made of the others; empty unless Execution::keep_coefficients asked for it
  /// of a method that has a square matrix of them.
  std::optional<Representation> coefficients = {};
};

}  // namespace subspace::pipelines
