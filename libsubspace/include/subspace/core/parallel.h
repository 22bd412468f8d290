// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <functional>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>

namespace subspace {

/// Processors this process may use: the affinity mask, cut by the cgroup's CPU quota.
SUBSPACE_API int available_threads();

/// Far above any machine; a slip of the hand must not exhaust the system's threads.
inline constexpr int kMostThreads = 1024;

/// The number of threads a context means (0 stands for available_threads()). Throws
/// InvalidArgument unless 0 <= threads <= kMostThreads.
SUBSPACE_API int resolve_threads(const Context& context);

/// A run of consecutive items, [begin, end), of a parallel loop.
struct Tile {
  Index index = 0;  ///< position of the tile, 0 .. number of tiles - 1
  Index begin = 0;  ///< first item
  Index end = 0;    ///< one past the last item
  int worker = 0;   ///< slot of the thread, 0 .. num_threads - 1, for per-thread workspaces
  Index size() const { return end - begin; }
};

/// Calls `body` for each tile of [0, num_items). The tiles depend on `tile_size` alone, never on
/// the number of threads, so a body that writes only to its own tile gives the same bytes on any
/// machine. Cancellation is checked before every tile; progress of `phase` is reported after it
/// when `phase` is not empty. An exception ends the loop and is rethrown here. Loops may be nested:
/// the inner one shares the threads of the outer, but then `worker` is no longer exclusive to a
/// body across its inner loops, so per-worker workspaces belong in innermost loops only.
SUBSPACE_API void for_tiles(const Context& context, Index num_items, Index tile_size,
                            const std::function<void(const Tile&)>& body,
                            const std::string& phase = {});

}  // namespace subspace
