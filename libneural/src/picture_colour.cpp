// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <array>
#include <cmath>

#include <subspace/core/error.h>

#include "picture_operations.h"

namespace subspace::neural {
namespace {

/// Grey of colour, ITU-R 601.
constexpr std::array<double, 3> kLuma = {0.299, 0.587, 0.114};

float luma(float red, float green, float blue) {
  return static_cast<float>(kLuma[0]) * red + static_cast<float>(kLuma[1]) * green +
         static_cast<float>(kLuma[2]) * blue;
}

float clipped(float value) { return std::min(std::max(value, 0.0F), 1.0F); }

/// The mean grey of 8 bits; channels that are not three weigh alike.
float grey_mean(const ImageShape& shape, std::span<const float> image) {
  const std::size_t plane = image.size() / static_cast<std::size_t>(shape.channels);
  double sum = 0.0;
  for (std::size_t channel = 0; channel * plane < image.size(); ++channel) {
    const double weight = shape.channels == 3 ? kLuma[channel] : 1.0 / shape.channels;
    double of_channel = 0.0;
    for (const float value : image.subspan(channel * plane, plane)) of_channel += value;
    sum += weight * of_channel;
  }
  return static_cast<float>(std::floor(255.0 * sum / static_cast<double>(plane) + 0.5) / 255.0);
}

/// Calls `change` on the references to the three values of every pixel.
template <typename Change>
void for_colours(std::span<float> image, const Change& change) {
  const std::size_t plane = image.size() / 3;
  float* __restrict red = image.data();
  float* __restrict green = red + plane;
  float* __restrict blue = green + plane;
  for (std::size_t i = 0; i < plane; ++i) change(red[i], green[i], blue[i]);
}

/// The hue in sixths of a turn, from -1 to 5; 0 where there is none.
float hue_sixths(float red, float green, float blue, float largest, float chroma) {
  const float scale = 1.0F / (chroma > 0.0F ? chroma : 1.0F);
  const float from_red = (green - blue) * scale;
  const float from_green = 2.0F + (blue - red) * scale;
  const float from_blue = 4.0F + (red - green) * scale;
  const float not_red = largest == green ? from_green : from_blue;
  return largest == red ? from_red : not_red;
}

/// A value from -6 to 12 taken to [0, 6).
float wrapped(float sixths) {
  sixths += sixths < 0.0F ? 6.0F : 0.0F;
  return sixths - (sixths >= 6.0F ? 6.0F : 0.0F);
}

/// How far a channel is from the largest, in units of the chroma, `sixths` after its phase.
float shortfall(float sixths) { return clipped(std::min(sixths, 4.0F - sixths)); }

struct Channels {
  std::array<double, 3> mean;
  std::array<double, 3> deviation;
};

/// As recipes for these sets state them. The deviations given for CIFAR-10 are the mean over
/// pictures of each one's own; those of all pixels are 0.247, 0.243 and 0.262.
Channels channels_of(Normalisation normalisation) {
  if (normalisation == Normalisation::kCifar10) {
    return {{0.4914, 0.4822, 0.4465}, {0.2023, 0.1994, 0.2010}};
  }
  return {{0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}};
}

}  // namespace

void change_brightness(double factor, std::span<float> image) {
  const auto scale = static_cast<float>(factor);
  for (float& value : image) value = clipped(scale * value);
}

void change_contrast(double factor, const ImageShape& shape, std::span<float> image) {
  if (factor == 1.0) return;  // the pivot cancels only up to rounding
  const auto scale = static_cast<float>(factor);
  const float offset = (1.0F - scale) * grey_mean(shape, image);
  for (float& value : image) value = clipped(scale * value + offset);
}

void change_saturation(double factor, const ImageShape& shape, std::span<float> image) {
  if (factor == 1.0 || shape.channels != 3) return;
  const auto scale = static_cast<float>(factor);
  for_colours(image, [scale](float& red, float& green, float& blue) {
    const float offset = (1.0F - scale) * luma(red, green, blue);
    red = clipped(scale * red + offset);
    green = clipped(scale * green + offset);
    blue = clipped(scale * blue + offset);
  });
}

// With V the largest value, C = V minus the least and H the hue in sixths, a channel is
// V - C clip(min(k, 4 - k)), k = (H + n) mod 6, n = 5, 3, 1 for red, green, blue.
void turn_hue(double turns, const ImageShape& shape, std::span<float> image) {
  if (turns == 0.0 || shape.channels != 3) return;
  const auto shift = static_cast<float>(6.0 * turns);
  for_colours(image, [shift](float& red, float& green, float& blue) {
    const float largest = std::max(red, std::max(green, blue));
    const float chroma = largest - std::min(red, std::min(green, blue));
    const float hue = wrapped(hue_sixths(red, green, blue, largest, chroma) + shift);
    red = largest - chroma * shortfall(wrapped(hue + 5.0F));
    green = largest - chroma * shortfall(wrapped(hue + 3.0F));
    blue = largest - chroma * shortfall(wrapped(hue + 1.0F));
  });
}

void make_grey(const ImageShape& shape, std::span<float> image) {
  if (shape.channels != 3) return;
  for_colours(image, [](float& red, float& green, float& blue) {
    red = green = blue = luma(red, green, blue);
  });
}

void solarise(std::span<float> image) {
  for (float& value : image) value = value >= 0.5F ? 1.0F - value : value;
}

void add_noise(double deviation, RandomStream random, std::span<float> values) {
  if (deviation == 0.0) return;
  for (float& value : values) value += static_cast<float>(deviation * random.normal());
}

void normalise(Normalisation normalisation, const ImageShape& shape, std::span<float> images) {
  if (normalisation == Normalisation::kNone) return;
  const auto plane = static_cast<std::size_t>(shape.height) * static_cast<std::size_t>(shape.width);
  if (shape.channels != 3 || plane == 0 || images.size() % (3 * plane) != 0) {
    throw DataError(message("normalise: ", images.size(), " values of ", shape.channels,
                            " channels, must be pictures of 3 channels of ", plane));
  }
  const Channels channels = channels_of(normalisation);
  for (std::size_t at = 0, channel = 0; at < images.size();
       at += plane, channel = (channel + 1) % 3) {
    const auto mean = static_cast<float>(channels.mean[channel]);
    const auto scale = static_cast<float>(1.0 / channels.deviation[channel]);
    for (float& value : images.subspan(at, plane)) value = (value - mean) * scale;
  }
}

}  // namespace subspace::neural
