// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>

#include <subspace/core/error.h>

#include "report/figures.h"
#include "report/format.h"
#include "report/heat_picture.h"
#include "report/svg.h"

namespace subspace::pipelines::report {
namespace {

constexpr double kSide = 480.0;

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
  const Markup picture =
      drawing(kSide, kSide,
              {{"role", "img"}, {"aria-label", "Heat-map of the affinity between the points"}},
              levels_as_ink(affinity, kSide, id) + bound_lines(affinity.bounds) + frame(kSide));
  return figure("square", "Affinity", picture,
                "Points in the order of their found cluster, lines where the next one begins. Ink "
                "outside the blocks on the diagonal joins clusters.");
}

}  // namespace subspace::pipelines::report
