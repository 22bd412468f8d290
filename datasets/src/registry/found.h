// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include "registry/locate.h"

namespace subspace::datasets {

struct Dataset::Found {
  const Entry* entry = nullptr;
  DatasetName name = {};
  std::optional<ImageSize> size = {};  ///< that the name means, where it is not the stored one
  Located located = {};
};

}  // namespace subspace::datasets
