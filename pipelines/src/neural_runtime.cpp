// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "neural_runtime.h"

#include <subspace/core/parallel.h>
#include <subspace/pipelines/cluster_job.h>
#ifdef SUBSPACE_WITH_NEURAL
#include <subspace/neural/runtime.h>
#endif

namespace subspace::pipelines {
namespace {
constexpr char kNotInThisBuild[] = "not in this build";
}  // namespace

#ifdef SUBSPACE_WITH_NEURAL

std::string neural_version() { return neural::torch_version(); }

std::string neural_devices() {
  std::string text;
  for (const neural::Device& device : neural::list_devices()) {
    text += (text.empty() ? "" : ", ") + device.name;
  }
  return text;
}

std::string neural_cuda() {
  const std::string version = neural::cuda_version();
  return version.empty() ? kNotInThisBuild : version;
}

std::string resolved_device(const std::string& device) {
  return neural::resolve_device(device).name;
}

void apply_threads(const Context& context) { neural::set_num_threads(resolve_threads(context)); }

#else

std::string neural_version() { return kNotInThisBuild; }
std::string neural_devices() { return "cpu"; }
std::string resolved_device(const std::string&) { return "cpu"; }
std::string neural_cuda() { return kNotInThisBuild; }
void apply_threads(const Context&) {}

#endif

}  // namespace subspace::pipelines
