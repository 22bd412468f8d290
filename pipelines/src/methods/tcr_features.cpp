// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <fstream>
#include <utility>

#include <subspace/core/atomic_file.h>
#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/neural/checkpoint.h>
#include <subspace/neural/tcr.h>

#include "json.h"
#include "methods/feature_learner.h"
#include "stopwatch.h"
#include "temporary_folder.h"

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;

neural::ImageShape shape_of(const Points& points) {
  if (!points.image) {
    throw DataError(
        "features by tcr need pictures: give a set or folder of pictures, for their shape is "
        "known");
  }
  return {points.image->channels, points.image->height, points.image->width};
}

/// What the steps of a run took, over all its interruptions. Kept beside the checkpoint, not in it:
/// the checkpoint's bytes do not depend on the clock.
class TrainingCosts {
 public:
  explicit TrainingCosts(const fs::path& folder) : file_(folder / "costs.json") {
    std::ifstream in(file_);
    const Json json = Json::parse(in, nullptr, false);
    if (!json.is_object()) return;
    seconds_ = json.value("seconds", 0.0);
    steps_ = json.value("steps", std::int64_t{0});
    memory_ = json.value("memory", std::int64_t{0});
  }
  void keep(double seconds, std::int64_t steps) const {
    write_file_atomically(file_, json_text({{"seconds", seconds_ + seconds},
                                            {"steps", steps_ + steps},
                                            {"memory", std::max(memory_, peak_memory())}}));
  }
  std::int64_t memory() const { return memory_; }
  /// Of so many steps; 0 where none was timed.
  double seconds_of(std::int64_t steps) const {
    return steps_ > 0 ? seconds_ / static_cast<double>(steps_) * static_cast<double>(steps) : 0.0;
  }

 private:
  fs::path file_;
  double seconds_ = 0.0;
  std::int64_t steps_ = 0;
  std::int64_t memory_ = 0;
};

/// Every checkpoint of a training leaves its costs, too.
constexpr int kCheckpointEvery = 50;

/// Training by the total coding rate, see neural/tcr.h.
class TcrFeatures final : public FeatureLearner {
 public:
  Parameters parameters() override { return describe(options_); }
  Index dimension() const override { return options_.network.features; }

  Work work(const Points& points) const override {
    const neural::ImageShape shape = shape_of(points);
    const Index n = points.X.cols();
    const Index batch = options_.batch == 0 ? n : std::min<Index>(options_.batch, n);
    const double views = 2.0 * static_cast<double>(batch);
    // Convolutions come to about half the speed of a matrix product. Views, loss and update of a
    // step cost as much as some millions of multiply-adds for each view, and a little by
    // themselves.
    constexpr double kSlowness = 2.0;
    constexpr double kOfView = 2e6;
    constexpr double kOfStep = 2e8;
    const double network =
        3.0 * kSlowness * neural::multiply_adds_per_image(options_.network, shape);
    return {.multiply_adds = options_.steps * (views * (network + kOfView) + kOfStep),
            .bytes = views * neural::bytes_per_image(options_.network, shape, true)};
  }

  Features learn(const Points& points, const Execution& execution,
                 const Context& context) const override {
    const neural::ImageShape shape = shape_of(points);
    if (!execution.run_folder.empty())
      return learn_in(execution.run_folder, points, shape, execution, context);
    const TemporaryFolder folder("subspace-run");
    return learn_in(folder.path(), points, shape, execution, context);
  }

 private:
  Features learn_in(const fs::path& folder, const Points& points, const neural::ImageShape& shape,
                    const Execution& execution, const Context& context) const {
    Features features;
    if (!execution.trained) train(folder, points, shape, execution, context, features);
    Stopwatch watch;
    neural::Features learned = neural::embed(points.X, shape, folder, execution.device, context);
    features.seconds += watch.lap();
    features.Z = std::move(learned.Z);
    features.warnings.insert(features.warnings.end(), learned.warnings.begin(),
                             learned.warnings.end());
    if (execution.trained) features.certificate = {{"tcr.steps", learned.step}};
    return features;
  }

  void train(const fs::path& folder, const Points& points, const neural::ImageShape& shape,
             const Execution& execution, const Context& context, Features& features) const {
    const neural::TrainingRun run = {.folder = folder,
                                     .seed = execution.seed,
                                     .device = execution.device,
                                     .resume = execution.resume,
                                     .checkpoint_every = kCheckpointEvery};
    const neural::TrainingResult result = neural::train_tcr(
        points.X, shape, options_, run, keeping_costs(TrainingCosts(folder), context));
    const auto steps = static_cast<std::int64_t>(result.history.size());
    const TrainingCosts costs(folder);
    features.seconds = costs.seconds_of(steps);
    features.memory = costs.memory();
    const neural::StepStats& last = result.history.back();
    features.certificate = {{"tcr.steps", steps},
                            {"tcr.loss", last.loss},
                            {"tcr.coding_rate", last.coding_rate},
                            {"tcr.similarity", last.similarity}};
    features.warnings = result.warnings;
    if (features.seconds == 0.0) {
      features.warnings.emplace_back("the time of the training is not known: it was not kept");
    }
  }

  /// The context, with a progress that also keeps the costs of this call's steps, of the first one
  /// and at every checkpoint.
  Context keeping_costs(const TrainingCosts& before, const Context& context) const {
    Context watched = context;
    watched.progress = [this, before, watch = Stopwatch(), seconds = 0.0, steps = std::int64_t{0},
                        forward = context.progress](const ProgressEvent& event) mutable {
      if (event.phase == "train") {
        seconds += watch.lap();
        ++steps;
        if (steps == 1 || event.done % kCheckpointEvery == 0 || event.done == options_.steps) {
          before.keep(seconds, steps);
        }
      }
      if (forward) forward(event);
    };
    return watched;
  }

  neural::TcrOptions options_;
};

}  // namespace

const std::vector<LearnerDefinition>& learner_definitions() {
  static const std::vector<LearnerDefinition> all = {
      {{"tcr",
        "features of pictures that fill their space while two augmented views agree (total coding "
        "rate)",
        "Z. Li, Y. Chen, Y. LeCun, F. Sommer. Neural manifold clustering and embedding. 2022."},
       []() -> std::unique_ptr<FeatureLearner> { return std::make_unique<TcrFeatures>(); }}};
  return all;
}

}  // namespace subspace::pipelines
