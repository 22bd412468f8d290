// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <subspace/datasets/image.h>
#include <subspace/datasets/load.h>

namespace subspace::datasets {

/// Turns stored 8-bit pictures into columns of values in [0, 1]: colour to grey by the mean of the
/// channels, and the size asked for. Where the stored size is a multiple of it, by the exact mean
/// of blocks; else by the triangle filter as wide as the change of scale (bilinear when enlarging),
/// which is Pillow's and torchvision's antialiased bilinear.
class Resampler {
 public:
  /// `origin` is what to name in errors. Throws IoError for shapes no picture has.
  Resampler(const std::string& origin, const ImageShape& stored, const LoadOptions& options);

  const ImageShape& stored() const { return stored_; }
  const ImageShape& shape() const { return shape_; }

  /// The memory that apply() takes and gives back.
  std::uint64_t working_bytes() const;

  /// `values` in the order of ImageShape; `out` has shape().num_values() places.
  void apply(std::span<const std::uint8_t> values, double* out) const;

 private:
  /// out(i) = sum over taps of weight * in(first + tap).
  struct Filter {
    std::vector<int> first = {};
    std::vector<std::vector<double>> weights = {};
  };
  static Filter triangle(int from, int to);

  void block_means(const std::vector<int>& plane, double divisor, double* out) const;
  void filtered(const std::vector<int>& plane, double divisor, double* out) const;

  ImageShape stored_;
  ImageShape shape_;
  bool by_blocks_ = true;
  Filter rows_, columns_;
};

}  // namespace subspace::datasets
