// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include <subspace/core/export.h>
#include <subspace/core/parameters.h>

/// How a training moves the parameters. Free of Torch's headers.
namespace subspace::neural {

enum class Optimizer {
  kAdam,  ///< the decay is added to the gradient ("coupled"), on every parameter
  kSgd,   ///< with momentum; decay as above
  /// Layer-wise scaled SGD in the form NMCE uses: g + w_d w of a weight is scaled by
  /// min(trust |w| / (|g| + w_d |w|) / rate, 1) before SGD sees it; vectors (biases, BN) are
  /// neither scaled nor decayed.
  kLars
};
enum class Schedule { kCosine, kNone };

struct OptimizerOptions {
  Optimizer optimizer = Optimizer::kAdam;
  double learning_rate = 1e-3;            ///< the largest of the run
  Schedule schedule = Schedule::kCosine;  ///< per step to 0, or constant
  /// Steps after which the cosine reaches 0; 0: those of the run. With more than the run has, the
  /// run ends while its rate is still high, as an excerpt of a longer one.
  int schedule_steps = 0;
  int warmup = 0;      ///< steps in which the rate first rises linearly
  double beta1 = 0.9;  ///< of Adam
  double beta2 = 0.99;
  double momentum = 0.9;       ///< of SGD and LARS
  double trust = 0.02;         ///< eta of LARS
  double weight_decay = 1e-5;  ///< w_d
  /// A learning rate of the cluster head alone, by SGD and never decayed; 0: it learns as the rest.
  double cluster_learning_rate = 0.0;
  double cluster_weight_decay = 0.005;  ///< where the cluster head has a rate of its own
};
SUBSPACE_API Parameters describe(OptimizerOptions& options);

/// The learning rate of step t, T being schedule_steps or else the steps of the run: with w steps
/// of warm-up, rate (t + 1) / w before its end, then rate (1 + cos(pi t / T)) / (1 + cos(pi (w - 1)
/// / T)), which starts from the full rate.
SUBSPACE_API double learning_rate(const OptimizerOptions& options, std::int64_t step,
                                  std::int64_t steps);

}  // namespace subspace::neural
