// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/training.h>

#include <torch/torch.h>

#include <algorithm>
#include <chrono>

#include <subspace/core/error.h>
#include <subspace/core/folder_lock.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/core/sha256.h>
#include <subspace/core/version.h>
#include <subspace/neural/training_cost.h>

#include "checkpoint_file.h"
#include "images.h"
#include "trainer.h"

namespace subspace::neural {
namespace {

void check_objective(const ObjectiveOptions& objective, const NetworkOptions& network) {
  if (objective.objective == Objective::kNmce && network.cluster_outputs < 2) {
    throw InvalidArgument(message("train: cluster_outputs = ", network.cluster_outputs,
                                  ", must be at least 2 for the objective nmce"));
  }
  if (objective.objective != Objective::kMcr2 && objective.views != 2) {
    throw InvalidArgument(message("train: views = ", objective.views,
                                  ", must be 2 for the objective ",
                                  objective_name(objective.objective)));
  }
}

void check_arguments(const ConstMatrixRef& X, const ImageShape& shape, TrainingOptions options,
                     const TrainingRun& run) {
  check(describe(options), "train");
  check_objective(options.objective, options.network);
  if (run.checkpoint_every < 1) {
    throw InvalidArgument(message("train: checkpoint_every = ", run.checkpoint_every,
                                  ", must satisfy checkpoint_every >= 1"));
  }
  if (run.folder.empty()) throw InvalidArgument("train: the run has no folder");
  for (const int step : run.keep) {
    if (step >= 1 && step <= options.steps) continue;
    throw InvalidArgument(
        message("train: keep = ", step, ", must be a step of 1 to ", options.steps));
  }
  if (run.start.empty() && run.new_heads) {
    throw InvalidArgument("train: new_heads is set, but the run starts from no other");
  }
  const int schedule_steps = options.optimizer.schedule_steps;
  if (schedule_steps != 0 && schedule_steps < options.steps) {
    throw InvalidArgument(message("train: schedule_steps = ", schedule_steps,
                                  ", must be 0 or at least steps = ", options.steps));
  }
  if (options.batch == 1) throw InvalidArgument("train: batch = 1, must be 0 or at least 2");
  if (X.cols() < 2) {
    throw DataError(message("train: ", X.cols(), " images, must be at least 2"));
  }
  if (shape.is_picture()) check_augmentation(options.augmentation, shape, "train");
  const bool is_mlp = options.network.backbone == Backbone::kMlp;
  if (!shape.is_picture() && !is_mlp) {
    throw InvalidArgument("train: points that are no pictures need backbone = mlp");
  }
  if (is_mlp && options.network.precision != Precision::kFloat32) {
    throw InvalidArgument("train: precision = bfloat16, must be float32 for backbone = mlp");
  }
}

void check_fits(const ConstMatrixRef& X, const ImageShape& shape, const TrainingOptions& options,
                const Device& device, const Context& context) {
  if (device.is_cuda()) return;  // the device's own allocator knows what it has
  check_memory("train", training_bytes(options, shape, X.cols()), allowed_memory(context),
               message("a step takes ", options.objective.views,
                       " views of every image; set batch lower, or gradient = ghost-bn"));
}

CheckpointInfo info_of(const ConstMatrixRef& X, const ImageShape& shape,
                       const TrainingOptions& options, const TrainingRun& run, const Device& device,
                       const Context& context) {
  CheckpointInfo info;
  info.version = SUBSPACE_VERSION;
  info.torch_version = torch_version();
  info.seed = run.seed;
  info.shape = shape;
  info.options = options;
  info.data_sha256 = content_sha256(X);
  info.device = device.name;
  info.num_threads = resolve_threads(context);
  return info;
}

std::string shape_text(const ImageShape& shape) {
  return message(shape.channels, " x ", shape.height, " x ", shape.width);
}

/// A checkpoint goes on only with what it began with.
void check_same_run(const CheckpointInfo& found, const CheckpointInfo& wanted) {
  const auto refuse = [](const std::string& what) {
    throw InvalidArgument("train: the folder holds another run: " + what);
  };
  TrainingOptions before = found.options;
  TrainingOptions now = wanted.options;
  if (before.objective.objective != now.objective.objective) {
    refuse(message("objective = ", objective_name(before.objective.objective), ", not ",
                   objective_name(now.objective.objective)));
  }
  const Parameters old_values = describe(before);
  const Parameters new_values = describe(now);
  for (std::size_t i = 0; i < old_values.size(); ++i) {
    if (old_values[i].get() == new_values[i].get()) continue;
    refuse(message(old_values[i].name, " = ", value_text(old_values[i]), ", not ",
                   value_text(new_values[i])));
  }
  if (found.seed != wanted.seed) refuse(message("seed = ", found.seed, ", not ", wanted.seed));
  if (found.shape != wanted.shape) {
    refuse(message("images of ", shape_text(found.shape), ", not ", shape_text(wanted.shape)));
  }
  if (found.data_sha256 != wanted.data_sha256) {
    refuse(message("other images (SHA-256 ", found.data_sha256.substr(0, 12), "..., not ",
                   wanted.data_sha256.substr(0, 12), "...)"));
  }
  if (found.start_sha256 != wanted.start_sha256) refuse("one that started from another network");
}

/// Differences that leave the run valid, but perhaps not the bytes.
void warn_of_differences(const CheckpointInfo& found, const CheckpointInfo& wanted,
                         std::vector<std::string>& warnings) {
  const auto compare = [&](const char* what, const auto& before, const auto& now) {
    if (before == now) return;
    warnings.push_back(message("resumed with another ", what, " (", now, ", before ", before,
                               "): the result may differ in its last digits"));
  };
  compare("version of the suite", found.version, wanted.version);
  compare("version of LibTorch", found.torch_version, wanted.torch_version);
  compare("device", found.device, wanted.device);
  compare("number of threads", found.num_threads, wanted.num_threads);
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw IoError(message("cannot make ", folder.string(), ": ", error.message()));
}

/// Gives the trainer the network of the earlier stage.
void start(const TrainingRun& run, Trainer& trainer, CheckpointInfo& info, TrainingResult& result) {
  auto earlier = CheckpointFolder(run.start).load();
  if (!earlier) throw IoError(message("train: ", run.start.string(), " holds no checkpoint"));
  trainer.start_from(earlier->checkpoint.arrays, run.new_heads);
  info.start_sha256 = earlier->checkpoint.info.payload_sha256;
  result.warnings = earlier->warnings;
}

/// Puts the trainer where the folder's newest good checkpoint is, if it has one.
void resume(CheckpointFolder& folder, const CheckpointInfo& wanted, Trainer& trainer,
            TrainingResult& result) {
  auto found = folder.load();
  if (!found) return;
  check_same_run(found->checkpoint.info, wanted);
  trainer.restore(found->checkpoint.arrays);
  if (trainer.steps_done() != found->checkpoint.info.step) {
    throw DataError(message(found->file.string(), ": history and step do not agree"));
  }
  result.warnings.insert(result.warnings.end(), found->warnings.begin(), found->warnings.end());
  warn_of_differences(found->checkpoint.info, wanted, result.warnings);
  result.first_step = static_cast<int>(trainer.steps_done());
}

/// Steps that a resumed run has passed cannot be kept any more.
void warn_of_passed_steps(const TrainingRun& run, TrainingResult& result) {
  for (const int step : run.keep) {
    if (step > result.first_step || CheckpointFolder(kept_folder(run.folder, step)).has_any()) {
      continue;
    }
    result.warnings.push_back(message("step ", step, " is not kept: the run had passed it"));
  }
}

void save(CheckpointFolder& folder, CheckpointInfo info, const Trainer& trainer) {
  info.step = trainer.steps_done();
  NamedArrays arrays;
  try {
    arrays = trainer.arrays();
  } catch (const NumericalError& error) {
    // Loss and features of this step were finite: it is the update that was not.
    throw NumericalError(
        message("train: step ", info.step - 1, ": ", error.what(), "; lower learning_rate"));
  }
  folder.save({std::move(info), std::move(arrays)});
}

void keep(const TrainingRun& run, const CheckpointInfo& info, const Trainer& trainer) {
  const auto step = static_cast<int>(trainer.steps_done());
  if (std::ranges::find(run.keep, step) == run.keep.end()) return;
  make_folder(kept_folder(run.folder, step));
  CheckpointFolder kept(kept_folder(run.folder, step));
  save(kept, info, trainer);
}

/// Says when a checkpoint is due: after so many steps, and where these are long, after two minutes,
/// so that a kill costs no more.
class CheckpointClock {
 public:
  explicit CheckpointClock(int every) : every_(every) {}

  bool is_due(std::int64_t done) const {
    return done % every_ == 0 || std::chrono::steady_clock::now() - saved_ > kLongest;
  }
  void restart() { saved_ = std::chrono::steady_clock::now(); }

 private:
  static constexpr std::chrono::minutes kLongest{2};

  int every_;
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();
};

void run_steps(Trainer& trainer, const TrainingOptions& options, const TrainingRun& run,
               const CheckpointInfo& info, CheckpointFolder& folder, const Context& context) {
  std::int64_t saved = trainer.steps_done();
  CheckpointClock clock(run.checkpoint_every);
  while (trainer.steps_done() < options.steps) {
    if (context.cancel != nullptr && context.cancel->requested()) {
      if (trainer.steps_done() > saved) save(folder, info, trainer);
      throw Cancelled();
    }
    // The views' own loop does not watch the token: a step is done or not begun.
    trainer.step({.num_threads = context.num_threads});
    const std::int64_t done = trainer.steps_done();
    keep(run, info, trainer);  // before the newest: a run that goes on from there has passed it
    if (clock.is_due(done) || done == options.steps) {
      save(folder, info, trainer);
      saved = done;
      clock.restart();
    }
    context.report("train", done, options.steps);
  }
}

}  // namespace

std::filesystem::path kept_folder(const std::filesystem::path& run, int step) {
  return run / message("step-", step);
}

TrainingResult train(const ConstMatrixRef& X, const ImageShape& shape,
                     const TrainingOptions& options, const TrainingRun& run,
                     const Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  check_arguments(X, shape, options, run);
  const Device device = resolve_device(run.device);
  forbid_tf32(device);
  const torch::Tensor images = to_inputs(X, shape, "train");
  check_fits(X, shape, options, device, context);
  make_folder(run.folder);
  const FolderLock lock(run.folder);
  CheckpointFolder folder(run.folder);
  if (!run.resume && folder.has_any()) {
    throw InvalidArgument(message("train: ", run.folder.string(),
                                  " already holds a checkpoint: resume it or name another folder"));
  }
  const ThreadsOfContext threads(context);
  CheckpointInfo info = info_of(X, shape, options, run, device, context);
  TrainingResult result;
  Trainer trainer(images, shape, options, run.seed, to_torch(device));
  if (!run.start.empty()) start(run, trainer, info, result);
  if (run.resume) resume(folder, info, trainer, result);
  warn_of_passed_steps(run, result);
  run_steps(trainer, options, run, info, folder, context);
  result.history = trainer.history();
  result.checkpoint = folder.newest();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace subspace::neural
