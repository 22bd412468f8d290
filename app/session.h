// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include <subspace/core/context.h>
#include <subspace/pipelines/settings.h>

#include "progress.h"

namespace subspace::app {

/// What a computing command needs around it: log level, interrupts, progress, and the context of
/// them.
class Session {
 public:
  explicit Session(const pipelines::RunSettings& settings);
  const Context& context() const { return context_; }

 private:
  ProgressDisplay display_;
  Context context_;
};

/// Writes the result to standard output; throws IoError when it does not get there.
void print_result(const std::string& text);

}  // namespace subspace::app
