// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/training_cost.h>

#include <algorithm>

namespace subspace::neural {
namespace {

/// The weights, their gradients and two moments of Adam, and what a checkpoint copies of them.
double weight_bytes(const NetworkOptions& network, const ImageShape& shape) {
  constexpr double kCopies = 4.0 + 3.0;
  return kCopies * sizeof(float) * num_weights(network, shape);
}

/// The cosines of all views with one another, which SimCLR holds a few times with their gradients.
double cosine_bytes(const TrainingOptions& options, double views) {
  constexpr double kCopies = 5.0;
  if (options.objective.objective != Objective::kSimclr) return 0.0;
  return kCopies * sizeof(float) * views * views;
}

}  // namespace

double step_bytes(const TrainingOptions& options, const ImageShape& shape, Index num_images) {
  const Index batch = options.batch == 0 ? num_images : std::min<Index>(options.batch, num_images);
  const bool whole = options.gradient == GradientMode::kWhole;
  const Index at_once = whole ? batch : std::min<Index>(options.micro_batch, batch);
  const double views = options.objective.views * static_cast<double>(batch);
  const double with_graph = options.objective.views * static_cast<double>(at_once);
  // Those of the graph count their own pixels.
  const double waiting =
      (views - with_graph) * sizeof(float) * static_cast<double>(shape.num_pixels());
  return waiting + with_graph * bytes_per_image(options.network, shape, true) +
         weight_bytes(options.network, shape) + cosine_bytes(options, views);
}

double training_bytes(const TrainingOptions& options, const ImageShape& shape, Index num_images) {
  // The caller's points in double precision and their copy in single; code, threads and kernels of
  // LibTorch, as seen in runs of two steps on small points.
  constexpr double kOfLibrary = 1.3e8;
  const double numbers = static_cast<double>(num_images) * static_cast<double>(shape.num_pixels());
  return step_bytes(options, shape, num_images) + (sizeof(double) + sizeof(float)) * numbers +
         kOfLibrary;
}

}  // namespace subspace::neural
