// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "session.h"

#include <cstdio>

#include <subspace/core/error.h>

#include "interrupt.h"
#include "log.h"

namespace subspace::app {

Session::Session(const pipelines::RunSettings& settings)
    : display_(settings.progress, settings.verbosity) {
  set_log_verbosity(settings.verbosity);
  context_.num_threads = settings.threads;
  context_.max_memory = settings.max_memory;
  context_.progress = watch_trainings(display_.callback());
  context_.cancel = &watch_interrupts();
}

void print_result(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw IoError("standard output cannot be written");
  }
}

}  // namespace subspace::app
