// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include <subspace/core/context.h>
#include <subspace/core/export.h>

namespace subspace {

/// Memory this process may use, in bytes: the machine's, cut by the cgroup's limit.
SUBSPACE_API std::int64_t available_memory();
/// What a context allows: its max_memory, or 80 % of available_memory().
SUBSPACE_API double allowed_memory(const Context& context);
/// The context of work beside which so many bytes are in use: solvers that adapt to the memory
/// adapt to what is left of it.
inline Context beside(const Context& context, double held_bytes) {
  Context rest = context;
  const double left = allowed_memory(context) - held_bytes;
  rest.max_memory = std::max<std::int64_t>(1, static_cast<std::int64_t>(left));  // 0 has no limit
  return rest;
}
/// Largest resident set of this process so far, or since restart_peak_memory(), in bytes.
SUBSPACE_API std::int64_t peak_memory();
/// From now on peak_memory() starts with what is resident now, after memory that is not in use was
/// given back; where the system cannot do that, nothing changes.
SUBSPACE_API void restart_peak_memory();
/// Throws ResourceError "function: needs about 4.2 GB, 2.0 GB allowed; hint" when need > allowed.
SUBSPACE_API void check_memory(const std::string& function, double needed_bytes,
                               double allowed_bytes, const std::string& hint);

}  // namespace subspace
