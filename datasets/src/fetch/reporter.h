// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include <subspace/core/context.h>

namespace subspace::datasets {

/// Passes on progress ten times a second at most: bytes arrive far more often.
class Reporter {
 public:
  Reporter(const Context& context, std::string phase)
      : context_(context), phase_(std::move(phase)) {}

  void report(std::uint64_t done, std::uint64_t total) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    report_now(done, total);
  }
  void report_now(std::uint64_t done, std::uint64_t total) const {
    context_.report(phase_, static_cast<std::int64_t>(done), static_cast<std::int64_t>(total));
  }

 private:
  const Context& context_;
  std::string phase_;
  std::chrono::steady_clock::time_point next_ = {};
};

}  // namespace subspace::datasets
