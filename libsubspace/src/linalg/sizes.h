// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <limits>
#include <string>

#include <subspace/core/error.h>
#include <subspace/core/types.h>

namespace subspace {

/// Bytes of `copies` matrices of the given shape; a double, for they may exceed every integer.
inline double matrix_bytes(double copies, Index rows, Index columns) {
  return copies * static_cast<double>(rows) * static_cast<double>(columns) * sizeof(double);
}

/// Sparse matrices count their entries in int. Throws ResourceError "function: 3000000000 entries
/// exceed the largest sparse matrix (2147483647); hint" for more.
inline void check_sparse_size(const std::string& function, Index entries, const std::string& hint) {
  constexpr Index kMost = std::numeric_limits<SparseMatrix::StorageIndex>::max();
  if (entries <= kMost) return;
  throw ResourceError(message(function, ": ", entries,
                              " entries exceed the largest sparse matrix (", kMost, "); ", hint));
}

}  // namespace subspace
