// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <chrono>

#include <subspace/core/progress.h>
#include <subspace/pipelines/settings.h>

namespace subspace::app {

/// Shows progress on standard error: a bar when that is a terminal, JSON lines when asked for, at
/// most ten times a second; the end of a phase is always told in JSON. The bar is wiped by the
/// destructor.
class ProgressDisplay {
 public:
  ProgressDisplay(pipelines::ProgressMode mode, pipelines::Verbosity verbosity);
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  /// Empty when nothing is to be shown, so that the work does not report at all. Bound to this
  /// object.
  ProgressCallback callback();

 private:
  enum class Form { kNone, kBar, kJson };
  using Clock = std::chrono::steady_clock;

  void show(const ProgressEvent& event);

  Form form_;
  Clock::time_point last_ = {};
  bool bar_visible_ = false;
};

}  // namespace subspace::app
