// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/runtime.h>

#include <torch/torch.h>

#include <charconv>

#include <subspace/core/error.h>

#include "cuda_device.h"

namespace subspace::neural {
namespace {

int num_cuda_devices() {
  return torch::cuda::is_available() ? static_cast<int>(torch::cuda::device_count()) : 0;
}

Device cuda_device(int index) { return {message("cuda:", index), index}; }

/// The n of "cuda:n", or -1 when that is not what the text says.
int parse_cuda_index(const std::string& text) {
  const std::string prefix = "cuda:";
  if (text.rfind(prefix, 0) != 0) return -1;
  int index = -1;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, index);
  return error == std::errc() && stop == end ? index : -1;
}

}  // namespace

std::string torch_version() { return TORCH_VERSION; }

void set_num_threads(int n) {
  if (n < 1) throw InvalidArgument(message("set_num_threads: n = ", n, ", must satisfy n >= 1"));
  at::set_num_threads(n);
}

int num_threads() { return at::get_num_threads(); }

std::vector<Device> list_devices() {
  std::vector<Device> devices = {Device{}};
  for (int index = 0; index < num_cuda_devices(); ++index) devices.push_back(cuda_device(index));
  return devices;
}

Device resolve_device(const std::string& text) {
  if (text == "cpu") return {};
  const int available = num_cuda_devices();
  if (text == "auto") return available > 0 ? cuda_device(0) : Device{};
  const int index = text == "cuda" ? 0 : parse_cuda_index(text);
  if (index < 0) {
    throw InvalidArgument(message("device = '", text, "', must be auto, cpu, cuda or cuda:n"));
  }
  if (available == 0) {
    throw InvalidArgument(message("device = '", text, "': no CUDA device was found (",
                                  why_no_cuda_device(), "); use cpu or auto"));
  }
  if (index >= available) {
    throw InvalidArgument(message("device = '", text, "', must be below cuda:", available));
  }
  return cuda_device(index);
}

}  // namespace subspace::neural
