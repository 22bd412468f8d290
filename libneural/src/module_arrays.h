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

/// Adam's moments and step counts under "optimizer/", for the parameters that have been stepped.
void put_adam(const torch::nn::Module& module, const torch::optim::Adam& adam, NamedArrays& arrays);
void get_adam(const NamedArrays& arrays, const torch::nn::Module& module, torch::optim::Adam& adam);

}  // namespace subspace::neural
