// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>
#include <subspace/neural/network.h>

/// Random views of pictures with values in [0, 1], in this order: resized crop, horizontal flip,
/// perspective, colour jitter, grey, Gaussian blur, solarisation, Gaussian noise, normalisation.
/// docs/augmentation.md has the formulae and what differs from torchvision.
namespace subspace::neural {

/// Mean and standard deviation per channel, of which a picture is freed at the end.
enum class Normalisation { kNone, kCifar10, kImagenet };

/// The defaults are the policy of the COIL recipe; what they leave out draws no pixel differently.
struct AugmentationOptions {
  double flip = 0.5;         ///< probability of a horizontal flip
  double perspective = 0.6;  ///< probability of a perspective
  /// Each corner moves inwards by a whole number of pixels, at most this share of half the side.
  double distortion_scale = 0.3;
  double brightness = 0.8;  ///< the factor is uniform in [max(0, 1 - b), 1 + b]
  double contrast = 0.8;    ///< likewise, about the picture's mean

  double saturation = 0.0;  ///< likewise, about the picture's grey; of three channels only
  double hue = 0.0;         ///< the shift is uniform in [-hue, hue] turns; of three channels only
  double jitter = 1.0;      ///< probability of brightness, contrast, saturation and hue together

  double crop = 0.0;               ///< probability of a resized crop
  double crop_least = 0.08;        ///< its share of the area is uniform from this
  double crop_most = 1.0;          ///< to this
  double crop_aspect = 4.0 / 3.0;  ///< log of width / height is uniform up to log of this, +-

  double grey = 0.0;        ///< probability of losing all colour
  double blur = 0.0;        ///< probability of a Gaussian blur
  double blur_least = 0.1;  ///< its standard deviation in pixels is uniform from this
  double blur_most = 2.0;   ///< to this
  int blur_size = 0;        ///< taps of its kernel, odd; 0: a tenth of the smaller side, 3 at least
  double solarise = 0.0;    ///< probability of inverting the values from 1/2 on

  double noise = 0.0;  ///< standard deviation of the noise added; the sum is not clipped
  Normalisation normalise = Normalisation::kNone;
};
SUBSPACE_API Parameters describe(AugmentationOptions& options);

/// Refuses options out of their ranges, ranges that are empty, and what pictures of this shape
/// cannot undergo; throws InvalidArgument under the name `function`.
SUBSPACE_API void check_augmentation(const AugmentationOptions& options, const ImageShape& shape,
                                     const std::string& function);

/// [NMCE] COIL-20 and COIL-100; the defaults.
SUBSPACE_API AugmentationOptions coil_augmentation();
/// [NMCE] CIFAR-10, all three stages.
SUBSPACE_API AugmentationOptions cifar_augmentation();
/// [NMCE] STL-10 and ImageNet at 96 x 96: blurs every view; neither solarises nor normalises.
SUBSPACE_API AugmentationOptions stl_augmentation();
/// [SimCLR] as its paper has it; strength 1 for ImageNet, 1/2 for CIFAR-10, where it does not blur.
SUBSPACE_API AugmentationOptions simclr_augmentation(double strength = 1.0);
/// Noise alone, for points that are no pictures. [NMCE] double spiral: 0.05 in the paper, 0.2 in
/// the released notebook. 0.1 is ours.
SUBSPACE_API AugmentationOptions point_augmentation(double noise = 0.1);
// [NMCE] Z. Li, Y. Chen, Y. LeCun, F. Sommer. Neural manifold clustering and embedding, 2022, and
// its released code. [SimCLR] T. Chen, S. Kornblith, M. Norouzi, G. Hinton. A simple framework for
// contrastive learning of visual representations. ICML 2020.

/// A position in pixels; (0, 0) is the centre of the top left pixel.
struct Corner {
  double x = 0.0;
  double y = 0.0;
};

/// Where the corners go, clockwise from the top left.
using Corners = std::array<Corner, 4>;

/// A part of a picture, in whole pixels.
struct CropBox {
  int top = 0;
  int left = 0;
  int height = 0;
  int width = 0;
  bool operator==(const CropBox&) const = default;
};

/// One draw: everything that is random about one view of one image. The default changes nothing.
struct ViewDraw {
  bool flip = false;
  bool perspective = false;
  Corners corners = {};  ///< read when `perspective` is set
  double brightness = 1.0;
  double contrast = 1.0;
  bool contrast_first = false;  ///< before brightness

  bool jitter = true;        ///< brightness, contrast, saturation and hue act
  double saturation = 1.0;   ///< factor
  double hue = 0.0;          ///< shift in turns, at most 1/2 either way
  int saturation_place = 0;  ///< how many of brightness and contrast come before it
  int hue_place = 0;         ///< how many of the other three come before it
  bool crop = false;
  CropBox box = {};  ///< read when `crop` is set
  bool grey = false;
  bool blur = false;
  double blur_deviation = 1.0;  ///< read when `blur` is set, as is
  int blur_size = 3;            ///< the number of taps
  bool solarise = false;
  double noise = 0.0;            ///< standard deviation
  std::uint64_t noise_seed = 0;  ///< of the stream of the noise
};

/// Which random numbers a view takes: those of (seed, step, view, image), whatever else is drawn,
/// so that neither batches nor threads change a picture.
struct ViewKey {
  std::uint64_t seed = 0;
  std::uint32_t step = 0;
  std::uint32_t view = 0;
};
SUBSPACE_API ViewDraw draw_view(const AugmentationOptions& options, const ImageShape& shape,
                                const ViewKey& key, std::uint32_t image);

/// The corners of a picture that stays as it is.
SUBSPACE_API Corners resting_corners(const ImageShape& shape);

/// Coefficients of (x, y) -> ((a x + b y + c) / (g x + h y + 1), (d x + e y + f) / (g x + h y + 1))
/// in the order a .. h that takes each corner of `from` to that of `to`.
SUBSPACE_API std::array<double, 8> homography(const Corners& from, const Corners& to);

/// Applies a draw to one image with values in [0, 1]. As torchvision does through PIL: the
/// perspective takes output pixel (x, y) from M(x + 1/2, y + 1/2) - 1/2, bilinear, 0 outside the
/// picture; brightness multiplies; contrast moves away from the mean grey, rounded to 8 bits;
/// saturation moves away from each pixel's grey; each of the three ends by clipping to [0, 1].
/// (PIL also rounds every result to 8 bits; we do not.) As torchvision does to tensors: the crop is
/// bilinear, hue turns in HSV, the blur reflects at the border. `image` and `view` must not
/// overlap.
SUBSPACE_API void apply_view(const ViewDraw& draw, const ImageShape& shape,
                             std::span<const float> image, std::span<float> view);

/// (value - mean) / deviation per channel, in place: what `augment` ends with, and what a network
/// trained so must be shown later. Any number of images, one after the other.
SUBSPACE_API void normalise(Normalisation normalisation, const ImageShape& shape,
                            std::span<float> images);

/// The views of the images whose numbers are in `chosen`, one after the other. `images` holds all
/// of them.
SUBSPACE_API void augment(const AugmentationOptions& options, const ImageShape& shape,
                          const ViewKey& key, std::span<const float> images,
                          std::span<const Index> chosen, std::span<float> views,
                          const Context& context = {});

/// The same for points that are no pictures, `dimension` values each: of the options, which have
/// no meaning for them, only `noise` acts.
SUBSPACE_API void augment_points(const AugmentationOptions& options, const ViewKey& key,
                                 Index dimension, std::span<const float> points,
                                 std::span<const Index> chosen, std::span<float> views,
                                 const Context& context = {});

}  // namespace subspace::neural
