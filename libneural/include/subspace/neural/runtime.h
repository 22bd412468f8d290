// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include <subspace/core/export.h>

/// What LibTorch is and may use in this process. Free of Torch's headers, so that a program can ask
/// without compiling them.
namespace subspace::neural {

/// Version of LibTorch the suite was built with, e.g. "2.15.0".
SUBSPACE_API std::string torch_version();

/// Threads one operation of LibTorch may use. n >= 1; takes effect for later operations.
SUBSPACE_API void set_num_threads(int n);
SUBSPACE_API int num_threads();

/// A place where tensors live: "cpu", or a CUDA device.
struct Device {
  std::string name = "cpu";  ///< as resolve_device() takes it: "cpu", "cuda:0", ...
  int cuda_index = -1;       ///< -1: the CPU
  bool is_cuda() const { return cuda_index >= 0; }
};

/// Version of the CUDA runtime in this process, e.g. "13.2"; "" in a build without CUDA.
SUBSPACE_API std::string cuda_version();

/// The CPU, then every CUDA device that can be used.
SUBSPACE_API std::vector<Device> list_devices();

/// The device meant by `text`: "cpu"; "cuda" (the first device) or "cuda:n"; "auto" is the first
/// CUDA device if there is one, else the CPU. Throws InvalidArgument for other words and absent
/// devices, with the reason that CUDA gives.
SUBSPACE_API Device resolve_device(const std::string& text);

}  // namespace subspace::neural
