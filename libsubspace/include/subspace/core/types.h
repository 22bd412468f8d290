// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

namespace subspace {

/// The only place that decides the scalar type: libsubspace is double throughout.
/// Points are columns: X is D x N, and column j of C represents point j.
using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using MatrixRef = Eigen::Ref<Matrix>;
using ConstMatrixRef = Eigen::Ref<const Matrix>;
using ConstVectorRef = Eigen::Ref<const Vector>;
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor>;

/// One label per point, 0-based.
using Labels = std::vector<int>;

}  // namespace subspace
