// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <gtest/gtest.h>
#include <time.h>
#include <unistd.h>

#include <iostream>

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

/// The share that `measure` returns must obey `rule`, in a process of its own: in that of a test,
/// threads of LibTorch's OpenMP that earlier work woke may still spin, and that would be counted.
template <typename Measure, typename Rule>
void expect_share_in_new_process(const Measure& measure, const Rule& rule) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const double share = measure();
        std::cerr << "share of other threads: " << share << std::endl;
        ::_exit(rule(share) ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace subspace::neural::testing
