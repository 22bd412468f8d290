// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/types.h>

/// What objectives ask of their arguments. `function` opens every message.
namespace subspace::neural::detail {

/// DataError unless `tensor` is floating-point, not empty and has `dimensions` of them.
void check_shape(const char* function, const char* name, const torch::Tensor& tensor,
                 std::int64_t dimensions);

/// NumericalError unless all numbers are finite: features break down, users do not type them.
void check_finite(const char* function, const char* what, const torch::Tensor& tensor);

/// InvalidArgument unless 0 < value < infinity.
void check_positive(const char* function, const char* name, double value);

/// InvalidArgument unless 0 <= value < infinity.
void check_weight(const char* function, const char* name, double value);

/// x for a function that computes its gradient on the way: without grad mode a leaf still says that
/// it requires one, which would be computed in vain.
torch::Tensor tracked(const torch::Tensor& x);

}  // namespace subspace::neural::detail
