// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>

/// What an encoder is, without Torch's headers.
namespace subspace::neural {

/// A column of X is one image, channel after channel, each row after row; or, with a height of 1, a
/// point that is no picture.
struct ImageShape {
  int channels = 1;
  int height = 0;
  int width = 0;
  std::int64_t num_pixels() const { return std::int64_t{channels} * height * width; }
  bool is_picture() const { return height > 1; }
  bool operator==(const ImageShape&) const = default;
};

/// The shape of points of dimension D.
inline ImageShape point_shape(Index dimension) {
  return {.channels = 1, .height = 1, .width = static_cast<int>(dimension)};
}

enum class Backbone { kResnet18, kResnet10, kResnet34, kMlp };

/// The first layers of a residual network.
enum class Stem {
  k5x5,  ///< 5 x 5 convolution of stride 2, then 3 x 3 max-pool of stride 2: COIL, STL-10, ImageNet
  k3x3,  ///< 3 x 3 convolution of stride 1, no pool: CIFAR
  k7x7   ///< 7 x 7 convolution of stride 2, then the pool: as He et al. publish it for ImageNet
};

/// How a residual network in training stores the planes between its convolutions, and multiplies.
enum class Precision {
  kFloat32,
  /// 8 bits of mantissa with the range of a float: half the memory, and less time on processors
  /// that multiply it (the same numbers in the time of floats on others). Weights, statistics,
  /// stem, heads and losses stay float32.
  kBFloat16
};

/// An encoder: a residual network with a wide hidden layer behind it, or a plain network for points
/// that are no pictures; then unit features and, where asked for, the logits of clusters. The
/// defaults are the encoder of the COIL-20 recipe.
struct NetworkOptions {
  Backbone backbone = Backbone::kResnet18;  ///< one (10), two (18) or 3-4-6-3 (34) blocks a stage
  Stem stem = Stem::k5x5;
  int filters = 32;   ///< width of the stem and the first stage; doubles with each of four stages
  int hidden = 4096;  ///< width of the layer before the features; of every layer of an mlp
  int layers = 5;     ///< hidden layers of an mlp
  int features = 40;  ///< dimension p of the features
  int cluster_outputs = 0;  ///< width of the cluster head; 0: none, which is what TCR needs
  Precision precision = Precision::kFloat32;  ///< while it trains; features are read in float32
};
SUBSPACE_API Parameters describe(NetworkOptions& options);

/// Which parameters a stage of training moves.
enum class TrainedPart {
  kAll,
  kHeads,        ///< features and clusters alone, on what the rest has learned
  kAllButHidden  ///< all but the wide layer: what the released code of NMCE fine-tunes
};

/// Multiply-adds of a forward pass over one image; a step of training takes three times as many.
SUBSPACE_API double multiply_adds_per_image(const NetworkOptions& options, const ImageShape& shape);
/// Weights of its matrices and convolutions; without biases and normalisation, which are few.
SUBSPACE_API double num_weights(const NetworkOptions& options, const ImageShape& shape);
/// Bytes of a forward pass over one image, and with its graph what the backward pass needs, too.
SUBSPACE_API double bytes_per_image(const NetworkOptions& options, const ImageShape& shape,
                                    bool with_graph);

}  // namespace subspace::neural
