// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include <subspace/core/error.h>

namespace subspace {

/// One report of progress: `done` of `total` units of `phase`.
struct ProgressEvent {
  std::string phase = {};
  std::int64_t done = 0;
  std::int64_t total = 0;
};

/// Receives progress; called by one thread at a time, never after the call it watches returned.
using ProgressCallback = std::function<void(const ProgressEvent&)>;

/// A request to stop. Setting it is lock-free and so allowed in a signal handler.
class CancelToken {
 public:
  void request() noexcept { requested_.store(true, std::memory_order_relaxed); }
  bool requested() const noexcept { return requested_.load(std::memory_order_relaxed); }
  void throw_if_requested() const {
    if (requested()) throw Cancelled();
  }

 private:
  static_assert(std::atomic<bool>::is_always_lock_free);
  std::atomic<bool> requested_ = false;
};

}  // namespace subspace
