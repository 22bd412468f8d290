// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include <subspace/core/export.h>

namespace subspace::pipelines {

/// The word as a shell reads it back: in quotes unless the shell would leave it alone.
SUBSPACE_API std::string shell_word(const std::string& word);

}  // namespace subspace::pipelines
