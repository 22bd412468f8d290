// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace subspace::app {
namespace {

using pipelines::ProgressMode;
using pipelines::Verbosity;

constexpr auto kInterval = std::chrono::milliseconds(100);

void draw_bar(const ProgressEvent& event) {
  constexpr int kWidth = 30;
  const double share =
      event.total > 0
          ? std::clamp(static_cast<double>(event.done) / static_cast<double>(event.total), 0.0, 1.0)
          : 0.0;
  const int filled = static_cast<int>(share * kWidth);
  const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
  std::fprintf(stderr, "\r%-16s [%s] %3d %%\033[K", event.phase.c_str(), bar.c_str(),
               static_cast<int>(share * 100));
  std::fflush(stderr);
}

void write_event(const ProgressEvent& event) {
  const nlohmann::ordered_json line = {
      {"event", "progress"}, {"phase", event.phase}, {"done", event.done}, {"total", event.total}};
  std::fprintf(stderr, "%s\n", line.dump().c_str());
}

}  // namespace

ProgressDisplay::ProgressDisplay(ProgressMode mode, Verbosity verbosity)
    : form_(mode == ProgressMode::kJson ? Form::kJson : Form::kNone) {
  if (mode == ProgressMode::kAuto && verbosity != Verbosity::kQuiet && isatty(STDERR_FILENO) != 0) {
    form_ = Form::kBar;
  }
}

ProgressDisplay::~ProgressDisplay() {
  if (bar_visible_) std::fputs("\r\033[K", stderr);
}

ProgressCallback ProgressDisplay::callback() {
  if (form_ == Form::kNone) return {};
  return [this](const ProgressEvent& event) { show(event); };
}

void ProgressDisplay::show(const ProgressEvent& event) {
  const Clock::time_point now = Clock::now();
  const bool ends_phase = form_ == Form::kJson && event.done == event.total;
  if (now - last_ < kInterval && !ends_phase) return;
  last_ = now;
  if (form_ == Form::kJson) {
    write_event(event);
  } else {
    draw_bar(event);
    bar_visible_ = true;
  }
}

}  // namespace subspace::app
