// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include "report/markup.h"

/// What the figures are drawn with. Colours come from classes of the style sheet, so that they
/// follow dark and light; places and sizes are attributes.
namespace subspace::pipelines::report {

/// Number of cluster colours in the style sheet; the next as many clusters have square dots.
inline constexpr int kNumColors = 24;

/// A number with at most one digit after the point: a tenth of a unit is below what is seen.
std::string coordinate(double value);

/// The part of a drawing that the axes enclose.
struct Frame {
  double left = 0.0;
  double top = 0.0;
  double width = 0.0;
  double height = 0.0;

  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

/// A drawing that fills the width it is given.
Markup drawing(double width, double height, const Attributes& attributes, const Markup& content);
Markup line(double x1, double y1, double x2, double y2, const std::string& classes);
Markup words_at(double x, double y, const Attributes& attributes, const std::string& words);

/// About `count` round numbers from 0 on that cover `highest`.
std::vector<double> round_ticks(double highest, int count);

/// Horizontal lines with their numbers at the left, the axis from 0 at the bottom to the last tick.
Markup value_axis(const Frame& frame, const std::vector<double>& ticks);

/// "k3", and "k3 square" for the second round of colours.
std::string color_class(int cluster);

}  // namespace subspace::pipelines::report
