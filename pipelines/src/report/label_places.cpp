// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "report/label_places.h"

#include <algorithm>
#include <cmath>

namespace subspace::pipelines::report {
namespace {

constexpr double kLetterWidth = 6.8;  // of the 12 unit font, on the generous side
constexpr double kLineHeight = 15.0;
constexpr double kDotRadius = 7.0;
constexpr double kDistance = 11.0;
constexpr double kBelowAxis = 8.0;  // a label may reach so far below, above the words of the axis

struct Box {
  double left = 0.0;
  double top = 0.0;
  double right = 0.0;
  double bottom = 0.0;

  double overlap(const Box& other) const {
    const double width = std::min(right, other.right) - std::max(left, other.left);
    const double height = std::min(bottom, other.bottom) - std::max(top, other.top);
    return width > 0.0 && height > 0.0 ? width * height : 0.0;
  }
};

/// UTF-8 continuation bytes are no letters of their own.
double width_of(const std::string& label) {
  return kLetterWidth * static_cast<double>(std::ranges::count_if(label, [](char letter) {
           return (static_cast<unsigned char>(letter) & 0xC0U) != 0x80U;
         }));
}

Box box_of(const LabelPlace& place, const std::string& label) {
  const double width = width_of(label);
  const double left = place.ends_here ? place.x - width : place.x;
  return {left, place.y - 0.8 * kLineHeight, left + width, place.y + 0.2 * kLineHeight};
}

double outside(const Box& box, const Frame& frame) {
  return std::max(0.0, frame.left - box.left) + std::max(0.0, box.right - frame.right()) +
         std::max(0.0, frame.top - box.top) +
         std::max(0.0, box.bottom - frame.bottom() - kBelowAxis);
}

std::vector<LabelPlace> candidates(const Labelled& dot) {
  std::vector<LabelPlace> places;
  for (const double rise : {4.0, -10.0, 18.0, -24.0, 32.0, -38.0}) {
    places.push_back({dot.x + kDistance, dot.y + rise, false});
    places.push_back({dot.x - kDistance, dot.y + rise, true});
  }
  return places;
}

Box around(double x, double y, double radius) {
  return {x - radius, y - radius, x + radius, y + radius};
}

/// A line as a chain of small boxes.
void take_line(const std::vector<Spot>& line, std::vector<Box>& taken) {
  constexpr double kApart = 6.0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Spot from = line[i - 1];
    const Spot to = line[i];
    const int pieces =
        1 + static_cast<int>(std::hypot(to.x - from.x, to.y - from.y) / kApart);
    for (int piece = 0; piece <= pieces; ++piece) {
      const double share = static_cast<double>(piece) / pieces;
      taken.push_back(around(std::lerp(from.x, to.x, share), std::lerp(from.y, to.y, share),
                             kApart / 2.0));
    }
  }
}

}  // namespace

std::vector<LabelPlace> place_labels(const std::vector<Labelled>& dots,
                                     const std::vector<std::vector<Spot>>& lines,
                                     const Frame& frame) {
  std::vector<Box> taken;
  for (const Labelled& dot : dots) taken.push_back(around(dot.x, dot.y, kDotRadius));
  for (const std::vector<Spot>& line : lines) take_line(line, taken);
  std::vector<LabelPlace> places;
  for (const Labelled& dot : dots) {
    const auto cost = [&](const LabelPlace& place) {
      const Box box = box_of(place, dot.label);
      // Among free places the nearest; a free one further off rather than one that is covered.
      double sum = 1000.0 * outside(box, frame) + 0.2 * std::abs(place.y - 4.0 - dot.y);
      for (const Box& other : taken) sum += box.overlap(other);
      return sum;
    };
    const std::vector<LabelPlace> possible = candidates(dot);
    places.push_back(*std::ranges::min_element(possible, {}, cost));
    taken.push_back(box_of(places.back(), dot.label));
  }
  return places;
}

}  // namespace subspace::pipelines::report
