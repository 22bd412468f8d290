// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "report/heat_picture.h"

#include <cmath>

#include <subspace/core/error.h>
#include <subspace/datasets/image.h>

#include "base64.h"
#include "report/svg.h"

namespace subspace::pipelines::report {
namespace {

/// Most levels are faint: the root lets them be seen beside the strong ones.
std::vector<std::uint8_t> brightened(const std::vector<std::uint8_t>& levels) {
  std::vector<std::uint8_t> bright;
  for (const std::uint8_t level : levels) {
    bright.push_back(static_cast<std::uint8_t>(std::lround(std::sqrt(level / 255.0) * 255.0)));
  }
  return bright;
}

std::string data_uri(const HeatMap& map) {
  const std::string png = datasets::encode_png(
      {.channels = 1, .height = map.side, .width = map.side}, brightened(map.levels));
  return message("data:image/png;base64,", to_base64(png));
}

}  // namespace

Markup levels_as_ink(const HeatMap& map, double side, const std::string& id) {
  const Attributes place = {{"width", coordinate(side)}, {"height", coordinate(side)}};
  Attributes image = place;
  image.insert(image.end(), {{"href", data_uri(map)}, {"class", "pixels"}});
  Attributes ink = place;
  ink.insert(ink.end(), {{"class", "ink"}, {"mask", message("url(#", id, ")")}});
  return element("mask", {{"id", id}}, leaf("image", image)) + leaf("rect", ink);
}

Markup frame(double side) {
  return leaf("rect",
              {{"class", "frame"}, {"width", coordinate(side)}, {"height", coordinate(side)}});
}

}  // namespace subspace::pipelines::report
