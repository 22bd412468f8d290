// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>

#include "report/figures.h"
#include "report/format.h"
#include "report/svg.h"

namespace subspace::pipelines::report {
namespace {

constexpr Frame kFrame = {.left = 54.0, .top = 16.0, .width = 410.0, .height = 400.0};

struct Axes {
  std::size_t count = 0;
  double highest = 0.0;

  /// Of the eigenvalue with this number, counted from 1.
  double x(double number) const {
    return kFrame.left + kFrame.width * (number - 0.5) / static_cast<double>(count);
  }
  double y(double value) const {
    return kFrame.bottom() - std::max(0.0, value) / highest * kFrame.height;
  }
};

Markup gap_band(const Axes& axes, const std::vector<double>& values, std::size_t k) {
  const double top = axes.y(values[k]);
  const double bottom = axes.y(values[k - 1]);
  const double middle = axes.x(static_cast<double>(k) + 0.5);
  Markup band = leaf("rect", {{"class", "gap"},
                              {"x", coordinate(kFrame.left)},
                              {"y", coordinate(top)},
                              {"width", coordinate(kFrame.width)},
                              {"height", coordinate(std::max(1.0, bottom - top))}});
  band += line(middle, kFrame.top, middle, kFrame.bottom(), "mark");
  const bool at_right = middle > kFrame.left + kFrame.width / 2.0;
  band += words_at(middle + (at_right ? -8.0 : 8.0), kFrame.top + 14.0,
                   {{"class", at_right ? "label end" : "label"}}, message("K = ", k));
  return band;
}

Markup dots(const Axes& axes, const std::vector<double>& values, std::size_t k) {
  Markup all;
  for (std::size_t i = 0; i < values.size(); ++i) {
    all += leaf("circle", {{"class", i < k ? "dot inside" : "dot"},
                           {"cx", coordinate(axes.x(static_cast<double>(i + 1)))},
                           {"cy", coordinate(axes.y(values[i]))},
                           {"r", "4"}});
  }
  return all;
}

std::string caption(const std::vector<double>& values, std::size_t k) {
  const std::string what = "Lowest eigenvalues of the normalised Laplacian. ";
  if (k == 0 || k >= values.size()) return what;
  return message(what, "The gap after number K = ", k, " is ",
                 significant(values[k] - values[k - 1]),
                 ": wide where the graph falls into K parts.");
}

}  // namespace

Markup spectrum_figure(const std::vector<double>& eigenvalues, int num_clusters) {
  const auto is_number = [](double value) { return std::isfinite(value); };
  if (eigenvalues.empty() || !std::ranges::all_of(eigenvalues, is_number)) return {};
  const auto k = static_cast<std::size_t>(std::max(0, num_clusters));
  const std::vector<double> ticks = round_ticks(std::ranges::max(eigenvalues), 5);
  const Axes axes = {eigenvalues.size(), ticks.back()};
  Markup content = value_axis(kFrame, ticks);
  if (k > 0 && k < eigenvalues.size()) content += gap_band(axes, eigenvalues, k);
  content += dots(axes, eigenvalues, k);
  for (const std::size_t number : {std::size_t{1}, eigenvalues.size()}) {
    content += words_at(axes.x(static_cast<double>(number)), kFrame.bottom() + 20.0,
                        {{"class", "tick middle"}}, std::to_string(number));
  }
  content += words_at(kFrame.left + kFrame.width / 2.0, kFrame.bottom() + 42.0,
                      {{"class", "tick middle"}}, "number of the eigenvalue");
  return figure(
      "square", "Spectrum",
      drawing(480.0, 480.0, {{"role", "img"}, {"aria-label", "Spectrum of the graph"}}, content),
      caption(eigenvalues, k));
}

}  // namespace subspace::pipelines::report
