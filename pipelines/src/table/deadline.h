// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <subspace/core/progress.h>

namespace subspace::pipelines {

/// Asks for a stop when the caller's token does or when the time is over. A thread of its own looks
/// twenty times a second.
class Deadline {
 public:
  /// seconds = 0: no limit of time.
  Deadline(const CancelToken* caller, double seconds);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  const CancelToken& token() const { return token_; }
  bool is_over() const;
  /// Seconds that are left; huge without a limit.
  double left() const;

 private:
  using Clock = std::chrono::steady_clock;
  void watch();

  const CancelToken* caller_;
  double seconds_;
  Clock::time_point begin_ = Clock::now();
  CancelToken token_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;  // last, for it reads the others
};

}  // namespace subspace::pipelines
