// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "arrays/sparse.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/datasets/sha256.h>
#include <subspace/datasets/sparse.h>

#include "arrays/npz.h"
#include "format.h"
#include "io/text.h"

namespace subspace::datasets {
namespace {

namespace fs = std::filesystem;

bool is_matrix_market(const fs::path& path) { return lower_extension(path) == ".mtx"; }

SparseMatrix to_matrix(SparseEntries& read, bool transposed) {
  if (transposed) {
    for (auto& entry : read.entries) entry = {entry.col(), entry.row(), entry.value()};
    std::swap(read.rows, read.columns);
  }
  SparseMatrix X(read.rows, read.columns);
  X.setFromTriplets(read.entries.begin(), read.entries.end());
  return X;
}

void require_finite_entries(const MappedFile& file, const SparseEntries& read) {
  for (const auto& entry : read.entries) {
    if (std::isfinite(entry.value())) continue;
    throw_io_error(file.name(), ": entry (", entry.row(), ", ", entry.col(),
                   "), counted from 0, is ", entry.value(), ", expected a finite number");
  }
}

}  // namespace

void check_sparse_size(const MappedFile& file, double rows, double columns, double num_entries,
                       const Context& context) {
  constexpr double kMost = std::numeric_limits<int>::max();
  if (!(rows >= 1.0 && columns >= 1.0 && rows <= kMost && columns <= kMost &&
        num_entries <= kMost)) {
    throw_io_error(file.name(), ": ", rows, " x ", columns, " with ", num_entries,
                   " entries, expected numbers from 1 to 2^31 - 1");
  }
  if (rows != columns) {
    throw_io_error(file.name(), ": ", rows, " x ", columns, ", expected a square matrix");
  }
  // The numbers as SciPy stores them, triplets, the matrix and its transpose; for each row the
  // counters of all of these.
  constexpr double kBytesPerEntry = 24.0 + 16.0 + 12.0 + 12.0;
  constexpr double kBytesPerRow = 24.0;
  check_memory(file.name(), kBytesPerEntry * num_entries + kBytesPerRow * rows,
               allowed_memory(context), "keep fewer entries in each row");
}

bool holds_sparse_matrix(const fs::path& path) {
  if (is_matrix_market(path)) return true;
  std::error_code ignored;
  if (lower_extension(path) != ".npz" || !fs::is_regular_file(path, ignored)) return false;
  const MappedFile file(path);
  const auto arrays = list_npz(file);
  const auto has = [&](const char* name) {
    return std::ranges::any_of(arrays,
                               [&](const auto& each) { return each.variable.name == name; });
  };
  return has("shape") && has("format");
}

SparseSet load_sparse(const fs::path& path, bool columns_are_samples, const Context& context) {
  const MappedFile file(path);
  SparseEntries read =
      is_matrix_market(path) ? read_matrix_market(file, context) : read_scipy_sparse(file, context);
  require_finite_entries(file, read);
  return {.X = to_matrix(read, !columns_are_samples),
          .name = path.stem().string(),
          .sha256 = sha256(file.bytes())};
}

}  // namespace subspace::datasets
