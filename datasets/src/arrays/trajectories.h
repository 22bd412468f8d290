// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include "arrays/array.h"

namespace subspace::datasets {

/// Whether these are the variables of a motion segmentation sequence as Hopkins 155 stores it: x
/// and y of 3 x P x F (homogeneous coordinates of P points in F frames, x normalised, y in pixels)
/// and s of P labels.
bool are_trajectories(const std::vector<Variable>& variables);

/// X is 2F x P: column p has the two normalised coordinates of point p in frame 0, then in frame 1,
/// and so on. Throws IoError unless the third coordinate is 1 everywhere.
Matrix decode_trajectories(OpenArray& x, const Context& context);

}  // namespace subspace::datasets
