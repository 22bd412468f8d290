// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/cluster_job.h>

#include <algorithm>
#include <utility>

#include <subspace/backend.h>
#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/datasets/load.h>
#include <subspace/pipelines/input.h>

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

/// --save and --model are for methods that learn.
Execution execution_of(const RunSettings& settings, const Clusterer& clusterer) {
  for (const auto& [flag, folder] :
       {std::pair("--save", settings.save), std::pair("--model", settings.model)}) {
    if (!folder.empty() && !clusterer.learns()) {
      throw InvalidArgument(
          message(flag, " ", folder, ": method ", clusterer.info().name, " trains no network"));
    }
  }
  if (!settings.save.empty() && !settings.model.empty()) {
    throw InvalidArgument("--save and --model: must be one of the two");
  }
  return {.seed = settings.seed,
          .device = settings.device,
          .run_folder = settings.model.empty() ? settings.save : settings.model,
          .trained = !settings.model.empty()};
}

}  // namespace

Record cluster_input(const RunSettings& settings, const Context& context) {
  if (settings.input.empty()) throw InvalidArgument("cluster: no INPUT given");
  if (!settings.clusters) throw InvalidArgument("cluster: no number of clusters given, use -k");
  Clusterer clusterer = make_clusterer(settings);
  const Execution execution = execution_of(settings, clusterer);
  const Input input(settings.input, settings.data_dir, settings.image_size);
  check_truth(settings, input);
  apply_threads(context);
  Record record;
  if (execution.trained) record.model = clusterer.use_model(settings.model);

  Stopwatch watch;
  const datasets::PointSet points = input.load_points(load_options(settings), context);
  record.load_seconds = watch.lap();
  context.throw_if_cancelled();
  record.outcome =
      clusterer.run(Points{points.X, points.image}, *settings.clusters, execution, context);
  record.outcome.warnings.insert(record.outcome.warnings.begin(), points.notes.begin(),
                                 points.notes.end());
  const std::optional<Evaluation> evaluation =
      evaluate_against_truth(record.outcome, settings, input, points.X.rows(), context);
  if (evaluation) {
    record.metrics = evaluation->metrics;
    record.truth = evaluation->truth;
  }

  record.command = "cluster";
  record.input = {points.name, points.X.cols(), points.X.rows(), points.sha256, points.image};
  record.method = clusterer.info().name;
  record.options = all_options(clusterer, *settings.clusters);
  record.seed = settings.seed;
  record.threads = resolve_threads(context);
  record.backend = backend_name();
  record.peak_memory = std::max(peak_memory(), record.outcome.features_memory);
  if (clusterer.learns()) record.device = resolved_device(settings.device);
  record.source_commit = source_commit();
  return record;
}

}  // namespace subspace::pipelines
