// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/tcr.h>

#include <torch/torch.h>

#include <chrono>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/core/sha256.h>
#include <subspace/core/version.h>

#include "checkpoint_file.h"
#include "images.h"
#include "tcr_trainer.h"

namespace subspace::neural {
namespace {

void check_arguments(const ConstMatrixRef& X, TcrOptions options, const TrainingRun& run) {
  check(describe(options), "train_tcr");
  if (run.checkpoint_every < 1) {
    throw InvalidArgument(message("train_tcr: checkpoint_every = ", run.checkpoint_every,
                                  ", must satisfy checkpoint_every >= 1"));
  }
  if (run.folder.empty()) throw InvalidArgument("train_tcr: the run has no folder");
  if (options.batch == 1) throw InvalidArgument("train_tcr: batch = 1, must be 0 or at least 2");
  if (X.cols() < 2) {
    throw DataError(message("train_tcr: ", X.cols(), " images, must be at least 2"));
  }
}

void check_fits(const ConstMatrixRef& X, const ImageShape& shape, const TcrOptions& options,
                const Device& device, const Context& context) {
  if (device.is_cuda()) return;  // the device's own allocator knows what it has
  const Index m = options.batch == 0 ? X.cols() : std::min<Index>(options.batch, X.cols());
  check_memory("train_tcr",
               2.0 * static_cast<double>(m) * bytes_per_image(options.network, shape, true),
               allowed_memory(context), "a step takes two views of every image; set batch lower");
}

CheckpointInfo info_of(const ConstMatrixRef& X, const ImageShape& shape, const TcrOptions& options,
                       const TrainingRun& run, const Device& device, const Context& context) {
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

/// A checkpoint goes on only with what it began with.
void check_same_run(const CheckpointInfo& found, const CheckpointInfo& wanted) {
  const auto refuse = [](const std::string& what) {
    throw InvalidArgument("train_tcr: the folder holds another run: " + what);
  };
  TcrOptions before = found.options;
  TcrOptions now = wanted.options;
  const Parameters old_values = describe(before);
  const Parameters new_values = describe(now);
  for (std::size_t i = 0; i < old_values.size(); ++i) {
    if (old_values[i].get() == new_values[i].get()) continue;
    refuse(message(old_values[i].name, " = ", value_text(old_values[i]), ", not ",
                   value_text(new_values[i])));
  }
  if (found.seed != wanted.seed) refuse(message("seed = ", found.seed, ", not ", wanted.seed));
  if (found.shape != wanted.shape) refuse("images of another shape");
  if (found.data_sha256 != wanted.data_sha256) refuse("other images");
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

/// Puts the trainer where the folder's newest good checkpoint is, if it has one.
void resume(CheckpointFolder& folder, const CheckpointInfo& wanted, TcrTrainer& trainer,
            TrainingResult& result) {
  auto found = folder.load();
  if (!found) return;
  check_same_run(found->checkpoint.info, wanted);
  trainer.restore(found->checkpoint.arrays);
  if (trainer.steps_done() != found->checkpoint.info.step) {
    throw DataError(message(found->file.string(), ": history and step do not agree"));
  }
  result.warnings = found->warnings;
  warn_of_differences(found->checkpoint.info, wanted, result.warnings);
  result.first_step = static_cast<int>(trainer.steps_done());
}

void save(CheckpointFolder& folder, CheckpointInfo info, const TcrTrainer& trainer) {
  info.step = trainer.steps_done();
  folder.save({std::move(info), trainer.arrays()});
}

void run_steps(TcrTrainer& trainer, const TcrOptions& options, const TrainingRun& run,
               const CheckpointInfo& info, CheckpointFolder& folder, const Context& context) {
  std::int64_t saved = trainer.steps_done();
  while (trainer.steps_done() < options.steps) {
    if (context.cancel != nullptr && context.cancel->requested()) {
      if (trainer.steps_done() > saved) save(folder, info, trainer);
      throw Cancelled();
    }
    // The views' own loop does not watch the token: a step is done or not begun.
    trainer.step({.num_threads = context.num_threads});
    const std::int64_t done = trainer.steps_done();
    if (done % run.checkpoint_every == 0 || done == options.steps) {
      save(folder, info, trainer);
      saved = done;
    }
    context.report("train", done, options.steps);
  }
}

}  // namespace

TrainingResult train_tcr(const ConstMatrixRef& X, const ImageShape& shape,
                         const TcrOptions& options, const TrainingRun& run,
                         const Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  check_arguments(X, options, run);
  const Device device = resolve_device(run.device);
  const torch::Tensor images = to_images(X, shape, "train_tcr");
  check_fits(X, shape, options, device, context);
  CheckpointFolder folder(run.folder);
  if (!run.resume && folder.has_any()) {
    throw InvalidArgument(message("train_tcr: ", run.folder.string(),
                                  " already holds a checkpoint: resume it or name another folder"));
  }
  make_folder(run.folder);
  const ThreadsOfContext threads(context);
  const CheckpointInfo info = info_of(X, shape, options, run, device, context);
  TrainingResult result;
  TcrTrainer trainer(images, shape, options, run.seed, to_torch(device));
  if (run.resume) resume(folder, info, trainer, result);
  run_steps(trainer, options, run, info, folder, context);
  result.history = trainer.history();
  result.checkpoint = folder.newest();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace subspace::neural
