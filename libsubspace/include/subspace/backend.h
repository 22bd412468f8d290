// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include <subspace/core/export.h>

namespace subspace {

/// Name and version of the dense linear algebra inside this build, e.g. "oneMKL 2026.2 sequential".
SUBSPACE_API std::string backend_name();

}  // namespace subspace
