// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/probe_job.h>

#include <utility>

#include <subspace/backend.h>
#include <subspace/core/atomic_file.h>
#include <subspace/core/error.h>
#include <subspace/core/parallel.h>
#include <subspace/core/version.h>
#include <subspace/metrics/feature_geometry.h>
#include <subspace/pipelines/cluster_job.h>
#include <subspace/pipelines/input.h>

#include "methods/feature_learner.h"
#include "record_json.h"
#include "source_commit.h"
#include "stopwatch.h"
#include "truth.h"

namespace subspace::pipelines {
namespace {

/// Pictures or points with the labels that the classifiers may see.
struct Labelled {
  datasets::PointSet points = {};
  Labels labels = {};
};

Labelled load_labelled(const std::string& text, const std::string& truth,
                       const RunSettings& settings, const Context& context) {
  const Input input(text, settings.data_dir, settings.image_size);
  Labelled set;
  set.points = input.load_points(load_options(settings), context);
  set.labels = truth.empty() ? input.load_labels(load_options(settings), context)
                             : datasets::load_labels(truth, {.y = settings.y}, context);
  if (std::ssize(set.labels) != set.points.X.cols()) {
    throw DataError(message("probe: ", set.labels.size(), " labels for ", set.points.X.cols(),
                            " points of ", text));
  }
  return set;
}

/// Which columns the classifiers learn from and which they are tested on.
struct Split {
  std::vector<Index> train = {};
  std::vector<Index> test = {};
};

Split hold_out(Index n, int every) {
  Split split;
  for (Index j = 0; j < n; ++j) (j % every == every - 1 ? split.test : split.train).push_back(j);
  return split;
}

Labels chosen(const Labels& labels, const std::vector<Index>& which) {
  Labels some;
  for (const Index j : which) some.push_back(labels[static_cast<std::size_t>(j)]);
  return some;
}

/// Features and labels of both halves under one layer.
struct Halves {
  Matrix train = {};
  Matrix test = {};
};

void probe(const Halves& features, const Labels& train, const Labels& test,
           const ProbeOptions& options, std::uint64_t seed, const Context& context,
           ProbedLayer& layer) {
  const auto score = [&](const Classifier& method) {
    return accuracy(method(features.train, train, features.test, context), test);
  };
  layer.dimension = features.train.rows();
  layer.svm = score(classifier(LinearSvmOptions{}, seed));
  layer.neighbors = score(classifier(options.neighbors));
  layer.nearest_subspace = score(classifier(options.nearest_subspace));
  if (!options.label_counts.empty()) {
    layer.few_labels =
        few_label_curve({features.train, train}, {features.test, test}, options.label_counts, {},
                        classifier(LinearSvmOptions{}), seed, context);
  }
  const Spectrum all = spectrum(features.train, context);
  layer.singular_values.assign(all.singular_values.begin(), all.singular_values.end());
  layer.effective_rank = all.effective_rank;
  const CosineTable cosines = absolute_cosines(features.train, train, {}, seed, context);
  layer.within = cosines.within;
  layer.between = cosines.between;
}

Json layer_json(const ProbedLayer& layer) {
  Json json = {{"layer", layer.layer},
               {"views", layer.views},
               {"dim", layer.dimension},
               {"accuracy",
                {{"svm", layer.svm},
                 {"knn", layer.neighbors},
                 {"nearest_subspace", layer.nearest_subspace}}},
               {"effective_rank", layer.effective_rank},
               {"absolute_cosine", {{"within", layer.within}, {"between", layer.between}}},
               {"singular_values", layer.singular_values}};
  for (const FewLabelAccuracy& few : layer.few_labels) {
    json["few_labels"].push_back({{"labels", few.num_labels},
                                  {"mean", few.mean},
                                  {"sd", few.standard_deviation},
                                  {"samplings", few.accuracies.size()}});
  }
  return json;
}

}  // namespace

ProbeRecord probe_input(const RunSettings& settings, const ProbeOptions& options,
                        const Context& context) {
  if (settings.input.empty()) throw InvalidArgument("probe: no INPUT given");
  if (settings.model.empty()) {
    throw InvalidArgument("probe: no --model given, the folder of a network");
  }
  if (options.hold_out < 2) {
    throw InvalidArgument(
        message("probe: hold_out = ", options.hold_out, ", must satisfy hold_out >= 2"));
  }
  NeighborVoteOptions neighbors = options.neighbors;
  NearestSubspaceOptions subspaces = options.nearest_subspace;
  check(describe(neighbors), "probe");
  check(describe(subspaces), "probe");
  check_outputs(settings);
  Stopwatch watch;
  const Labelled first = load_labelled(settings.input, settings.truth, settings, context);
  Labelled second;
  if (!options.test.empty()) second = load_labelled(options.test, {}, settings, context);
  apply_threads(context);

  ProbeRecord record = {.test = options.test,
                        .folder = settings.model,
                        .seed = settings.seed,
                        .neighbors = options.neighbors.k,
                        .subspace_dimension = options.nearest_subspace.dimension,
                        .threads = resolve_threads(context),
                        .backend = backend_name(),
                        .source_commit = source_commit(),
                        .load_seconds = watch.lap()};
  record.input = {first.points.name, first.points.X.cols(), first.points.X.rows(),
                  first.points.sha256, first.points.image};
  const Execution execution = {.seed = settings.seed, .device = settings.device};
  const auto features_of = [&](const Labelled& set, const ProbedLayer& layer) {
    return embed_by_model({set.points.X, set.points.image}, settings.model,
                          {.layer = layer.layer, .views = layer.views}, execution, context)
        .features.Z;
  };
  const Split split = hold_out(first.points.X.cols(), options.hold_out);
  const bool apart = !options.test.empty();
  const Labels train = apart ? first.labels : chosen(first.labels, split.train);
  const Labels test = apart ? second.labels : chosen(first.labels, split.test);
  record.num_train = std::ssize(train);
  record.num_test = std::ssize(test);
  std::vector<int> ways = {0};
  if (options.views > 0) ways.push_back(options.views);
  for (const int views : ways) {
    for (const std::string& name : options.layers) {
      ProbedLayer layer = {.layer = name, .views = views};
      const Matrix all = features_of(first, layer);
      const Halves halves = apart
                                ? Halves{all, features_of(second, layer)}
                                : Halves{all(Eigen::all, split.train), all(Eigen::all, split.test)};
      probe(halves, train, test, options, settings.seed, context, layer);
      record.layers.push_back(std::move(layer));
    }
  }
  record.total_seconds = record.load_seconds + watch.lap();
  if (!settings.json.empty() && settings.json != "-") {
    write_file_atomically(settings.json, to_json(record));
  }
  return record;
}

std::string to_json(const ProbeRecord& record) {
  Json json = {{"schema", "subspace-probe-1"},
               {"command", "probe"},
               {"version", SUBSPACE_VERSION},
               {"input", input_json(record.input)},
               {"test", record.test.empty() ? "held out" : record.test},
               {"num_train", record.num_train},
               {"num_test", record.num_test},
               {"model", record.folder},
               {"seed", record.seed},
               {"neighbors", record.neighbors},
               {"subspace_dimension", record.subspace_dimension},
               {"threads", record.threads},
               {"backend", record.backend}};
  if (!record.source_commit.empty()) json["source_commit"] = record.source_commit;
  json["seconds"] = {{"load", record.load_seconds}, {"total", record.total_seconds}};
  json["layers"] = Json::array();
  for (const ProbedLayer& layer : record.layers) json["layers"].push_back(layer_json(layer));
  return json_text(json);
}

}  // namespace subspace::pipelines
