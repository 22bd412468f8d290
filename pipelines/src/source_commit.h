// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

namespace subspace::pipelines {

/// The commit this build was configured from, with "+" behind it if files differed; "" outside of a
/// repository.
std::string source_commit();

}  // namespace subspace::pipelines
