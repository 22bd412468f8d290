// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>

#include "registry/locate.h"

namespace subspace::datasets {

// One pair of readers for each kind of layout. `shown_as` names the set in errors.

PointSet read_set_points(const Located& located, const std::string& shown_as,
                         const std::string& item, const LoadOptions& options,
                         const Context& context);
Labels read_set_labels(const Located& located, const std::string& shown_as, const std::string& item,
                       const Context& context);
/// The sequences of a layout of trajectories, in natural order; of others none.
std::vector<std::string> set_items(const Located& located);

}  // namespace subspace::datasets
