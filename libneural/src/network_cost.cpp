// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/network.h>

namespace subspace::neural {
namespace {

double blocks_of(const NetworkOptions& options) {
  return options.backbone == Backbone::kResnet18 ? 2.0 : 1.0;
}

/// 3 x 3 convolutions of one stage; its first block may have a 1 x 1 shortcut.
double stage_multiply_adds(double width_in, double width, double pixels, double blocks) {
  const double between = 9.0 * width * width * pixels;
  const double shortcut = width_in == width ? 0.0 : width_in * width * pixels;
  return 9.0 * width_in * width * pixels + shortcut + (2.0 * blocks - 1.0) * between;
}

}  // namespace

double multiply_adds_per_image(const NetworkOptions& options, const ImageShape& shape) {
  double pixels = 0.25 * shape.height * shape.width;  // after the stem
  double sum = 25.0 * shape.channels * options.filters * pixels;
  pixels *= 0.25;  // after the pool
  double width = options.filters;
  double width_in = width;
  for (int stage = 0; stage < 4; ++stage) {
    sum += stage_multiply_adds(width_in, width, pixels, blocks_of(options));
    width_in = width;
    width *= 2.0;
    pixels *= 0.25;
  }
  const double outputs = options.features + options.cluster_outputs;
  return sum + options.hidden * (width_in + outputs);
}

double bytes_per_image(const NetworkOptions& options, const ImageShape& shape, bool with_graph) {
  // Each convolution keeps its input and its output (which batch normalisation reads again); the
  // backward pass holds gradients of a few layers at a time on top of that.
  const double stem = 0.25 * shape.height * shape.width * options.filters;
  double numbers = 2.0 * static_cast<double>(shape.num_pixels()) + 2.75 * stem;
  double stage = 0.25 * stem;  // the planes shrink by 4 while the channels double
  for (int i = 0; i < 4; ++i, stage *= 0.5)
    numbers += stage * (5.0 * blocks_of(options) + (i > 0 ? 2.0 : 0.0));
  numbers += 3.0 * options.hidden;
  return sizeof(float) * (with_graph ? 1.4 * numbers : 3.0 * stem);
}

}  // namespace subspace::neural
