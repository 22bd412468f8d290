// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/head_clusters.h"

#include <algorithm>
#include <array>
#include <utility>

#include <subspace/core/error.h>
#include <subspace/metrics/feature_geometry.h>
#include <subspace/neural/embed.h>
#include <subspace/pipeline/pipeline.h>

#include "methods/margin_confidence.h"
#include "methods/rate_signal.h"
#include "methods/training_stage.h"
#include "stopwatch.h"
#include "temporary_folder.h"

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;
using neural::Objective;

/// The three stages of NMCE: features by the total coding rate; new heads with the whole objective
/// on a network that stays as it is; all of it with the whole objective. A stage of 0 steps is left
/// out, and the next starts from what there is.
class HeadClusters final : public MethodState {
 public:
  HeadClusters() {
    stages_[0].options.objective = neural::objective_options(Objective::kTcr);
    for (Stage* stage : {&stages_[1], &stages_[2]}) {
      stage->options.objective = neural::objective_options(Objective::kNmce);
      stage->options.steps = 500;
    }
    stages_[1].options.trained = neural::TrainedPart::kHeads;
  }

  std::vector<MethodOption> options() override {
    std::vector<MethodOption> all;
    for (Stage& stage : stages_) append_stage(all, stage.name, parameters_of(stage));
    return all;
  }

  Outcome run(const Points& points, int num_clusters, const Execution& execution,
              const Context& context) const override {
    if (execution.new_points) {
      require_finite(points.X, "predict");
    } else {
      require_clusterable(points.X, num_clusters);
    }
    if (num_clusters < 2) {
      throw InvalidArgument(
          message("nmce-head: ", num_clusters, " cluster, must be at least 2 for a cluster head"));
    }
    const neural::ImageShape shape = shape_of(points, network(), "nmce-head");
    if (!execution.run_folder.empty())
      return run_in(execution.run_folder, points, shape, num_clusters, execution, context);
    const TemporaryFolder folder("subspace-run");
    return run_in(folder.path(), points, shape, num_clusters, execution, context);
  }

  Work work(const Points& points, int, const Context&) const override {
    const neural::ImageShape shape = shape_of(points, network(), "nmce-head");
    Work sum;
    for (const Stage& stage : stages_) {
      if (stage.options.steps == 0) continue;
      const Work one = training_work(with_network(stage), shape, points.X.cols());
      // A network that stays as it is has no backward pass.
      const bool heads = stage.options.trained == neural::TrainedPart::kHeads;
      sum.trainings.push_back(one.multiply_adds / (heads ? 3.0 : 1.0));
      sum.multiply_adds += sum.trainings.back();
      sum.bytes = std::max(sum.bytes, one.bytes);
    }
    return sum;
  }

  std::vector<std::string> learned_stages() const override {
    std::vector<std::string> names;
    for (const Stage& stage : stages_) names.emplace_back(stage.name);
    return names;
  }

  /// A stage without a folder was left out.
  ModelInfo use_model(const fs::path& folder) override {
    const fs::path last = last_trained(folder);
    for (Stage& stage : stages_) {
      if (fs::exists(folder / stage.name)) {
        stage.options =
            find_network(folder / stage.name, stage.options.objective.objective).options;
      } else {
        stage.options.steps = 0;
      }
    }
    const neural::CheckpointInfo network = find_network(last, Objective::kNmce);
    stages_[0].options.network = network.options.network;
    stages_[0].options.augmentation = network.options.augmentation;
    ModelInfo info = model_info(last, network);
    info.num_clusters = network.options.network.cluster_outputs;
    return info;
  }

  /// A stage depends on those before it. The first is what the learner `tcr` trains, under the same
  /// key, so that features+clusterer shares it.
  std::vector<std::string> training_keys(int num_clusters) const override {
    std::vector<std::string> keys;
    for (const Stage& stage : stages_) {
      if (stage.options.steps == 0) continue;
      neural::TrainingOptions options = options_of(stage, num_clusters);
      Parameters parameters = describe(options);
      if (&stage == &stages_[0]) {
        std::erase_if(parameters, [](const Parameter& each) { return each.name == "trained"; });
      }
      const std::string before = keys.empty() ? "" : keys.back() + "; ";
      keys.push_back(before + training_key(stage.name, parameters));
    }
    return keys;
  }

  Features learn(const Points&, const Execution&, const Context&) const override {
    throw InvalidArgument(
        "method nmce-head learns clusters with its features, use `subspace cluster --save`");
  }

 private:
  struct Stage {
    const char* name = nullptr;
    neural::TrainingOptions options = {};
  };

  const neural::NetworkOptions& network() const { return stages_[0].options.network; }

  /// Network and views are those of the first stage; a stage of 0 steps is left out.
  Parameters parameters_of(Stage& stage) const {
    Parameters all = describe(stage.options);
    if (&stage != &stages_[0]) {
      neural::NetworkOptions network;
      neural::AugmentationOptions views;
      for (const Parameters& common : {describe(network), describe(views)}) {
        std::erase_if(all, [&](const Parameter& each) {
          return std::ranges::any_of(common,
                                     [&](const Parameter& one) { return one.name == each.name; });
        });
      }
    }
    std::erase_if(all, [&](const Parameter& each) {
      return each.name == "cluster_outputs" || (each.name == "trained" && &stage == &stages_[0]);
    });
    for (Parameter& each : all) {
      if (each.name == "steps") each.at_least(0).help = "steps of training; 0: no such stage";
    }
    return all;
  }

  neural::TrainingOptions with_network(const Stage& stage) const {
    neural::TrainingOptions options = stage.options;
    options.network = network();
    options.augmentation = stages_[0].options.augmentation;
    return options;
  }

  neural::TrainingOptions options_of(const Stage& stage, int num_clusters) const {
    neural::TrainingOptions options = with_network(stage);
    const bool clusters = options.objective.objective == Objective::kNmce;
    options.network.cluster_outputs = clusters ? num_clusters : 0;
    return options;
  }

  /// The folder of the last stage that was trained.
  fs::path train_all(const fs::path& folder, const Points& points, const neural::ImageShape& shape,
                     int num_clusters, const Execution& execution, const Context& context,
                     Features& features) const {
    fs::path last;
    std::size_t done = 0;
    const Stage* before = nullptr;
    for (const Stage& stage : stages_) {
      if (stage.options.steps == 0) continue;
      const fs::path own = execution.training_folders.empty() ? folder / stage.name
                                                              : execution.training_folders.at(done);
      Execution conduct = execution;
      if (before != nullptr) conduct.kept_steps.clear();
      train_stage({.name = stage.name,
                   .options = options_of(stage, num_clusters),
                   .folder = own,
                   .start = last,
                   .new_heads = before == &stages_[0]},
                  points, shape, conduct, context, features);
      last = own;
      before = &stage;
      ++done;
    }
    return last;
  }

  /// The folder of the last stage that is there and has clusters.
  fs::path last_trained(const fs::path& folder) const {
    for (const Stage* stage : {&stages_[2], &stages_[1]}) {
      if (fs::exists(folder / stage->name)) return folder / stage->name;
    }
    throw IoError(message(folder.string(), " holds no network of nmce-head: neither ",
                          stages_[1].name, " nor ", stages_[2].name));
  }

  Outcome run_in(const fs::path& folder, const Points& points, const neural::ImageShape& shape,
                 int num_clusters, const Execution& execution, const Context& context) const {
    if (stages_[1].options.steps == 0 && stages_[2].options.steps == 0) {
      throw InvalidArgument(
          "nmce-head: heads.steps = 0 and tune.steps = 0, one must train the cluster head");
    }
    Features features;
    const fs::path network = execution.trained ? last_trained(folder)
                                               : train_all(folder, points, shape, num_clusters,
                                                           execution, context, features);
    Stopwatch watch;
    const neural::HeadClusters head =
        neural::head_clusters(points.X, shape, network, execution.device, context);
    if (head.probabilities.rows() != num_clusters) {
      throw InvalidArgument(message("nmce-head: the network tells ", head.probabilities.rows(),
                                    " clusters apart, must be ", num_clusters));
    }
    Outcome outcome;
    outcome.labels = head.labels;
    outcome.confidence =
        summed_up(head.probabilities.colwise().maxCoeff().transpose(), head.labels);
    outcome.signals = {{"confidence", outcome.confidence->mean}};
    if (features.loss) outcome.signals.emplace_back("loss", *features.loss);
    outcome.seconds.assignment = watch.lap();
    outcome.seconds.total = outcome.seconds.assignment + features.seconds;
    outcome.features_seconds = features.seconds;
    outcome.features_memory = features.memory;
    outcome.converged = true;
    outcome.certificate = features.certificate;
    outcome.certificate.emplace_back("mean_probability",
                                     head.probabilities.colwise().maxCoeff().mean());
    outcome.warnings = features.warnings;
    outcome.warnings.insert(outcome.warnings.end(), head.warnings.begin(), head.warnings.end());
    const Matrix Z =
        neural::embed(points.X, shape, network, {.device = execution.device}, context).Z;
    add_rate_signal(Z, outcome, context);
    // Subspaces that are orthogonal to one another, and not points: what the objective asks for.
    const CosineTable cosines = absolute_cosines(Z, outcome.labels, {}, execution.seed, context);
    outcome.certificate.emplace_back("absolute_cosine_between", cosines.between);
    outcome.certificate.emplace_back("absolute_cosine_within", cosines.within);
    if (execution.keep_features) outcome.features = Z;
    if (execution.keep_evidence) outcome.evidence = Evidence{Z, "features", {}, Z};
    return outcome;
  }

  std::array<Stage, 3> stages_ = {{{"tcr"}, {"heads"}, {"tune"}}};
};

}  // namespace

const std::vector<MethodDefinition>& head_definitions() {
  static const std::vector<MethodDefinition> all = {
      {{"nmce-head",
        "neural manifold clustering and embedding with its whole objective: features by tcr, then "
        "clusters and features together; labels from the cluster head",
        "Z. Li, Y. Chen, Y. LeCun, F. Sommer. Neural manifold clustering and embedding. 2022."},
       []() -> std::unique_ptr<MethodState> { return std::make_unique<HeadClusters>(); }}};
  return all;
}

}  // namespace subspace::pipelines
