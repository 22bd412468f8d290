// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <variant>

#include <subspace/core/types.h>
#include <subspace/pipelines/outcome.h>

namespace subspace::pipelines {

inline double bytes_of(const Matrix& A) { return static_cast<double>(A.size()) * sizeof(double); }
inline double bytes_of(const SparseMatrix& A) {
  return static_cast<double>(A.nonZeros()) * (sizeof(double) + sizeof(SparseMatrix::StorageIndex));
}

/// The matrices of an outcome that grow with what a run was given: what is looked at after a run
/// has the memory beside them.
inline double kept_bytes(const Outcome& outcome) {
  double bytes = bytes_of(outcome.features);
  if (outcome.coefficients) {
    bytes += std::visit([](const auto& own) { return bytes_of(own.coefficients); },
                        *outcome.coefficients);
  }
  return bytes;
}

}  // namespace subspace::pipelines
