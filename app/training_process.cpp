// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "training_process.h"

#include <malloc.h>
#include <unistd.h>

#include <cstdlib>

namespace subspace::app {
namespace {

char** kept_arguments = nullptr;

void wait_passively() {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  if (setenv("OMP_WAIT_POLICY", "passive", 1) != 0) return;
  execv("/proc/self/exe", kept_arguments);
  // Where that does not work we go on as we are: slower at worst.
}

}  // namespace

void remember_arguments(int, char** argv) { kept_arguments = argv; }

const char* const* arguments() { return kept_arguments; }

void prepare_training_process() {
  wait_passively();
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
}

}  // namespace subspace::app
