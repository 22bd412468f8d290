// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <subspace/core/export.h>
#include <subspace/datasets/image.h>
#include <subspace/diagnostics/representation.h>
#include <subspace/metrics/partition.h>
#include <subspace/pipelines/outcome.h>

namespace subspace::pipelines {

/// Version of the JSON below; changes when a key changes its meaning or goes.
inline constexpr char kRecordSchema[] = "subspace-record-1";

struct InputInfo {
  std::string name = {};
  std::int64_t n = 0;
  std::int64_t dim = 0;
  std::string sha256 = {};
  std::optional<datasets::ImageShape> image = {};  ///< of pictures, whose values are pixel / 255
};

/// Where the true labels came from.
struct TruthInfo {
  std::string source = {};    ///< the file's name, without its folder
  std::string variable = {};  ///< the array or column, given or guessed; empty where it has no name
};

/// The subspaces of the clusters, by increasing label.
struct ClusterShapes {
  Labels labels = {};
  std::vector<int> dimensions = {};
  std::vector<double> residuals = {};  ///< root mean square distance of the points from their own
};

/// All there is to say about one run, enough to repeat it and to judge it.
struct Record {
  std::string command = {};
  InputInfo input = {};
  std::string method = {};
  NamedValues options = {};  ///< num_clusters, then every key of the method
  std::uint64_t seed = 0;
  int threads = 0;
  std::string backend = {};
  std::string device = {};              ///< where features were learned; empty where none were
  std::optional<ModelInfo> model = {};  ///< the network that was used instead of training one
  std::string source_commit = {};  ///< of the suite that computed it; empty outside of a repository
  Outcome outcome = {};
  std::optional<ClusterShapes> clusters = {};    ///< of a model that was kept
  std::optional<PartitionMetrics> metrics = {};  ///< only where truth is known
  std::optional<TruthInfo> truth = {};           ///< what the metrics compare with
  /// Why a truth that was asked for could not be used; empty where it was, or where none was.
  std::string not_evaluated = {};
  /// The coefficients beside the truth, of methods that have them; not of tables.
  std::optional<RepresentationReport> coefficients = {};
  double load_seconds = 0.0;
  std::int64_t peak_memory = 0;  ///< bytes
};

/// The metrics under the names of the record.
SUBSPACE_API NamedValues named(const PartitionMetrics& metrics);

/// One JSON object. Numbers that are not finite become null.
SUBSPACE_API std::string to_json(const Record& record);

/// The record of an evaluation alone: schema, command, version, input, metrics, truth.
SUBSPACE_API std::string evaluation_json(const InputInfo& input, const PartitionMetrics& metrics,
                                         const TruthInfo& truth);

}  // namespace subspace::pipelines
