// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/datasets/turntable.h>

#include <numeric>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>

#include "turntable/catalogue.h"
#include "turntable/noise.h"
#include "turntable/picture.h"

namespace subspace::datasets {
namespace {

void check(const char* function, const TurntableOptions& options) {
  const auto require = [&](const char* name, int value, int low, int high) {
    if (value < low || value > high) {
      throw InvalidArgument(message(function, ": ", name, " = ", value, ", must satisfy ", low,
                                    " <= ", name, " <= ", high));
    }
  };
  require("objects", options.objects, 1, 1000);
  require("poses", options.poses, 1, 720);
  require("size", options.size, 8, 512);
}

/// Seed of the camera's noise. Equal angles give equal pictures, whatever the number of poses.
std::uint32_t grain(const TurntableOptions& options, int object, int pose) {
  using turntable::hash;
  const int common = std::gcd(pose, options.poses);
  const auto angle = hash(static_cast<std::uint32_t>(pose / common),
                          static_cast<std::uint32_t>(options.poses / common));
  const auto seed = hash(static_cast<std::uint32_t>(options.seed),
                         static_cast<std::uint32_t>(options.seed >> 32));
  return hash(seed, static_cast<std::uint32_t>(object), angle);
}

std::vector<turntable::Scene> make_scenes(const TurntableOptions& options) {
  std::vector<turntable::Scene> scenes;
  scenes.reserve(static_cast<std::size_t>(options.objects));
  for (int object = 0; object < options.objects; ++object) {
    scenes.push_back(turntable::make_scene(turntable::catalogue_object(object, options.seed)));
  }
  return scenes;
}

}  // namespace

ImageStack render_turntable(const TurntableOptions& options, const Context& context) {
  check("render_turntable", options);
  ImageStack images;
  images.shape = {options.color ? 3 : 1, options.size, options.size};
  images.count = Index{options.objects} * options.poses;
  check_memory("render_turntable", static_cast<double>(images.count * images.shape.num_values()),
               allowed_memory(context), "ask for fewer objects or poses, or a smaller size");
  images.values.resize(static_cast<std::size_t>(images.count * images.shape.num_values()));
  const std::vector<turntable::Scene> scenes = make_scenes(options);
  for_tiles(
      context, images.count, 1,
      [&](const Tile& tile) {
        const auto object = static_cast<int>(tile.begin / options.poses);
        const auto pose = static_cast<int>(tile.begin % options.poses);
        turntable::take_picture(
            scenes[static_cast<std::size_t>(object)], pose / static_cast<double>(options.poses),
            options.size, options.color, grain(options, object, pose), images.image(tile.begin));
      },
      "render");
  return images;
}

Labels turntable_truth(const TurntableOptions& options) {
  check("turntable_truth", options);
  Labels truth;
  truth.reserve(static_cast<std::size_t>(options.objects) *
                static_cast<std::size_t>(options.poses));
  for (int object = 0; object < options.objects; ++object) {
    truth.insert(truth.end(), static_cast<std::size_t>(options.poses), object);
  }
  return truth;
}

}  // namespace subspace::datasets
