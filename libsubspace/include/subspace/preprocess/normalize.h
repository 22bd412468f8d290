// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>

namespace subspace {

enum class Normalization {
  kNone,         ///< columns as they are
  kUnitColumns,  ///< each column divided by its Euclidean norm; zero columns stay zero
};

struct PreprocessOptions {
  bool center = false;  ///< subtract the mean point first
  Normalization normalization = Normalization::kUnitColumns;
  /// Project to this many principal dimensions before normalising; 0 keeps the ambient space.
  int pca = 0;
  /// A further coordinate of this value for every point, after centring and projection and before
  /// normalising, so that affine subspaces become linear ones; 0 appends none.
  double append_one = 0.0;
};
SUBSPACE_API Parameters describe(PreprocessOptions& options);

/// Refuses what no stage can work on: an empty matrix, or NaN/Inf, naming sample and feature of the
/// first offender ("cluster: sample 3, feature 17 (counted from 0) is nan"). Throws DataError.
SUBSPACE_API void require_finite(const ConstMatrixRef& X, const std::string& function);

/// Divides each column by its Euclidean norm, computed without overflow or underflow for any finite
/// column (scales 1e+-150 and beyond). Zero columns stay zero. Returns the number of zero columns.
SUBSPACE_API Index normalize_columns(Matrix& X);

/// Subtracts the mean column.
SUBSPACE_API void center_columns(Matrix& X);

}  // namespace subspace
