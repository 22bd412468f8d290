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

/// Random views of images: horizontal flip, then perspective, then brightness and contrast in
/// random order. The policy of the COIL recipe, which on grey pictures is all that is left of
/// torchvision's ColorJitter; no hue or saturation is changed in colour either.
namespace subspace::neural {

struct AugmentationOptions {
  double flip = 0.5;         ///< probability of a horizontal flip
  double perspective = 0.6;  ///< probability of a perspective
  /// Each corner moves inwards by a whole number of pixels, at most this share of half the side.
  double distortion_scale = 0.3;
  double brightness = 0.8;  ///< the factor is uniform in [max(0, 1 - b), 1 + b]
  double contrast = 0.8;    ///< likewise, about the picture's mean
};
SUBSPACE_API Parameters describe(AugmentationOptions& options);

/// A position in pixels; (0, 0) is the centre of the top left pixel.
struct Corner {
  double x = 0.0;
  double y = 0.0;
};

/// Where the corners go, clockwise from the top left.
using Corners = std::array<Corner, 4>;

/// One draw: everything that is random about one view of one image. The default changes nothing.
struct ViewDraw {
  bool flip = false;
  bool perspective = false;
  Corners corners = {};  ///< read when `perspective` is set
  double brightness = 1.0;
  double contrast = 1.0;
  bool contrast_first = false;
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
/// picture; brightness multiplies; contrast moves away from the mean grey, rounded to 8 bits; each
/// of the two ends by clipping to [0, 1]. (PIL also rounds every result to 8 bits; we do not.)
/// `image` and `view` must not overlap.
SUBSPACE_API void apply_view(const ViewDraw& draw, const ImageShape& shape,
                             std::span<const float> image, std::span<float> view);

/// The views of the images whose numbers are in `chosen`, one after the other. `images` holds all
/// of them.
SUBSPACE_API void augment(const AugmentationOptions& options, const ImageShape& shape,
                          const ViewKey& key, std::span<const float> images,
                          std::span<const Index> chosen, std::span<float> views,
                          const Context& context = {});

}  // namespace subspace::neural
