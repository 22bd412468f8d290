// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <subspace/core/random.h>
#include <subspace/neural/augmentation.h>

/// One operation each on one planar picture; in place unless it has an `image` to read from.
namespace subspace::neural {

/// Room that one picture after another uses.
struct PictureWorkspace {
  std::vector<float> copy;         ///< a picture
  std::vector<float> rows;         ///< a channel, or a row with its borders
  std::vector<double> x, y;        ///< where the pixels of a row come from
  std::vector<std::ptrdiff_t> at;  ///< per column, the left of two taps
  std::vector<float> weight;       ///< per column the share of the right one, or a kernel
};

void flip_rows(const ImageShape& shape, std::span<float> image);
/// Bilinear enlargement of a part to the size of the whole. Antialiasing would do nothing: it acts
/// where a picture becomes smaller.
void resize_crop(const CropBox& box, const ImageShape& shape, std::span<const float> image,
                 std::span<float> view, PictureWorkspace& work);
void warp(const Corners& corners, const ImageShape& shape, std::span<const float> image,
          std::span<float> view, PictureWorkspace& work);
void blur(double deviation, int num_taps, const ImageShape& shape, std::span<float> image,
          PictureWorkspace& work);

void change_brightness(double factor, std::span<float> image);
void change_contrast(double factor, const ImageShape& shape, std::span<float> image);
/// These three need three channels and leave any other number alone.
void change_saturation(double factor, const ImageShape& shape, std::span<float> image);
void turn_hue(double turns, const ImageShape& shape, std::span<float> image);
void make_grey(const ImageShape& shape, std::span<float> image);
void solarise(std::span<float> image);
void add_noise(double deviation, RandomStream random, std::span<float> values);

}  // namespace subspace::neural
