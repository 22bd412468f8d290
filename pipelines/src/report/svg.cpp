// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "report/svg.h"

#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>

#include "report/format.h"

namespace subspace::pipelines::report {
std::string coordinate(double value) {
  std::string number = fixed(value, 1);
  if (number.ends_with(".0")) number.resize(number.size() - 2);
  return number == "-0" ? "0" : number;
}

Markup drawing(double width, double height, const Attributes& attributes, const Markup& content) {
  Attributes all = {{"viewBox", message("0 0 ", coordinate(width), " ", coordinate(height))}};
  all.insert(all.end(), attributes.begin(), attributes.end());
  return enclose("svg", all, content);
}

Markup line(double x1, double y1, double x2, double y2, const std::string& classes) {
  return leaf("line", {{"class", classes},
                       {"x1", coordinate(x1)},
                       {"y1", coordinate(y1)},
                       {"x2", coordinate(x2)},
                       {"y2", coordinate(y2)}});
}

Markup words_at(double x, double y, const Attributes& attributes, const std::string& words) {
  Attributes all = {{"x", coordinate(x)}, {"y", coordinate(y)}};
  all.insert(all.end(), attributes.begin(), attributes.end());
  return worded("text", all, words);
}

std::vector<double> round_ticks(double highest, int count) {
  const double rough = std::max(highest, 1e-12) / count;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10.0 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= rough * (1.0 - 1e-9)) step = factor * power;
  }
  std::vector<double> ticks = {0.0};
  while (ticks.back() < highest) ticks.push_back(step * static_cast<double>(ticks.size()));
  if (ticks.size() == 1) ticks.push_back(step);
  return ticks;
}

Markup value_axis(const Frame& frame, const std::vector<double>& ticks) {
  Markup axis;
  for (const double tick : ticks) {
    const double y = frame.bottom() - tick / ticks.back() * frame.height;
    axis += line(frame.left, y, frame.right(), y, tick == 0.0 ? "axis" : "grid");
    axis += words_at(frame.left - 8.0, y + 4.0, {{"class", "tick end"}},
                     without_end_zeros(significant(tick)));
  }
  return axis;
}

std::string color_class(int cluster) {
  const int round = cluster / kNumColors;
  return message("k", cluster % kNumColors, round % 2 == 1 ? " square" : "");
}

}  // namespace subspace::pipelines::report
