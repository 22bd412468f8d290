// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/metrics/partition.h>
#include <subspace/pipelines/record.h>
#include <subspace/pipelines/settings.h>

/// How a representation changes with its regularisation: a method at many values of one parameter.
/// ensc and ssc solve each from what the values before it left; lsr and edsc have one factorisation
/// for all.
namespace subspace::pipelines {

struct PathOptions {
  std::vector<Index> points = {};   ///< whose paths are asked for; empty: all
  std::vector<double> values = {};  ///< of the parameter; empty: a range of the method
  bool coefficients = false;        ///< keep those of every point and value
};

/// One point at one value.
struct PathPoint {
  Index support = 0;       ///< points that represent it
  double fit_error = 0.0;  ///< |x_j - X c| / |x_j|; 0 of a zero point
  double l1_norm = 0.0;
  bool converged = false;
  std::vector<Index> rows = {};  ///< of the coefficients, where they are kept
  std::vector<double> coefficients = {};
};

/// All points at one value: each by itself, or their clusters.
struct PathStep {
  double value = 0.0;
  bool converged = false;              ///< of all points, and of the clustering where there is one
  std::vector<PathPoint> points = {};  ///< where no number of clusters is given
  double cut = std::numeric_limits<double>::quiet_NaN();
  double confidence = std::numeric_limits<double>::quiet_NaN();
  double rate = std::numeric_limits<double>::quiet_NaN();  ///< of the input points, as in Outcome
  double eigengap = std::numeric_limits<double>::quiet_NaN();
  std::optional<PartitionMetrics> metrics = {};  ///< only where truth is known
};

struct PathRecord {
  InputInfo input = {};
  std::string method = {};
  std::string parameter = {};  ///< gamma, alpha or lambda
  NamedValues options = {};    ///< every key of the method but the weight that varies
  int num_clusters = 0;        ///< 0: none given
  std::uint64_t seed = 0;
  int threads = 0;
  std::string backend = {};
  std::string source_commit = {};  ///< of the suite that computed it; empty outside of a repository
  std::vector<Index> points = {};  ///< in the order of PathStep::points
  bool coefficients = false;       ///< whether the points have theirs
  std::vector<PathStep> steps = {};
  std::optional<TruthInfo> truth = {};
  std::string not_evaluated = {};  ///< as in Record
  double load_seconds = 0.0;
  /// Sums over the values; the total is all that comes after the load, signals included.
  StageSeconds seconds = {};
  std::int64_t peak_memory = 0;  ///< bytes
  std::vector<std::string> warnings = {};
};

/// The path of settings.method, one of ensc, ssc, lsr and edsc, on settings.input. With
/// settings.clusters the points are clustered at each value; without, ensc and ssc tell of each
/// point, and the others, whose every coefficient is nonzero, have nothing to tell:
/// InvalidArgument; a truth without clusters is refused alike. That of ssc goes along alpha, on
/// linear subspaces and by active sets: no other of its forms and solvers has a path. The record
/// goes to settings.json where that is a file, the table to settings.out. Throws ResourceError once
/// the points are there where predicted_path_memory() says more than the context allows.
SUBSPACE_API PathRecord path_of_input(const RunSettings& settings, const PathOptions& options,
                                      const Context& context);

SUBSPACE_API std::string to_json(const PathRecord& record);
/// A line a point and value, or a line a value where points are clustered.
SUBSPACE_API std::string to_csv(const PathRecord& record);

}  // namespace subspace::pipelines
