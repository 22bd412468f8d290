// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "module_arrays.h"

#include <cstring>

#include <subspace/core/error.h>

#include "on_cpu.h"

namespace subspace::neural {
namespace {

std::string type_of(const torch::Tensor& tensor) {
  if (tensor.scalar_type() == torch::kFloat32) return "<f4";
  if (tensor.scalar_type() == torch::kFloat64) return "<f8";
  if (tensor.scalar_type() == torch::kInt64) return "<i8";
  throw InvalidArgument(message("checkpoint: no array type for ", tensor.toString()));
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t size : shape) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text.empty() ? "a number" : text;
}

/// Calls visit(name, tensor) for all that makes up the module.
template <typename Visit>
void for_each_tensor(const torch::nn::Module& module, const Visit& visit) {
  for (const auto& item : module.named_parameters()) visit(item.key(), item.value());
  for (const auto& item : module.named_buffers()) visit(item.key(), item.value());
}

bool in_heads(const std::string& name) {
  return name.starts_with("subspace.") || name.starts_with("cluster.");
}

}  // namespace

NpyArray to_array(const torch::Tensor& tensor, const std::string& name) {
  const torch::Tensor plain =
      tensor.detach().to(torch::kCPU).contiguous(torch::MemoryFormat::Contiguous);
  if (plain.is_floating_point() && !plain.isfinite().all().item<bool>()) {
    throw NumericalError(message("checkpoint: ", name, " is not finite"));
  }
  NpyArray array = {type_of(plain), plain.sizes().vec(), {}};
  array.bytes.assign(static_cast<const char*>(plain.const_data_ptr()), plain.nbytes());
  return array;
}

void copy_array(const NamedArrays& arrays, const std::string& name, torch::Tensor tensor) {
  const auto found = arrays.find(name);
  if (found == arrays.end()) {
    throw DataError(message("checkpoint of another network: it has no ", name));
  }
  const NpyArray& array = found->second;
  if (array.type != type_of(tensor) || array.shape != tensor.sizes().vec()) {
    throw DataError(message("checkpoint of another network: ", name, " is ",
                            shape_text(array.shape), ", must be ",
                            shape_text(tensor.sizes().vec())));
  }
  const torch::NoGradGuard no_gradient;
  torch::Tensor plain = torch::empty(array.shape, on_cpu(tensor.scalar_type()));
  std::memcpy(plain.mutable_data_ptr(), array.bytes.data(), array.bytes.size());
  tensor.copy_(plain);
}

void put_module(const torch::nn::Module& module, NamedArrays& arrays) {
  for_each_tensor(module, [&](const std::string& key, const torch::Tensor& tensor) {
    arrays["network/" + key] = to_array(tensor, key);
  });
}

void get_module(const NamedArrays& arrays, torch::nn::Module& module) {
  std::size_t expected = 0;
  for_each_tensor(module, [&](const std::string& key, const torch::Tensor& tensor) {
    copy_array(arrays, "network/" + key, tensor);
    ++expected;
  });
  std::size_t stored = 0;
  for (const auto& item : arrays) stored += item.first.starts_with("network/") ? 1U : 0U;
  if (stored != expected) {
    throw DataError(
        message("checkpoint of another network: it has ", stored, " arrays, must have ", expected));
  }
}

void start_module(const NamedArrays& arrays, bool new_heads, torch::nn::Module& module) {
  for_each_tensor(module, [&](const std::string& key, const torch::Tensor& tensor) {
    if (!new_heads || !in_heads(key)) copy_array(arrays, "network/" + key, tensor);
  });
}

}  // namespace subspace::neural
