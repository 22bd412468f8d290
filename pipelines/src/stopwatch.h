// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <chrono>

namespace subspace::pipelines {

/// Wall time since it was made, or since the last lap.
class Stopwatch {
 public:
  /// Seconds since the last lap; starts the next one.
  double lap() {
    const Clock::time_point now = Clock::now();
    const std::chrono::duration<double> passed = now - start_;
    start_ = now;
    return passed.count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace subspace::pipelines
