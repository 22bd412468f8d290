// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include <subspace/core/types.h>

namespace subspace::datasets {

/// Numbers of a file as labels. Throws IoError that names the first that is no 32-bit integer.
Labels to_labels(const std::string& file, const std::vector<double>& values);

}  // namespace subspace::datasets
