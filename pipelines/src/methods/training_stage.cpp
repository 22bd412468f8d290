// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "methods/training_stage.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include <subspace/core/atomic_file.h>
#include <subspace/core/error.h>
#include <subspace/core/instruction_sets.h>
#include <subspace/core/memory.h>
#include <subspace/neural/training_cost.h>

#include "json.h"
#include "stopwatch.h"

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;

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

/// The context, with a progress that also keeps the costs of this call's steps, of the first one
/// and at every checkpoint.
Context keeping_costs(const TrainingCosts& before, std::int64_t all_steps, const Context& context) {
  Context watched = context;
  watched.progress = [before, all_steps, watch = Stopwatch(), seconds = 0.0,
                      steps = std::int64_t{0},
                      forward = context.progress](const ProgressEvent& event) mutable {
    if (event.phase == "train") {
      seconds += watch.lap();
      ++steps;
      if (steps == 1 || event.done % kCheckpointEvery == 0 || event.done == all_steps) {
        before.keep(seconds, steps);
      }
    }
    if (forward) forward(event);
  };
  return watched;
}

/// Single steps have the noise of their batch.
double final_loss(const std::vector<neural::StepStats>& history) {
  constexpr std::ptrdiff_t kSteps = 100;
  const auto count = std::min(kSteps, std::ssize(history));
  double sum = 0.0;
  for (auto step = history.end() - count; step != history.end(); ++step) sum += step->loss;
  return sum / static_cast<double>(count);
}

void add_certificate(const TrainingStage& stage, const std::vector<neural::StepStats>& history,
                     NamedValues& certificate) {
  const neural::StepStats& last = history.back();
  const auto add = [&](const char* what, ParameterValue value) {
    certificate.emplace_back(stage.name + "." + what, std::move(value));
  };
  add("steps", std::int64_t{std::ssize(history)});
  add("loss", last.loss);
  add("coding_rate", last.coding_rate);
  if (stage.options.objective.objective == neural::Objective::kNmce) {
    add("compressed_rate", last.compressed_rate);
  }
  add("similarity", last.similarity);
}

/// The time of a network's multiply-add by that of a matrix product in double precision, as
/// measured: convolutions in single precision come to about its speed, the normalisation between
/// them stays where bfloat16 makes them faster.
double slowness(const neural::NetworkOptions& network) {
  if (network.precision == neural::Precision::kFloat32 || lacks_bfloat16()) return 1.2;
  return has_bfloat16_tiles() ? 0.25 : 0.75;
}

}  // namespace

neural::ImageShape shape_of(const Points& points, const neural::NetworkOptions& network,
                            const std::string& learner) {
  if (points.image) return {points.image->channels, points.image->height, points.image->width};
  if (network.backbone == neural::Backbone::kMlp) return neural::point_shape(points.X.rows());
  throw DataError(message("features by ", learner,
                          " need pictures unless backbone = mlp, and points of ", points.X.rows(),
                          " values are none: give a data set of pictures, a folder or .zip of "
                          ".png, idx or CIFAR"));
}

Work training_work(const neural::TrainingOptions& options, const neural::ImageShape& shape,
                   Index num_images) {
  const Index batch = options.batch == 0 ? num_images : std::min<Index>(options.batch, num_images);
  const bool whole = options.gradient == neural::GradientMode::kWhole;
  const double views = options.objective.views * static_cast<double>(batch);
  // Views, loss and update of a step cost as much as some millions of multiply-adds for each view,
  // and a little by themselves. A pass without its backward is a third of one with it.
  constexpr double kOfView = 2e6;
  constexpr double kOfStep = 2e8;
  const double passes = whole ? 3.0 : 4.0;
  const double network =
      passes * slowness(options.network) * neural::multiply_adds_per_image(options.network, shape);
  return {.multiply_adds = options.steps * (views * (network + kOfView) + kOfStep),
          .bytes = neural::step_bytes(options, shape, num_images)};
}

neural::CheckpointInfo find_network(const fs::path& folder, neural::Objective objective) {
  neural::CheckpointInfo network = neural::find_checkpoint(folder).info;
  const neural::Objective found = network.options.objective.objective;
  if (found == objective) return network;
  throw InvalidArgument(message(folder.string(), ": the network was trained by ",
                                neural::objective_name(found), ", must be by ",
                                neural::objective_name(objective)));
}

ModelInfo model_info(const fs::path& folder, const neural::CheckpointInfo& network) {
  return {folder.string(), network.payload_sha256, network.step};
}

void train_stage(const TrainingStage& stage, const Points& points, const neural::ImageShape& shape,
                 const Execution& execution, const Context& context, Features& features) {
  const neural::TrainingRun run = {.folder = stage.folder,
                                   .seed = execution.seed,
                                   .device = execution.device,
                                   .resume = execution.resume,
                                   .checkpoint_every = kCheckpointEvery,
                                   .start = stage.start,
                                   .new_heads = stage.new_heads,
                                   .keep = execution.kept_steps};
  const neural::TrainingResult result =
      neural::train(points.X, shape, stage.options, run,
                    keeping_costs(TrainingCosts(stage.folder), stage.options.steps, context));
  const TrainingCosts costs(stage.folder);
  const double seconds = costs.seconds_of(std::ssize(result.history));
  features.seconds += seconds;
  features.memory = std::max(features.memory, costs.memory());
  add_certificate(stage, result.history, features.certificate);
  features.loss = final_loss(result.history);
  features.warnings.insert(features.warnings.end(), result.warnings.begin(), result.warnings.end());
  if (seconds == 0.0) {
    features.warnings.emplace_back("the time of the training is not known: it was not kept");
  }
}

}  // namespace subspace::pipelines
