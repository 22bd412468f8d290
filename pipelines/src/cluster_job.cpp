// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/cluster_job.h>

#include <algorithm>
#include <set>
#include <utility>

#include <subspace/backend.h>
#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/datasets/load.h>
#include <subspace/datasets/sparse.h>
#include <subspace/diagnostics/linearity.h>
#include <subspace/pipelines/input.h>
#include <subspace/pipelines/model.h>

#include "methods/kept_bytes.h"
#include "neural_runtime.h"
#include "source_commit.h"
#include "stopwatch.h"
#include "truth.h"

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;

NamedValues all_options(const Clusterer& clusterer, int num_clusters) {
  NamedValues options = {{"num_clusters", std::int64_t{num_clusters}}};
  for (auto& option : clusterer.values()) options.push_back(std::move(option));
  return options;
}

/// --model is for methods that learn, --save for those that leave something to predict with.
void check_folders(const RunSettings& settings, const Clusterer& clusterer) {
  if (!settings.model.empty() && !clusterer.learns()) {
    throw InvalidArgument(message("--model ", settings.model, ": method ", clusterer.info().name,
                                  " trains no network"));
  }
  if (!settings.save.empty() && !clusterer.learns() && !clusterer.has_model()) {
    throw InvalidArgument(message("--save ", settings.save, ": method ", clusterer.info().name,
                                  " sees no points, nothing could be predicted"));
  }
  if (!settings.save.empty() && !settings.model.empty()) {
    throw InvalidArgument("--save and --model: must be one of the two");
  }
}

Execution execution_of(const RunSettings& settings, const Clusterer& clusterer,
                       const Context& context) {
  check_folders(settings, clusterer);
  Execution execution = {.seed = settings.seed,
                         .device = settings.device,
                         .run_folder = settings.model.empty() ? settings.save : settings.model,
                         .trained = !settings.model.empty(),
                         .keep_features = !settings.save.empty() && clusterer.has_model(),
                         .keep_coefficients = true};
  if (settings.estimate_clusters) {
    execution.estimate = ClusterCountOptions{.max_clusters = settings.max_clusters};
  }
  if (!settings.start.empty()) {
    execution.start = datasets::load_labels(settings.start, {}, context);
  }
  return execution;
}

/// The number of clusters where one is given; a labeling to start from brings its own.
int count_of(const RunSettings& settings, const Execution& execution) {
  if (settings.estimate_clusters) return 0;
  if (execution.start.empty()) {
    if (settings.clusters) return *settings.clusters;
    throw InvalidArgument("cluster: no number of clusters given, use -k");
  }
  const std::set<int> distinct(execution.start.begin(), execution.start.end());
  const auto found = static_cast<int>(distinct.size());
  if (settings.clusters && *settings.clusters != found) {
    throw InvalidArgument(message("-k ", *settings.clusters, ": --start ", settings.start, " has ",
                                  found, " clusters; they must agree"));
  }
  return found;
}

/// What was loaded: points, or the sparse matrix of the method `precomputed`.
struct Loaded {
  datasets::PointSet points = {};
  std::optional<SparseMatrix> sparse = {};

  Points view() const { return {points.X, points.image, sparse ? &*sparse : nullptr}; }
  Index samples() const { return sparse ? sparse->cols() : points.X.cols(); }
  Index features() const { return sparse ? sparse->rows() : points.X.rows(); }
};

Loaded load(const RunSettings& settings, const Input& input, const Clusterer& clusterer,
            const Context& context) {
  const std::vector<fs::path> files = input.files();
  if (files.size() != 1 || !datasets::holds_sparse_matrix(files.front())) {
    return {.points = input.load_points(load_options(settings), context)};
  }
  if (clusterer.info().name != "precomputed") {
    throw InvalidArgument(
        message(settings.input, ": a sparse matrix, method ", clusterer.info().name,
                " needs points; an affinity or coefficients are for precomputed"));
  }
  datasets::SparseSet set =
      datasets::load_sparse(files.front(), settings.columns_are_samples, context);
  return {.points = {.name = set.name, .sha256 = set.sha256}, .sparse = std::move(set.X)};
}

/// What speaks against the model behind all methods but neighbour graphs and k-means. Where looking
/// at it does not fit into memory beside the points and the outcome, a warning says so: the run
/// itself has ended well.
void warn_of_shape(const Loaded& loaded, const Clusterer& clusterer, const Context& context,
                   Outcome& outcome) {
  const Matrix& X = loaded.points.X;
  if (!clusterer.assumes_linear_subspaces() || loaded.sparse || X.cols() < 2) return;
  try {
    const Linearity linearity =
        check_linearity(X, {}, beside(context, bytes_of(X) + kept_bytes(outcome)));
    if (linearity.warning) outcome.warnings.push_back(*linearity.warning);
  } catch (const ResourceError& error) {
    outcome.warnings.push_back(
        message("not looked at whether linear subspaces suit the points: ", error.what()));
  }
}

/// Keeps what predict needs, in the folder where a network lies if one was trained.
void keep_model(const RunSettings& settings, const Loaded& loaded, Clusterer& clusterer,
                const Context& context, Record& record) {
  if (settings.save.empty()) return;
  if (!clusterer.has_model())
    return remove_model(settings.save);  // an older one is of other clusters
  // The very features that were clustered: to embed the pictures again would take as long.
  const Matrix features = std::move(record.outcome.features);
  ClusterModel model = clusterer.fit_model(clusterer.learns() ? features : loaded.points.X,
                                           record.outcome.labels, settings.seed, context);
  if (clusterer.learns()) model.network = clusterer.use_model(settings.save).sha256;
  model.input = record.input;
  save_model(settings.save, model);
  record.clusters = shapes_of(model);
}

}  // namespace

Record cluster_input(const RunSettings& settings, const Context& context) {
  if (settings.input.empty()) throw InvalidArgument("cluster: no INPUT given");
  Clusterer clusterer = make_clusterer(settings);
  const Execution execution = execution_of(settings, clusterer, context);
  const int num_clusters = count_of(settings, execution);
  const Input input(settings.input, settings.data_dir, settings.image_size);
  check_truth(settings, input);
  apply_threads(context);
  Record record;
  if (execution.trained) record.model = clusterer.use_model(settings.model);

  Stopwatch watch;
  const Loaded loaded = load(settings, input, clusterer, context);
  const datasets::PointSet& points = loaded.points;
  record.load_seconds = watch.lap();
  context.throw_if_cancelled();
  record.outcome = clusterer.run(loaded.view(), num_clusters, execution, context);
  // Before the evaluation, which is no part of the run.
  record.peak_memory = std::max(peak_memory(), record.outcome.features_memory);
  record.outcome.warnings.insert(record.outcome.warnings.begin(), points.notes.begin(),
                                 points.notes.end());
  warn_of_shape(loaded, clusterer, context, record.outcome);
  record.command = "cluster";
  record.input = {points.name, loaded.samples(), loaded.features(), points.sha256, points.image};
  evaluate_record(record, settings, input, context);
  record.outcome.coefficients.reset();
  keep_model(settings, loaded, clusterer, context, record);
  record.method = clusterer.info().name;
  record.options = all_options(clusterer, record.outcome.cluster_count
                                              ? record.outcome.cluster_count->num_clusters
                                              : num_clusters);
  record.seed = settings.seed;
  record.threads = resolve_threads(context);
  record.backend = backend_name();
  if (clusterer.learns()) record.device = resolved_device(settings.device);
  record.source_commit = source_commit();
  return record;
}

}  // namespace subspace::pipelines
