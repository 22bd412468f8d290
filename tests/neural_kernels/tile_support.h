// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/instruction_sets.h>

namespace subspace::neural::testing {

/// Why tests of tiles are skipped where !has_bfloat16_tiles().
inline const char* why_no_tiles() {
  return bfloat16_tiles() == BFloat16Tiles::kRefused
             ? "the system refused this process the tiles of bfloat16 (AMX) of its processor"
             : "this processor has no tiles of bfloat16 (AMX)";
}

}  // namespace subspace::neural::testing
