// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/torch.h>

#include <string>

#include "checkpoint_file.h"

/// Tensors to arrays of a checkpoint and back.
namespace subspace::neural {

/// Throws NumericalError when a floating-point number is not finite: such a state is not worth
/// keeping and would push out a good one.
NpyArray to_array(const torch::Tensor& tensor, const std::string& name);

/// Copies an array into a tensor of the same shape and type, whatever its device and strides.
/// Throws DataError when the array is missing or another.
void copy_array(const NamedArrays& arrays, const std::string& name, torch::Tensor tensor);

/// Parameters and running statistics under "network/".
void put_module(const torch::nn::Module& module, NamedArrays& arrays);
void get_module(const NamedArrays& arrays, torch::nn::Module& module);

/// The same for a module that starts from another stage's: with `new_heads`, what reads the hidden
/// layer (features and clusters) keeps its own numbers.
void start_module(const NamedArrays& arrays, bool new_heads, torch::nn::Module& module);

}  // namespace subspace::neural
