// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <algorithm>
#include <cstdint>

#include <subspace/core/memory.h>

namespace subspace {

/// The context of a stage beside which so many bytes are in use: solvers that adapt to the memory
/// adapt to what is left of it.
inline Context beside(const Context& context, double held_bytes) {
  Context rest = context;
  const double left = allowed_memory(context) - held_bytes;
  rest.max_memory = std::max<std::int64_t>(1, static_cast<std::int64_t>(left));  // 0 has no limit
  return rest;
}

}  // namespace subspace
