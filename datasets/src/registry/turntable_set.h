// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>

#include "registry/entry.h"

namespace subspace::datasets {

/// The built-in set with its defaults, at the size and in the colour asked for.
PointSet render_set_points(const std::string& shown_as, const LoadOptions& options,
                           const Context& context);

}  // namespace subspace::datasets
