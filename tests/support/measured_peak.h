// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <gtest/gtest.h>

#include <string>

#include <subspace/core/memory.h>

namespace subspace::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kMemoryIsMeasured = false;  // a sanitizer's own is, too
#else
inline constexpr bool kMemoryIsMeasured = true;
#endif

/// The most that `work` has in use beside what was there, in bytes.
template <typename Work>
double measured_peak(const Work& work) {
  restart_peak_memory();
  const std::int64_t before = peak_memory();
  work();
  return static_cast<double>(peak_memory() - before);
}

/// At most a fifth more than predicted and at least half of it, but for what threads, the allocator
/// and small workspaces take whatever the size is. That differs from machine to machine: on a Xeon
/// with AVX-512 an elastic net path of 1000 points had 12.3 MB beside 1.2 times its prediction.
inline void expect_predicted(double measured, double predicted, const std::string& name) {
  constexpr double kMostBeside = 16e6;
  constexpr double kLeastBeside = -6e6;
  EXPECT_LE(measured, 1.2 * predicted + kMostBeside) << name;
  EXPECT_GE(measured, 0.5 * predicted + kLeastBeside) << name;
}

/// A quarter more or less, of a run of 40 MB and more before which a small one has left behind what
/// the back end and the allocator keep whatever the size is.
inline void expect_nearly(double measured, double predicted, const std::string& name) {
  EXPECT_GE(predicted, 0.95 * 40e6) << name;
  EXPECT_LE(measured, 1.25 * predicted) << name;
  EXPECT_GE(measured, 0.75 * predicted) << name;
}

}  // namespace subspace::testing
