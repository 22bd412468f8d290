// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/SparseCore>

#include <subspace/core/context.h>
#include <subspace/core/types.h>

#include "io/mapped_file.h"

namespace subspace::datasets {

/// The entries of a sparse matrix as a file has them, indices from 0 and inside the shape.
struct SparseEntries {
  Index rows = 0;
  Index columns = 0;
  std::vector<Eigen::Triplet<double>> entries = {};
};

SparseEntries read_matrix_market(const MappedFile& file, const Context& context);
SparseEntries read_scipy_sparse(const MappedFile& file, const Context& context);

/// Throws IoError unless the shape fits the index type of SparseMatrix, ResourceError unless so
/// many entries fit into memory twice, as they are read and as a matrix.
void check_sparse_size(const MappedFile& file, double rows, double columns, double num_entries,
                       const Context& context);

}  // namespace subspace::datasets
