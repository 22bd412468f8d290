// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "training_process.h"

#include <malloc.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>

#include "interrupt.h"

namespace subspace::app {
namespace {

char** kept_arguments = nullptr;

void wait_passively() {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  if (setenv("OMP_WAIT_POLICY", "passive", 1) != 0) return;
  hold_interrupts();
  execv("/proc/self/exe", kept_arguments);
  watch_interrupts();  // where that does not work we go on as we are: slower at worst
}

}  // namespace

void remember_arguments(int, char** argv) { kept_arguments = argv; }

const char* const* arguments() { return kept_arguments; }

void prepare_training_process() {
  wait_passively();
  prctl(PR_SET_NAME, "subspace");  // top and pkill would know the process as "exe"
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
}

}  // namespace subspace::app
