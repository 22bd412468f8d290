// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/backend.h>

#include "linalg/linalg.h"

namespace subspace {

std::string backend_name() { return linalg::backend(); }

}  // namespace subspace
