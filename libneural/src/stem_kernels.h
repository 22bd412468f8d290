// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// What the first layers of a network do to one picture, on one thread: convolution of stride 2,
/// scale and shift, ReLU, max-pooling 3 x 3 of stride 2. Libraries make a tensor of each of these,
/// larger than all that follow; here they stay in the cache of the core.
namespace subspace::neural {

/// Numbers a vector register holds; filters are padded to a multiple of two of them.
constexpr int kStemLanes = 8;

struct StemShape {
  int channels = 1, height = 0, width = 0;  ///< of a picture
  int size = 5;                             ///< of the filters, odd
  int filters = 0;

  int taps() const { return channels * size * size; }
  int padded_filters() const {
    return (filters + 2 * kStemLanes - 1) / (2 * kStemLanes) * 2 * kStemLanes;
  }
  /// Of the convolution, and of what is left of it after pooling.
  int rows() const { return (height + 1) / 2; }
  int columns() const { return (width + 1) / 2; }
  int pooled_rows() const { return (rows() + 1) / 2; }
  int pooled_columns() const { return (columns() + 1) / 2; }
  std::size_t pixels() const { return static_cast<std::size_t>(rows()) * columns(); }
  std::size_t pooled_pixels() const {
    return static_cast<std::size_t>(pooled_rows()) * pooled_columns();
  }
};

/// Marks an output of the pooling that ReLU has cut off: no gradient goes through it.
constexpr std::uint8_t kCutOff = 255;

/// The work space of one thread, made once for many pictures.
class StemWorkspace {
 public:
  explicit StemWorkspace(const StemShape& shape);

  /// To be called before the others for each picture, of channels x height x width. Its values
  /// under tap (c, dy, dx) of the filters, for one row of the convolution, then lie side by side.
  void load(const float* picture);

  /// Adds the sums over all places of the products of two taps, taps x taps of which the lower
  /// triangle, and of single taps.
  void add_moments(double* products, double* sums);

  /// pooled: pooled_pixels x filters, the channels of a pixel together; winners: the same, the
  /// place in the 3 x 3 window that gave the value, or kCutOff. weights: taps x padded_filters.
  void forward(const float* weights, const float* scale, const float* shift, float* pooled,
               std::uint8_t* winners);

  /// From the gradient by the pooled values: adds to `products` (taps x padded_filters) the sum
  /// over all places of tap times gradient before ReLU, and to `sums` (padded_filters) that
  /// gradient.
  void add_gradients(const float* gradient, const std::uint8_t* winners, float* products,
                     double* sums);

 private:
  /// The first value of a row of the convolution under one tap; the next ones follow it.
  const float* under(int tap, int row) const {
    return planes_.data() + tap_offsets_[static_cast<std::size_t>(tap)] +
           static_cast<std::size_t>(row) * static_cast<std::size_t>(plane_width_);
  }

  StemShape shape_;
  int plane_width_ = 0;
  std::vector<std::size_t> tap_offsets_;
  std::vector<float> planes_;  // even and odd rows and columns of the padded picture, each apart
  std::vector<float> values_;  // pixels x padded_filters, of the convolution or its gradient
};

}  // namespace subspace::neural
