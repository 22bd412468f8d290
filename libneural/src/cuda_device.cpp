// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "cuda_device.h"

#include <subspace/core/error.h>
#include <subspace/neural/runtime.h>

#ifdef SUBSPACE_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

namespace subspace::neural {

#ifdef SUBSPACE_WITH_CUDA

std::string cuda_version() {
  int version = 0;  // 1000 * major + 10 * minor
  if (cudaRuntimeGetVersion(&version) != cudaSuccess) return "unknown";
  return message(version / 1000, ".", version % 1000 / 10);
}

std::string why_no_cuda_device() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) return cudaGetErrorString(status);
  return count == 0 ? "CUDA lists none" : "LibTorch cannot use those that CUDA lists";
}

#else

std::string cuda_version() { return {}; }
std::string why_no_cuda_device() { return "this build is without CUDA, see SUBSPACE_CUDA"; }

#endif

}  // namespace subspace::neural
