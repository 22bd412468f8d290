// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/network.h>

#include <cmath>

#include <subspace/core/instruction_sets.h>

#include "residual_stages.h"
#include "tile_kernels.h"

namespace subspace::neural {
namespace {

/// 3 x 3 convolutions of one stage; its first block may have a 1 x 1 shortcut.
double stage_multiply_adds(double width_in, double width, double pixels, double blocks) {
  const double between = 9.0 * width * width * pixels;
  const double shortcut = width_in == width ? 0.0 : width_in * width * pixels;
  return 9.0 * width_in * width * pixels + shortcut + (2.0 * blocks - 1.0) * between;
}

enum class Counted { kProducts, kWeights };

/// Products of weights and numbers over the planes of an image, each a quarter of the one before;
/// the weights, as the products over one pixel that does not shrink.
double residual_count(const NetworkOptions& options, const ImageShape& shape, Counted counted) {
  const bool products = counted == Counted::kProducts;
  const double size = stem_size(options.stem);
  const double quarter = products ? 0.25 : 1.0;
  double pixels = products ? static_cast<double>(shape.height) * shape.width : 1.0;
  if (stem_shrinks(options.stem)) pixels *= quarter;
  double sum = size * size * shape.channels * options.filters * pixels;
  if (stem_shrinks(options.stem)) pixels *= quarter;  // the pool
  double width = options.filters;
  double width_in = width;
  for (const int blocks : blocks_of_stages(options.backbone)) {
    sum += stage_multiply_adds(width_in, width, pixels, blocks);
    width_in = width;
    width *= 2.0;
    pixels *= quarter;
  }
  return sum + static_cast<double>(options.hidden) * width_in;
}

double head_weights(const NetworkOptions& options) {
  return static_cast<double>(options.hidden) * (options.features + options.cluster_outputs);
}

/// Numbers that a residual network computes for one image: of the stem, and of all that is kept.
struct Planes {
  double stem = 0.0;
  double kept = 0.0;
};

Planes residual_planes(const NetworkOptions& options, const ImageShape& shape) {
  // Each convolution keeps its input and its output (which batch normalisation reads again); the
  // backward pass holds gradients of a few layers at a time on top of that. Of a stem that shrinks
  // only the winners of its pooling stay, a byte each. All in floats: a number of bfloat16 is half
  // of one.
  const bool shrinks = stem_shrinks(options.stem);
  const double shrink = shrinks ? 0.25 : 1.0;
  Planes planes;
  planes.stem = shrink * shape.height * shape.width * options.filters;
  planes.kept = 2.0 * static_cast<double>(shape.num_pixels()) +
                (shrinks ? shrink / sizeof(float) : 2.75) * planes.stem;
  const double share = options.precision == Precision::kBFloat16 ? 0.5 : 1.0;
  double stage = share * shrink * planes.stem;  // the planes shrink by 4 while the channels double
  bool first = true;
  for (const int blocks : blocks_of_stages(options.backbone)) {
    planes.kept += stage * (5.0 * blocks + (first ? 0.0 : 2.0));
    first = false;
    stage *= 0.5;
  }
  return planes;
}

/// Gradients of weights by tiles are summed for some pictures at a time, in single precision,
/// before these sums are added: of the largest convolution, between planes of the last stage, for
/// layers come one after the other. Twice, for the thread that sums holds them in an order of its
/// own.
double sums_of_tiles(const NetworkOptions& options) {
  if (options.precision != Precision::kBFloat16 || !has_bfloat16_tiles()) return 0.0;
  const auto stages = static_cast<int>(blocks_of_stages(options.backbone).size());
  const double width = std::ldexp(options.filters, stages - 1);
  return 2.0 * 9.0 * width * width / static_cast<double>(kPicturesOfSum);
}

}  // namespace

double multiply_adds_per_image(const NetworkOptions& options, const ImageShape& shape) {
  if (options.backbone == Backbone::kMlp) return num_weights(options, shape);
  return residual_count(options, shape, Counted::kProducts) + head_weights(options);
}

double num_weights(const NetworkOptions& options, const ImageShape& shape) {
  const double heads = head_weights(options);
  if (options.backbone != Backbone::kMlp) {
    return residual_count(options, shape, Counted::kWeights) + heads;
  }
  const double width = options.hidden;
  return width * static_cast<double>(shape.num_pixels()) + (options.layers - 1) * width * width +
         heads;
}

double bytes_per_image(const NetworkOptions& options, const ImageShape& shape, bool with_graph) {
  if (options.backbone == Backbone::kMlp) {
    const double of_layers = 3.0 * options.hidden * (with_graph ? options.layers : 1);
    return sizeof(float) * (static_cast<double>(shape.num_pixels()) + of_layers);
  }
  const Planes planes = residual_planes(options, shape);
  if (!with_graph) return sizeof(float) * 3.0 * planes.stem;
  return sizeof(float) * (1.4 * (planes.kept + 3.0 * options.hidden) + sums_of_tiles(options));
}

}  // namespace subspace::neural
