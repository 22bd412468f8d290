// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>

#include "registry/locate.h"

namespace subspace::datasets {

/// Sets of several files of pictures (idx, CIFAR, STL-10), one behind the other.
PointSet read_stack_points(const Located& located, const std::string& shown_as,
                           const LoadOptions& options, const Context& context);
Labels read_stack_labels(const Located& located, const std::string& shown_as,
                         const Context& context);

}  // namespace subspace::datasets
