// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include <subspace/pipelines/results.h>

#include "report/markup.h"

namespace subspace::pipelines::report {

/// The levels as a mask over one colour, which thereby can follow dark and light; a square of so
/// many units. `id` is unique on the page.
Markup levels_as_ink(const HeatMap& map, double side, const std::string& id);
/// A line around a square.
Markup frame(double side);

}  // namespace subspace::pipelines::report
