// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "table/deadline.h"

#include <limits>

namespace subspace::pipelines {

Deadline::Deadline(const CancelToken* caller, double seconds)
    : caller_(caller), seconds_(seconds), thread_([this] { watch(); }) {}

Deadline::~Deadline() {
  {
    const std::lock_guard guard(mutex_);
    done_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

bool Deadline::is_over() const { return left() <= 0.0; }

double Deadline::left() const {
  if (seconds_ <= 0.0) return std::numeric_limits<double>::max();
  return seconds_ - std::chrono::duration<double>(Clock::now() - begin_).count();
}

void Deadline::watch() {
  std::unique_lock guard(mutex_);
  while (!wake_.wait_for(guard, std::chrono::milliseconds(50), [this] { return done_; })) {
    if (is_over() || (caller_ != nullptr && caller_->requested())) token_.request();
  }
}

}  // namespace subspace::pipelines
