// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <utility>

#include <subspace/core/error.h>
#include <subspace/neural/embed.h>

#include "methods/feature_learner.h"
#include "methods/training_stage.h"
#include "stopwatch.h"
#include "temporary_folder.h"

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;

neural::Layer layer_of(const std::string& name) {
  if (name == "proj") return neural::Layer::kFeatures;
  if (name == "pre-feature") return neural::Layer::kHidden;
  if (name == "pool") return neural::Layer::kPool;
  throw InvalidArgument(message("layer = '", name, "', must be one of proj, pre-feature, pool"));
}

/// Adds what the network in the folder makes of the points.
void add_embedding(const Points& points, const neural::ImageShape& shape, const fs::path& folder,
                   const neural::EmbedOptions& options, const Context& context,
                   Features& features) {
  Stopwatch watch;
  neural::Features learned = neural::embed(points.X, shape, folder, options, context);
  features.seconds += watch.lap();
  features.Z = std::move(learned.Z);
  features.warnings.insert(features.warnings.end(), learned.warnings.begin(),
                           learned.warnings.end());
  features.steps = learned.step;
}

/// A network trained by one objective, see neural/training.h; the catalogue calls it as the
/// objective.
class NetworkFeatures final : public FeatureLearner {
 public:
  explicit NetworkFeatures(neural::TrainingOptions options)
      : name_(neural::objective_name(options.objective.objective)), options_(std::move(options)) {}

  Parameters parameters() override {
    Parameters all = describe(options_);
    // One stage from random weights has nothing to leave as it is.
    std::erase_if(all, [](const Parameter& each) { return each.name == "trained"; });
    return all;
  }
  ModelInfo use_model(const fs::path& folder) override {
    const neural::CheckpointInfo network = find_network(folder, options_.objective.objective);
    options_ = network.options;
    return model_info(folder, network);
  }
  Index dimension() const override { return options_.network.features; }

  Work work(const Points& points) const override {
    return training_work(options_, shape_of(points, options_.network, name_), points.X.cols());
  }

  Features learn(const Points& points, const Execution& execution,
                 const Context& context) const override {
    const neural::ImageShape shape = shape_of(points, options_.network, name_);
    if (!execution.run_folder.empty())
      return learn_in(execution.run_folder, points, shape, execution, context);
    const TemporaryFolder folder("subspace-run");
    return learn_in(folder.path(), points, shape, execution, context);
  }

  std::optional<Features> learned_at(int step, const Points& points, const Execution& execution,
                                     const Context& context) const override {
    Execution kept = execution;
    kept.run_folder = neural::kept_folder(execution.run_folder, step);
    kept.trained = true;
    if (execution.run_folder.empty() || !fs::exists(kept.run_folder)) return std::nullopt;
    return learn(points, kept, context);
  }

 private:
  Features learn_in(const fs::path& folder, const Points& points, const neural::ImageShape& shape,
                    const Execution& execution, const Context& context) const {
    Features features;
    if (!execution.trained) {
      const TrainingStage stage = {.name = name_, .options = options_, .folder = folder};
      train_stage(stage, points, shape, execution, context, features);
    }
    add_embedding(points, shape, folder, {.device = execution.device}, context, features);
    if (execution.trained) features.certificate = {{name_ + ".steps", features.steps}};
    return features;
  }

  std::string name_;
  neural::TrainingOptions options_;
};

template <neural::Objective objective>
LearnerDefinition learner(std::string summary, std::string reference) {
  return {{neural::objective_name(objective), std::move(summary), std::move(reference)},
          []() -> std::unique_ptr<FeatureLearner> {
            return std::make_unique<NetworkFeatures>(
                neural::TrainingOptions{.objective = neural::objective_options(objective)});
          }};
}

}  // namespace

const std::vector<LearnerDefinition>& learner_definitions() {
  using neural::Objective;
  static const std::vector<LearnerDefinition> all = {
      learner<Objective::kTcr>(
          "features of pictures that fill their space while two augmented views agree (total "
          "coding rate)",
          "Z. Li, Y. Chen, Y. LeCun, F. Sommer. Neural manifold clustering and embedding. 2022."),
      learner<Objective::kMcr2>(
          "features by coding rate reduction with each image, in many views, a class of its own "
          "(MCR2-CTRL)",
          "Y. Yu, K. Chan, C. You, C. Song, Y. Ma. Learning diverse and discriminative "
          "representations via the principle of maximal coding rate reduction. NeurIPS 2020."),
      learner<Objective::kSimclr>(
          "features that tell two views of one picture from those of all others (SimCLR)",
          "T. Chen, S. Kornblith, M. Norouzi, G. Hinton. A simple framework for contrastive "
          "learning of visual representations. ICML 2020."),
      learner<Objective::kVicreg>(
          "features of spread and uncorrelated coordinates while two views agree (VICReg)",
          "A. Bardes, J. Ponce, Y. LeCun. VICReg: variance-invariance-covariance regularization "
          "for self-supervised learning. ICLR 2022."),
      learner<Objective::kBarlow>(
          "features whose cross-correlation between two views is the identity (Barlow Twins)",
          "J. Zbontar, L. Jing, I. Misra, Y. LeCun, S. Deny. Barlow twins: self-supervised "
          "learning via redundancy reduction. ICML 2021.")};
  return all;
}

Embedding embed_by_model(const Points& points, const fs::path& folder, const ReadOut& read_out,
                         const Execution& execution, const Context& context) {
  const neural::EmbedOptions options = {.layer = layer_of(read_out.layer),
                                        .views = read_out.views,
                                        .seed = execution.seed,
                                        .device = execution.device};
  const neural::CheckpointInfo network = neural::find_checkpoint(folder).info;
  NetworkFeatures learner(network.options);
  Embedding embedding = {.learner = neural::objective_name(network.options.objective.objective),
                         .seed = network.seed,
                         .model = model_info(folder, network)};
  const neural::ImageShape shape = shape_of(points, network.options.network, embedding.learner);
  add_embedding(points, shape, folder, options, context, embedding.features);
  embedding.features.certificate = {{embedding.learner + ".steps", embedding.features.steps}};
  for (const Parameter& option : learner.parameters()) {
    embedding.options.emplace_back(embedding.learner + "." + option.name, option.get());
  }
  return embedding;
}

double embedding_bytes(const Points& points, const fs::path& folder) {
  const neural::CheckpointInfo network = neural::find_checkpoint(folder).info;
  return neural::embedding_bytes(network.options.network, network.shape, points.X.cols(),
                                 network.options.network.features);
}

}  // namespace subspace::pipelines
