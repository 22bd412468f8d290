// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>
#include <subspace/neural/augmentation.h>
#include <subspace/neural/network.h>
#include <subspace/neural/objective.h>
#include <subspace/neural/optimizer.h>

/// Learning features of images or points without labels. Free of Torch's headers.
namespace subspace::neural {

/// How the gradient of a step is computed.
enum class GradientMode {
  kWhole,  ///< one pass over the batch with its whole graph
  /// Two passes over micro-batches in bounded memory: the first gathers the outputs and gives the
  /// loss and its gradient by them, the second carries that through the network. Exact but for
  /// batch normalisation, which sees one micro-batch at a time: another estimator, and named so.
  kGhostBn
};

/// Features that fill their space while random views of an image agree [Li22], and the relatives of
/// that objective. The defaults are those of COIL-20: the total coding rate by Adam.
/// [Li22] Z. Li, Y. Chen, Y. LeCun, F. Sommer. Neural manifold clustering and embedding. 2022.
struct TrainingOptions {
  int steps = 2000;
  /// Images of a step; 0 or more than there are: all of them. A smaller batch estimates another
  /// objective: keep features / batch below about 0.2.
  int batch = 0;
  GradientMode gradient = GradientMode::kWhole;
  int micro_batch = 256;  ///< images of a pass of kGhostBn, with all their views
  TrainedPart trained = TrainedPart::kAll;
  ObjectiveOptions objective = {};
  OptimizerOptions optimizer = {};
  NetworkOptions network = {};
  AugmentationOptions augmentation = {};
};
/// Every field that the objective reads, those of its parts included.
SUBSPACE_API Parameters describe(TrainingOptions& options);

/// How a training run is carried out and where it is kept.
struct TrainingRun {
  std::filesystem::path folder = {};  ///< made when missing; holds the checkpoints
  std::uint64_t seed = 0;             ///< the only source of randomness
  std::string device = "auto";        ///< see resolve_device()
  /// Go on from the newest good checkpoint of the folder, if it has one. Without it a folder that
  /// holds a checkpoint is refused.
  bool resume = false;
  /// Steps; a checkpoint is also written after two minutes, at the end and when cancelled.
  int checkpoint_every = 50;
  /// The folder of an earlier stage, whose network this one starts from; empty: random weights.
  std::filesystem::path start = {};
  bool new_heads = false;  ///< of that network, features and clusters start from random weights
  /// Steps whose checkpoint stays, in the folder kept_folder() names.
  std::vector<int> keep = {};
};
/// `step-150` in the folder of a run: a folder of its own, for all that takes a trained network.
SUBSPACE_API std::filesystem::path kept_folder(const std::filesystem::path& run, int step);

/// One step of training, measured before its update. What an objective does not minimise is
/// reported all the same, except for R_c, which needs clusters and is 0 without.
struct StepStats {
  double loss = 0.0;
  double coding_rate = 0.0;      ///< R of what rate_of says; of normalised features in any case
  double compressed_rate = 0.0;  ///< R_c
  double similarity = 0.0;       ///< mean cosine of two views
  bool operator==(const StepStats&) const = default;
};

struct TrainingResult {
  std::vector<StepStats> history = {};     ///< one per step, those before a resume included
  int first_step = 0;                      ///< where this call began: > 0 after a resume
  double seconds = 0.0;                    ///< wall time of this call
  std::filesystem::path checkpoint = {};   ///< the last one
  std::vector<std::string> warnings = {};  ///< e.g. that a damaged checkpoint was passed over
};

/// Trains an encoder on the images that are the columns of X, values in [0, 1], or on points for an
/// mlp. On the CPU the same X, options, seed and number of threads give the same checkpoint, byte
/// for byte, however often the run was interrupted and resumed. Throws InvalidArgument for an
/// option, a device that is not there or a folder of another run; DataError for X; NumericalError
/// when the loss is not finite or the features collapse for good (checkpoints stay as they were);
/// ResourceError when the step would not fit; Cancelled after writing a checkpoint.
SUBSPACE_API TrainingResult train(const ConstMatrixRef& X, const ImageShape& shape,
                                  const TrainingOptions& options, const TrainingRun& run,
                                  const Context& context = {});

}  // namespace subspace::neural
