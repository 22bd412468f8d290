// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>

#include <subspace/core/export.h>
#include <subspace/core/parameters.h>

/// What an encoder is, without Torch's headers.
namespace subspace::neural {

/// A column of X is one image, channel after channel, each row after row.
struct ImageShape {
  int channels = 1;
  int height = 0;
  int width = 0;
  std::int64_t num_pixels() const { return std::int64_t{channels} * height * width; }
  bool operator==(const ImageShape&) const = default;
};

enum class Backbone { kResnet18, kResnet10 };

/// The encoder of the COIL recipe: a residual network, a wide hidden layer, unit features.
struct NetworkOptions {
  Backbone backbone = Backbone::kResnet18;  ///< two or one blocks a stage
  int filters = 32;   ///< width of the stem and the first stage; doubles with each of four stages
  int hidden = 4096;  ///< width of the layer before the features
  int features = 40;  ///< dimension p of the features
  int cluster_outputs = 0;  ///< width of the cluster head; 0: none, which is what TCR needs
};
SUBSPACE_API Parameters describe(NetworkOptions& options);

/// Multiply-adds of a forward pass over one image; a step of training takes three times as many.
SUBSPACE_API double multiply_adds_per_image(const NetworkOptions& options, const ImageShape& shape);
/// Bytes of a forward pass over one image, and with its graph what the backward pass needs, too.
SUBSPACE_API double bytes_per_image(const NetworkOptions& options, const ImageShape& shape,
                                    bool with_graph);

}  // namespace subspace::neural
