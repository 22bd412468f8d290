// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <time.h>

namespace subspace::neural::testing {

inline double seconds_of(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// The share of some work's processor time that was spent on threads other than the caller's.
template <typename Work>
double share_of_other_threads(const Work& work) {
  const double process_before = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  const double thread_before = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  work();
  const double process = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - process_before;
  const double thread = seconds_of(CLOCK_THREAD_CPUTIME_ID) - thread_before;
  return (process - thread) / process;
}

}  // namespace subspace::neural::testing
