// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <subspace/core/random.h>
#include <subspace/neural/augmentation.h>

/// Pictures of noise and their views, for the tests of the augmentation.
namespace subspace::neural::testing {

inline constexpr ImageShape kGrey = {.channels = 1, .height = 16, .width = 20};
inline constexpr ImageShape kColour = {.channels = 3, .height = 9, .width = 8};

inline std::vector<float> pictures(const ImageShape& shape, int count = 1) {
  RandomStream random = stream(2, Stream::kTest);
  std::vector<float> values(static_cast<std::size_t>(count * shape.num_pixels()));
  for (float& value : values) value = static_cast<float>(random.uniform());
  return values;
}

inline std::vector<float> view_of(const ViewDraw& draw, const ImageShape& shape,
                                  const std::vector<float>& image) {
  std::vector<float> view(image.size(), -1.0F);
  apply_view(draw, shape, image, view);
  return view;
}

inline std::vector<float> augmented(const AugmentationOptions& options, const ImageShape& shape,
                                    const std::vector<float>& images,
                                    const std::vector<Index>& chosen, const ViewKey& key,
                                    int num_threads = 1) {
  std::vector<float> views(chosen.size() * static_cast<std::size_t>(shape.num_pixels()));
  augment(options, shape, key, images, chosen, views, {.num_threads = num_threads});
  return views;
}

inline std::vector<Index> first(Index count) {
  std::vector<Index> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

inline float largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return INFINITY;
  float largest = 0.0F;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// All operations on, each with a fair chance.
inline AugmentationOptions everything() {
  AugmentationOptions options = simclr_augmentation();
  options.perspective = options.solarise = options.grey = options.crop = 0.5;
  options.noise = 0.1;
  options.normalise = Normalisation::kImagenet;
  return options;
}

}  // namespace subspace::neural::testing
