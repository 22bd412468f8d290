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

/// Features by the total coding rate. Free of Torch's headers.
namespace subspace::neural {

enum class Schedule { kCosine, kNone };

/// Features that fill their space while two views of an image agree [Li22]. With unit features
/// z1_i, z2_i of two random views of image i and zbar_i their normalised mean, Adam minimises
///     -R(zbar; e) - lambda mean_i z1_i'z2_i,   R as in coding_rate.h,
/// which is what the COIL experiments of NMCE optimise. The defaults are those of COIL-20.
/// [Li22] Z. Li, Y. Chen, Y. LeCun, F. Sommer. Neural manifold clustering and embedding. 2022.
struct TcrOptions {
  NetworkOptions network = {};
  AugmentationOptions augmentation = {};
  int steps = 2000;
  /// Images of a step; 0 or more than there are: all of them. A smaller batch estimates another
  /// objective: keep features / batch below about 0.2.
  int batch = 0;
  double distortion = 0.01;               ///< e = epsilon^2 of the coding rate
  double similarity = 20.0;               ///< lambda
  double learning_rate = 1e-3;            ///< at the first step
  Schedule schedule = Schedule::kCosine;  ///< per step to 0, or constant
  double beta1 = 0.9;
  double beta2 = 0.99;
  double weight_decay = 1e-5;  ///< L2 added to the gradient, on every parameter
};
/// Every field, those of the network and the augmentation included.
SUBSPACE_API Parameters describe(TcrOptions& options);

/// How a training run is carried out and where it is kept.
struct TrainingRun {
  std::filesystem::path folder = {};  ///< made when missing; holds the checkpoints
  std::uint64_t seed = 0;             ///< the only source of randomness
  std::string device = "auto";        ///< see resolve_device()
  /// Go on from the newest good checkpoint of the folder, if it has one. Without it a folder that
  /// holds a checkpoint is refused.
  bool resume = false;
  int checkpoint_every = 50;  ///< steps; a checkpoint is also written at the end and when cancelled
};

/// One step of training, measured before its update.
struct StepStats {
  double loss = 0.0;
  double coding_rate = 0.0;  ///< R(zbar; e)
  double similarity = 0.0;   ///< mean cosine of the two views
  bool operator==(const StepStats&) const = default;
};

struct TrainingResult {
  std::vector<StepStats> history = {};     ///< one per step, those before a resume included
  int first_step = 0;                      ///< where this call began: > 0 after a resume
  double seconds = 0.0;                    ///< wall time of this call
  std::filesystem::path checkpoint = {};   ///< the last one
  std::vector<std::string> warnings = {};  ///< e.g. that a damaged checkpoint was passed over
};

/// Trains an encoder on the images that are the columns of X, values in [0, 1]. On the CPU the same
/// X, options, seed and number of threads give the same checkpoint, byte for byte, however often
/// the run was interrupted and resumed. Throws InvalidArgument for an option, a device that is not
/// there or a folder of another run; DataError for X; NumericalError when the loss is not finite or
/// the features collapse (checkpoints stay as they were); ResourceError when the step would not
/// fit; Cancelled after writing a checkpoint.
SUBSPACE_API TrainingResult train_tcr(const ConstMatrixRef& X, const ImageShape& shape,
                                      const TcrOptions& options, const TrainingRun& run,
                                      const Context& context = {});

struct Features {
  Matrix Z = {};                           ///< p x N, unit columns
  std::int64_t step = 0;                   ///< of the checkpoint they come from
  std::vector<std::string> warnings = {};  ///< see TrainingResult
};

/// Features of clean images under the newest good checkpoint of a run: batch normalisation by its
/// running statistics, so that an image's feature does not depend on the others.
SUBSPACE_API Features embed(const ConstMatrixRef& X, const ImageShape& shape,
                            const std::filesystem::path& folder, const std::string& device = "auto",
                            const Context& context = {});

}  // namespace subspace::neural
