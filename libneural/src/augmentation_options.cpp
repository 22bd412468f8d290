// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <iterator>

#include <subspace/core/error.h>
#include <subspace/neural/augmentation.h>

#include "view_draw.h"

namespace subspace::neural {
namespace {

Parameter probability(const char* name, double& field, const char* help) {
  return parameter(name, field, help).at_least(0.0).at_most(1.0);
}

Parameter spread(const char* name, double& field, const char* help) {
  return parameter(name, field, help).at_least(0.0).at_most(10.0);
}

Parameters describe_geometry(AugmentationOptions& options) {
  return {
      probability("crop", options.crop, "probability of a resized crop"),
      parameter("crop_least", options.crop_least, "least share of the area that a crop keeps")
          .above(0.0)
          .at_most(1.0),
      parameter("crop_most", options.crop_most, "largest share of the area that a crop keeps")
          .above(0.0)
          .at_most(1.0),
      parameter("crop_aspect", options.crop_aspect, "largest ratio of the sides of a crop")
          .at_least(1.0)
          .at_most(10.0),
      probability("flip", options.flip, "probability of a horizontal flip"),
      probability("perspective", options.perspective, "probability of a perspective"),
      parameter("distortion_scale", options.distortion_scale,
                "farthest a corner moves inwards in the perspective, as a share of half the side")
          .at_least(0.0)
          .at_most(0.9),
  };
}

Parameters describe_colour(AugmentationOptions& options) {
  return {
      probability("jitter", options.jitter,
                  "probability of brightness, contrast, saturation and hue together"),
      spread("brightness", options.brightness, "spread of the brightness factor about 1"),
      spread("contrast", options.contrast, "spread of the contrast factor about 1"),
      spread("saturation", options.saturation,
             "spread of the saturation factor about 1; no effect on grey pictures"),
      parameter("hue", options.hue,
                "largest shift of the hue, in turns; no effect on grey pictures")
          .at_least(0.0)
          .at_most(0.5),
      probability("grey", options.grey, "probability of losing all colour"),
  };
}

Parameters describe_values(AugmentationOptions& options) {
  return {
      probability("blur", options.blur, "probability of a Gaussian blur"),
      parameter("blur_least", options.blur_least, "least standard deviation of the blur, in pixels")
          .above(0.0)
          .at_most(100.0),
      parameter("blur_most", options.blur_most, "largest standard deviation of the blur, in pixels")
          .above(0.0)
          .at_most(100.0),
      parameter("blur_size", options.blur_size,
                "taps of the blur, odd; 0: a tenth of the smaller side, 3 at least")
          .at_least(0.0)
          .at_most(255.0),
      probability("solarise", options.solarise, "probability of inverting the values from 1/2 on"),
      parameter("noise", options.noise, "standard deviation of the noise added at the end")
          .at_least(0.0),
      choice("normalise", options.normalise,
             {{"none", Normalisation::kNone},
              {"cifar10", Normalisation::kCifar10},
              {"imagenet", Normalisation::kImagenet}},
             "whose mean and deviation of the channels the pictures are freed of"),
  };
}

void check_range(const std::string& function, const char* name, double least, double most) {
  if (least > most) {
    throw InvalidArgument(message(function, ": ", name, "_least = ", least, ", must satisfy ", name,
                                  "_least <= ", name, "_most = ", most));
  }
}

void check_blur(const AugmentationOptions& options, const ImageShape& shape,
                const std::string& function) {
  if (options.blur_size > 0 && options.blur_size % 2 == 0) {
    throw InvalidArgument(
        message(function, ": blur_size = ", options.blur_size, ", must be odd, or 0"));
  }
  const int side = std::min(shape.height, shape.width);
  const int radius = num_taps(options, shape) / 2;
  if (options.blur > 0.0 && radius >= side) {
    throw InvalidArgument(message(function, ": blur_size = ", 2 * radius + 1,
                                  ", must satisfy blur_size < 2 * ", side, ", twice the side"));
  }
}

}  // namespace

Parameters describe(AugmentationOptions& options) {
  Parameters all = describe_geometry(options);
  for (Parameters more : {describe_colour(options), describe_values(options)}) {
    std::ranges::move(more, std::back_inserter(all));
  }
  return all;
}

void check_augmentation(const AugmentationOptions& options, const ImageShape& shape,
                        const std::string& function) {
  AugmentationOptions copy = options;
  check(describe(copy), function);
  check_range(function, "crop", options.crop_least, options.crop_most);
  check_range(function, "blur", options.blur_least, options.blur_most);
  check_blur(options, shape, function);
  if (options.normalise != Normalisation::kNone && shape.channels != 3) {
    throw InvalidArgument(message(function, ": normalise is for pictures of 3 channels, not of ",
                                  shape.channels, "; must be none"));
  }
}

AugmentationOptions coil_augmentation() { return {}; }

AugmentationOptions cifar_augmentation() {
  return {.perspective = 0.0,
          .brightness = 0.4,
          .contrast = 0.4,
          .saturation = 0.4,
          .hue = 0.1,
          .jitter = 0.8,
          .crop = 1.0,
          .grey = 0.2,
          .normalise = Normalisation::kCifar10};
}

AugmentationOptions stl_augmentation() {
  AugmentationOptions options = simclr_augmentation();
  options.blur = 1.0;
  options.blur_size = 9;
  return options;
}

AugmentationOptions simclr_augmentation(double strength) {
  return {.perspective = 0.0,
          .brightness = 0.8 * strength,
          .contrast = 0.8 * strength,
          .saturation = 0.8 * strength,
          .hue = 0.2 * strength,
          .jitter = 0.8,
          .crop = 1.0,
          .grey = 0.2,
          .blur = 0.5};
}

AugmentationOptions point_augmentation(double noise) {
  return {.flip = 0.0, .perspective = 0.0, .jitter = 0.0, .noise = noise};
}

}  // namespace subspace::neural
