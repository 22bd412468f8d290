// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

namespace subspace::pipelines {

/// What is taken of a trained network.
struct ReadOut {
  std::string layer = "proj";  ///< "proj" (unit columns), "pre-feature" or "pool"
  int views = 0;               ///< mean over so many random views; 0: of the clean picture or point
};

}  // namespace subspace::pipelines
