// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <string>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>

namespace subspace::datasets {

/// A square matrix of which most entries are zero: an affinity or coefficients made elsewhere.
struct SparseSet {
  SparseMatrix X = {};      ///< column j belongs to sample j
  std::string name = {};    ///< of the file, without its extension
  std::string sha256 = {};  ///< of the file's bytes
};

/// By the name .mtx, or the arrays `shape` and `format` in a .npz.
SUBSPACE_API bool holds_sparse_matrix(const std::filesystem::path& path);

/// Reads Matrix Market coordinates (.mtx: real, integer or pattern; general or symmetric), or what
/// scipy.sparse.save_npz() writes of a csr, csc or coo matrix. Row j of the file belongs to sample
/// j, its column j with `columns_are_samples`. Entries given twice are added. Throws IoError with
/// the place, what was found and what was expected; ResourceError when the matrix does not fit.
SUBSPACE_API SparseSet load_sparse(const std::filesystem::path& path,
                                   bool columns_are_samples = false, const Context& context = {});

}  // namespace subspace::datasets
