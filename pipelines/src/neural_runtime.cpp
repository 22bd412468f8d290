// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "neural_runtime.h"

#include <subspace/core/parallel.h>
#include <subspace/pipelines/cluster_job.h>
#ifdef SUBSPACE_WITH_NEURAL
#include <subspace/neural/runtime.h>
#endif

namespace subspace::pipelines {

#ifdef SUBSPACE_WITH_NEURAL

std::string neural_version() { return neural::torch_version(); }

std::string neural_devices() {
  std::string text;
  for (const neural::Device& device : neural::list_devices()) {
    text += (text.empty() ? "" : ", ") + device.name;
  }
  return text;
}

void apply_threads(const Context& context) { neural::set_num_threads(resolve_threads(context)); }

#else

std::string neural_version() { return "not in this build"; }
std::string neural_devices() { return "cpu"; }
void apply_threads(const Context&) {}

#endif

}  // namespace subspace::pipelines
