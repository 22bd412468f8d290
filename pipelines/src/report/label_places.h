// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include "report/svg.h"

namespace subspace::pipelines::report {

struct Spot {
  double x = 0.0;
  double y = 0.0;
};

struct Labelled {
  double x = 0.0;
  double y = 0.0;
  std::string label = {};
};

struct LabelPlace {
  double x = 0.0;
  double y = 0.0;          ///< of the base line
  bool ends_here = false;  ///< x is the right end of the words
};

/// Where to write the labels of dots so that they cover neither dots nor lines nor one another, as
/// far as there is room; one after another, each takes the best place left.
std::vector<LabelPlace> place_labels(const std::vector<Labelled>& dots,
                                     const std::vector<std::vector<Spot>>& lines,
                                     const Frame& frame);

}  // namespace subspace::pipelines::report
