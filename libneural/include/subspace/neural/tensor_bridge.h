// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <torch/types.h>

#include <subspace/core/export.h>
#include <subspace/core/types.h>

/// The only header that knows both Tensor and Eigen. A contiguous N x d tensor (rows are points)
/// and a column-major d x N matrix (columns are points) are the same bytes, so no transposition
/// takes place.
namespace subspace::neural {

/// Copy of a floating-point N x d tensor as d x N points; float32 is widened, other devices and
/// strides are followed. Throws DataError unless the tensor is a defined, floating-point matrix.
SUBSPACE_API Matrix to_points(const torch::Tensor& features);

/// View of the bytes of a contiguous float64 N x d tensor on the CPU; valid while the tensor lives.
/// Throws DataError for any other tensor: a view never copies.
SUBSPACE_API Eigen::Map<const Matrix> view_points(const torch::Tensor& features);

/// Copy of d x N points as a contiguous N x d tensor of `type` (kFloat64 or kFloat32) on the CPU.
SUBSPACE_API torch::Tensor to_tensor(const ConstMatrixRef& X,
                                     torch::ScalarType type = torch::kFloat64);

}  // namespace subspace::neural
