// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <subspace/core/parallel.h>

#include "support/message_of.h"

namespace subspace {
namespace {

Context with_threads(int threads) { return {.num_threads = threads}; }

TEST(ForTiles, VisitsEveryItemOnceWithTheSameTilesForAnyNumberOfThreads) {
  for (const int threads : {1, 2, 4}) {
    std::vector<std::atomic<int>> visits(103);
    std::vector<Index> begins(11, -1);
    for_tiles(with_threads(threads), 103, 10, [&](const Tile& tile) {
      begins[static_cast<std::size_t>(tile.index)] = tile.begin;
      EXPECT_GE(tile.worker, 0);
      EXPECT_LT(tile.worker, threads);
      for (Index i = tile.begin; i < tile.end; ++i) ++visits[static_cast<std::size_t>(i)];
    });
    for (const auto& count : visits) EXPECT_EQ(count, 1);
    for (std::size_t t = 0; t < begins.size(); ++t)
      EXPECT_EQ(begins[t], static_cast<Index>(t) * 10);
  }
}

TEST(ForTiles, AWorkerSlotIsNeverSharedByTwoThreadsAtOnce) {
  std::vector<std::atomic<int>> inside(4);
  for_tiles(with_threads(4), 200, 1, [&](const Tile& tile) {
    auto& slot = inside[static_cast<std::size_t>(tile.worker)];
    EXPECT_EQ(slot.fetch_add(1), 0);
    std::this_thread::yield();
    slot.fetch_sub(1);
  });
}

TEST(ForTiles, OneThreadMeansTheCallersThread) {
  const auto caller = std::this_thread::get_id();
  for_tiles(with_threads(1), 20, 1,
            [&](const Tile&) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

TEST(ForTiles, NeverUsesMoreThreadsThanAsked) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  for_tiles(with_threads(2), 400, 1, [&](const Tile&) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_LE(threads.size(), 2U);
}

TEST(ForTiles, RethrowsAnExceptionOfTheBody) {
  for (const int threads : {1, 2, 4}) {
    const auto loop = [&] {
      for_tiles(with_threads(threads), 50, 1, [](const Tile& tile) {
        if (tile.begin == 17) throw NumericalError("tile 17");
      });
    };
    EXPECT_EQ(testing::message_of<NumericalError>(loop), "tile 17");
  }
}

TEST(ForTiles, StopsWhenCancelled) {
  for (const int threads : {1, 2}) {
    CancelToken cancel;
    std::atomic<int> done = 0;
    const Context context{.num_threads = threads, .cancel = &cancel};
    EXPECT_THROW(for_tiles(context, 10000, 1,
                           [&](const Tile&) {
                             if (++done == 5) cancel.request();
                           }),
                 Cancelled);
    EXPECT_LT(done, 100);
  }
}

TEST(ForTiles, ReportsProgressUpToTheTotalOneAtATime) {
  std::int64_t last = 0;
  int events = 0;
  Context context = with_threads(4);
  context.progress = [&](const ProgressEvent& event) {
    EXPECT_EQ(event.phase, "phase");
    EXPECT_EQ(event.total, 95);
    EXPECT_GT(event.done, last);
    last = event.done;
    ++events;
  };
  for_tiles(
      context, 95, 10, [](const Tile&) {}, "phase");
  EXPECT_EQ(last, 95);
  EXPECT_EQ(events, 10);
}

TEST(ForTiles, NestsInsideItself) {
  std::vector<int> sums(8);
  for_tiles(with_threads(2), 8, 1, [&](const Tile& outer) {
    std::vector<int> parts(20);
    for_tiles(with_threads(2), 20, 1, [&](const Tile& inner) {
      parts[static_cast<std::size_t>(inner.begin)] = static_cast<int>(inner.begin);
    });
    sums[static_cast<std::size_t>(outer.begin)] = std::accumulate(parts.begin(), parts.end(), 0);
  });
  for (const int sum : sums) EXPECT_EQ(sum, 190);
}

TEST(ForTiles, AnInnerLoopWithFewerThreadsKeepsToItsOwnSlots) {
  for_tiles(with_threads(4), 16, 1, [&](const Tile&) {
    for_tiles(with_threads(2), 40, 1, [&](const Tile& inner) {
      EXPECT_LT(inner.worker, 2);
      std::this_thread::yield();
    });
  });
}

TEST(ForTiles, EmptyLoopDoesNothing) {
  for_tiles({}, 0, 10, [](const Tile&) { FAIL(); });
}

TEST(ResolveThreads, ZeroMeansWhatTheProcessMayUse) {
  EXPECT_GE(available_threads(), 1);
  EXPECT_EQ(resolve_threads({}), available_threads());
  EXPECT_EQ(resolve_threads(with_threads(3)), 3);
  EXPECT_EQ(testing::message_of<InvalidArgument>([] { resolve_threads(with_threads(-2)); }),
            "threads = -2, must satisfy 0 <= threads <= 1024 (0: all available)");
  EXPECT_EQ(resolve_threads(with_threads(1024)), 1024);
  EXPECT_EQ(testing::message_of<InvalidArgument>([] { resolve_threads(with_threads(1025)); }),
            "threads = 1025, must satisfy 0 <= threads <= 1024 (0: all available)");
}

}  // namespace
}  // namespace subspace
