// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/parallel.h>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

#include "thread_sanitizer.h"

namespace subspace {
namespace {

int affinity_threads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

/// Processors granted by the cgroup's quota, or a large number when there is none.
double quota_threads() {
  double quota = 0.0;
  double period = 0.0;
  if (std::ifstream("/sys/fs/cgroup/cpu.max") >> quota >> period && period > 0.0) {
    return quota / period;  // version 2; "max" does not parse
  }
  if (std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_quota_us") >> quota && quota > 0.0 &&
      std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_period_us") >> period && period > 0.0) {
    return quota / period;
  }
  return 1e9;
}

/// Whether this thread runs a tile in the arena of a for_tiles() call; a nested loop joins it. A
/// loop that runs serially has no arena to join.
thread_local bool inside_loop = false;

class InsideLoop {
 public:
  InsideLoop() : before_(inside_loop) { inside_loop = true; }
  InsideLoop(const InsideLoop&) = delete;
  InsideLoop& operator=(const InsideLoop&) = delete;
  ~InsideLoop() { inside_loop = before_; }

 private:
  bool before_;
};

/// Runs tiles [0, num_tiles) of the loop on the threads of the present arena.
class TileLoop {
 public:
  using Range = oneapi::tbb::blocked_range<Index>;

  TileLoop(const Context& context, Index num_items, Index tile_size,
           const std::function<void(const Tile&)>& body, const std::string& phase)
      : context_(context),
        num_items_(num_items),
        tile_size_(tile_size),
        body_(body),
        phase_(phase) {}

  Index num_tiles() const { return (num_items_ + tile_size_ - 1) / tile_size_; }

  void run_tile(Index index, int worker) {
    context_.throw_if_cancelled();
    const Index begin = index * tile_size_;
    const Index end = std::min(num_items_, begin + tile_size_);
    body_({index, begin, end, worker});
    report(end - begin);
  }

  void run_serially() {
    for (Index index = 0; index < num_tiles(); ++index) run_tile(index, 0);
  }

  void run_in_arena() {
    LoopOrder order;
    order.before_loop();
    oneapi::tbb::parallel_for(Range(0, num_tiles(), 1), Task{this, &order},
                              oneapi::tbb::simple_partitioner());
    order.after_loop();
  }

 private:
  /// What TBB copies into its tasks. It hands these from thread to thread inside its own library,
  /// where ThreadSanitizer cannot see it, so the two pointers are read out of its sight; all that
  /// happens through them is under its watch.
  struct Task {
    TileLoop* loop;
    LoopOrder* order;
    __attribute__((no_sanitize("thread"))) void operator()(const Range& range) const {
      loop->run_range(range, *order);
    }
  };

  __attribute__((noinline)) void run_range(const Range& range, LoopOrder& order) {
    order.enter_tile();
    const InsideLoop inside;
    const int worker = oneapi::tbb::this_task_arena::current_thread_index();
    for (Index index = range.begin(); index < range.end(); ++index) run_tile(index, worker);
    order.leave_tile();
  }

  void report(Index finished) {
    if (phase_.empty() || !context_.progress) return;
    const std::lock_guard lock(mutex_);
    done_ += finished;
    context_.report(phase_, done_, num_items_);
  }

  const Context& context_;
  Index num_items_;
  Index tile_size_;
  const std::function<void(const Tile&)>& body_;
  const std::string& phase_;
  std::mutex mutex_;
  Index done_ = 0;
};

}  // namespace

int available_threads() {
  // Read once: loops ask for it every time they start.
  static const int threads = [] {
    const double granted = std::min<double>(affinity_threads(), std::ceil(quota_threads()));
    return std::max(1, static_cast<int>(granted));
  }();
  return threads;
}

int resolve_threads(const Context& context) {
  if (context.num_threads < 0 || context.num_threads > kMostThreads) {
    throw InvalidArgument(message("threads = ", context.num_threads,
                                  ", must satisfy 0 <= threads <= ", kMostThreads,
                                  " (0: all available)"));
  }
  return context.num_threads == 0 ? available_threads() : context.num_threads;
}

void for_tiles(const Context& context, Index num_items, Index tile_size,
               const std::function<void(const Tile&)>& body, const std::string& phase) {
  if (num_items <= 0) return;
  TileLoop loop(context, num_items, tile_size, body, phase);
  const int threads = resolve_threads(context);
  if (threads == 1 || loop.num_tiles() == 1) {
    loop.run_serially();
  } else if (inside_loop && oneapi::tbb::this_task_arena::max_concurrency() <= threads) {
    // The outer loop's threads; a loop that asks for fewer needs slots of its own.
    loop.run_in_arena();
  } else {
    // TBB would otherwise cap a wish for more threads than processors, and thread counts would be
    // untestable on small machines.
    const oneapi::tbb::global_control allow(
        oneapi::tbb::global_control::max_allowed_parallelism,
        static_cast<std::size_t>(std::max(threads, available_threads())));
    oneapi::tbb::task_arena arena(threads);
    arena.execute([&loop] { loop.run_in_arena(); });
  }
}

}  // namespace subspace
