// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>
#include <subspace/datasets/image.h>

#include "base64.h"
#include "report/figures.h"
#include "report/format.h"
#include "report/svg.h"

namespace subspace::pipelines::report {
namespace {

constexpr double kSide = 480.0;

/// Affinities are sparse and most of them faint: the root lets them be seen beside the strong ones.
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

/// The levels as a mask over one colour, which thereby can follow dark and light.
Markup levels_as_ink(const HeatMap& map, const std::string& id) {
  const std::string side = coordinate(kSide);
  const Attributes place = {{"width", side}, {"height", side}};
  Attributes image = place;
  image.insert(image.end(), {{"href", data_uri(map)}, {"class", "pixels"}});
  Attributes ink = place;
  ink.insert(ink.end(), {{"class", "ink"}, {"mask", message("url(#", id, ")")}});
  return element("mask", {{"id", id}}, leaf("image", image)) + leaf("rect", ink);
}

Markup bound_lines(const std::vector<double>& bounds) {
  std::string path;
  for (const double bound : bounds) {
    const std::string at = coordinate(bound * kSide);
    const std::string end = coordinate(kSide);
    path += message("M", at, " 0V", end, "M0 ", at, "H", end);
  }
  // Many lines are drawn fainter, or they would hide what they divide.
  const double opacity = std::clamp(6.0 / static_cast<double>(bounds.size() + 1), 0.06, 0.4);
  return leaf("path", {{"class", "bound"}, {"stroke-opacity", fixed(opacity, 2)}, {"d", path}});
}

}  // namespace

Markup affinity_figure(const HeatMap& affinity, const std::string& id) {
  if (affinity.side < 1) return {};
  const Markup frame = leaf(
      "rect", {{"class", "frame"}, {"width", coordinate(kSide)}, {"height", coordinate(kSide)}});
  const Markup picture =
      drawing(kSide, kSide,
              {{"role", "img"}, {"aria-label", "Heat-map of the affinity between the points"}},
              levels_as_ink(affinity, id) + bound_lines(affinity.bounds) + frame);
  return figure("square", "Affinity", picture,
                "Points in the order of their found cluster, lines where the next one begins. Ink "
                "outside the blocks on the diagonal joins clusters.");
}

}  // namespace subspace::pipelines::report
