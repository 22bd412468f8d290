// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/predict_job.h>

#include <algorithm>
#include <utility>

#include <subspace/backend.h>
#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/pipelines/cluster_job.h>
#include <subspace/pipelines/input.h>
#include <subspace/pipelines/model.h>

#include "methods/feature_learner.h"
#include "methods/margin_confidence.h"
#include "neural_runtime.h"
#include "source_commit.h"
#include "stopwatch.h"
#include "truth.h"

namespace subspace::pipelines {
namespace {

/// The features of the points by the network that the clusters were found in.
Matrix features_of(const datasets::PointSet& points, const ClusterModel& model,
                   const RunSettings& settings, const Context& context, Record& record) {
  const Points given{points.X, points.image};
  check_peak_memory(model, points.X.cols(), context,
                    {.given = static_cast<double>(points.X.size()) * sizeof(double),
                     .embedding = embedding_bytes(given, settings.model)});
  Embedding embedding =
      embed_by_model(given, settings.model, {}, {.device = settings.device}, context);
  if (embedding.model.sha256 != model.network) {
    throw DataError(message(settings.model,
                            ": the network is not the one whose features the "
                            "clusters were found in; cluster with --save again"));
  }
  record.device = resolved_device(settings.device);
  record.outcome.features_seconds = embedding.features.seconds;
  record.outcome.warnings = std::move(embedding.features.warnings);
  return std::move(embedding.features.Z);
}

/// Points without a direction lie in every subspace through the origin.
void warn_of_zeros(const ConstMatrixRef& X, const ClusterModel& model, Outcome& outcome) {
  if (model.preprocessor.normalization != Normalization::kUnitColumns) return;
  if (model.preprocessor.appended != 0.0) return;  // which gives every point one
  Index zeros = 0;
  for (Index j = 0; j < X.cols(); ++j) zeros += X.col(j).isZero(0.0) ? 1 : 0;
  if (zeros == 0) return;
  outcome.warnings.push_back(
      message("predict: ", zeros, " zero samples have no direction; their labels mean nothing"));
}

void predict_by_model(const datasets::PointSet& points, const RunSettings& settings,
                      const Context& context, Record& record) {
  const ClusterModel model = load_model(settings.model, context);
  record.method = model.method;
  record.options = model.options;
  record.options.emplace_back("predict.rule", rule_name(model.rule));
  record.seed = model.seed;
  Matrix features;
  if (!model.network.empty()) features = features_of(points, model, settings, context, record);
  record.model = {.folder = settings.model, .sha256 = model.arrays_sha256};
  Stopwatch watch;
  Prediction nearest = predict(model, model.network.empty() ? points.X : features, context);
  record.outcome.seconds.assignment = watch.lap();
  record.outcome.seconds.total =
      record.outcome.seconds.assignment + record.outcome.features_seconds;
  warn_of_zeros(points.X, model, record.outcome);
  record.outcome.converged = nearest.converged;
  record.outcome.confidence = margin_confidence(nearest);
  record.outcome.certificate = std::move(nearest.certificate);
  record.outcome.labels = std::move(nearest.labels);
  record.clusters = shapes_of(model);
}

/// A network with a cluster head is a model of its own.
void predict_by_head(const datasets::PointSet& points, const RunSettings& settings,
                     const Context& context, Record& record) {
  Clusterer head("nmce-head");
  record.model = head.use_model(settings.model);
  record.method = head.info().name;
  record.options = head.values();
  record.device = resolved_device(settings.device);
  const Execution execution = {
      .device = settings.device, .run_folder = settings.model, .trained = true, .new_points = true};
  record.outcome =
      head.run({points.X, points.image}, record.model->num_clusters, execution, context);
}

bool holds_head(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::exists(folder / "tune", ignored) ||
         std::filesystem::exists(folder / "heads", ignored);
}

void require_folder(const RunSettings& settings) {
  if (settings.input.empty()) throw InvalidArgument("predict: no INPUT given");
  if (settings.model.empty()) {
    throw InvalidArgument("predict: no --model given, a folder of `cluster --save`");
  }
  if (holds_model(settings.model) || holds_head(settings.model)) return;
  throw IoError(message("--model ", settings.model,
                        ": holds no clusters; `subspace cluster --save` keeps some"));
}

}  // namespace

Record predict_input(const RunSettings& settings, const Context& context) {
  require_folder(settings);
  const Input input(settings.input, settings.data_dir, settings.image_size);
  check_truth(settings, input);
  apply_threads(context);
  Record record;
  Stopwatch watch;
  const datasets::PointSet points = input.load_points(load_options(settings), context);
  record.load_seconds = watch.lap();
  record.command = "predict";
  record.input = {points.name, points.X.cols(), points.X.rows(), points.sha256, points.image};
  (holds_model(settings.model) ? predict_by_model : predict_by_head)(points, settings, context,
                                                                     record);
  // Before the evaluation, which is no part of the run.
  record.peak_memory = std::max(peak_memory(), record.outcome.features_memory);
  evaluate_record(record, settings, input, context);
  record.outcome.warnings.insert(record.outcome.warnings.begin(), points.notes.begin(),
                                 points.notes.end());
  record.threads = resolve_threads(context);
  record.backend = backend_name();
  record.source_commit = source_commit();
  return record;
}

}  // namespace subspace::pipelines
