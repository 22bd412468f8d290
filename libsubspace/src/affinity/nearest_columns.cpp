// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "affinity/nearest_columns.h"

#include <algorithm>
#include <vector>

#include <subspace/core/parallel.h>

#include "affinity/columns.h"
#include "linalg/linalg.h"

namespace subspace {
namespace {

// ---- few entries: only pairs that share a row are multiplied ------------------------------------

/// Finds the columns of a unit-column sparse matrix nearest to one of them. Since
/// |a - b|^2 = 2 - 2 a'b, the nearest have the largest inner products; most of these are exactly
/// zero and never computed. Zero columns take no part.
class NearestColumns {
 public:
  using RowMajor = Eigen::SparseMatrix<double, Eigen::RowMajor>;

  /// Both arguments are the same matrix, by columns and by rows.
  NearestColumns(const SparseMatrix& columns, const RowMajor& rows)
      : columns_(columns),
        rows_(rows),
        products_(static_cast<std::size_t>(columns.cols()), 0.0),
        is_touched_(products_.size(), 0) {}

  /// The `count` nearest, sorted by index, each with value 1; equal products go to the lower index.
  Column nearest(Index j, std::size_t count, Angles angles) {
    Column chosen;
    if (is_zero(j)) return chosen;
    multiply(j);
    Column above;
    Column below;
    for (const int i : touched_) {
      if (i == j) continue;
      const double product = this->product(i);
      if (product > 0.0) above.push_back({i, product});
      if (product < 0.0) below.push_back({i, product});
    }
    take_best(above, count, chosen);
    if (angles == Angles::kAll) {
      take_orthogonal(j, count, chosen);
      take_best(below, count, chosen);
    }
    clear();
    for (Entry& entry : chosen) entry.value = 1.0;
    std::sort(chosen.begin(), chosen.end(), lower_row);
    return chosen;
  }

 private:
  bool is_zero(Index j) const {
    return columns_.outerIndexPtr()[j] == columns_.outerIndexPtr()[j + 1];
  }
  double& product(Index i) { return products_[static_cast<std::size_t>(i)]; }

  void multiply(Index j) {
    for (SparseMatrix::InnerIterator a(columns_, j); a; ++a) {
      for (RowMajor::InnerIterator b(rows_, a.row()); b; ++b) {
        touch(static_cast<int>(b.col()));
        product(b.col()) += a.value() * b.value();
      }
    }
  }

  void touch(int i) {
    char& mark = is_touched_[static_cast<std::size_t>(i)];
    if (mark != 0) return;
    mark = 1;
    touched_.push_back(i);
  }

  static void take_best(Column& candidates, std::size_t count, Column& chosen) {
    const std::size_t wanted = std::min(count - chosen.size(), candidates.size());
    std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(wanted),
                      candidates.end(), [](const Entry& a, const Entry& b) {
                        return a.value != b.value ? a.value > b.value : a.row < b.row;
                      });
    chosen.insert(chosen.end(), candidates.begin(),
                  candidates.begin() + static_cast<std::ptrdiff_t>(wanted));
  }

  void take_orthogonal(Index j, std::size_t count, Column& chosen) {
    for (Index i = 0; i < columns_.cols() && chosen.size() < count; ++i) {
      if (i != j && product(i) == 0.0 && !is_zero(i)) chosen.push_back({static_cast<int>(i), 0.0});
    }
  }

  void clear() {
    for (const int i : touched_) {
      product(i) = 0.0;
      is_touched_[static_cast<std::size_t>(i)] = 0;
    }
    touched_.clear();
  }

  const SparseMatrix& columns_;
  const RowMajor& rows_;
  std::vector<double> products_;
  std::vector<char> is_touched_;
  std::vector<int> touched_;
};

SparseMatrix by_shared_rows(const SparseMatrix& A, std::size_t count, const Context& context,
                            Angles angles) {
  const NearestColumns::RowMajor rows = A;
  std::vector<Column> graph(static_cast<std::size_t>(A.cols()));
  for_tiles(context, A.cols(), kColumnTile, [&](const Tile& tile) {
    NearestColumns search(A, rows);
    for (Index j = tile.begin; j < tile.end; ++j) {
      graph[static_cast<std::size_t>(j)] = search.nearest(j, count, angles);
    }
  });
  return assemble(graph);
}

// ---- many entries: all products, in blocks -----------------------------------------------------

// Multiples of what the kernels of products take at a time, up to 24 rows and 8 columns.
constexpr Index kProductRows = 576;
constexpr Index kProductColumns = 64;

/// The rows of A that have an entry, full; behind the last column zero ones until all blocks of
/// products are of one size. So kernels have no remainders, which they sum in another way, and
/// equal columns have equal products.
Matrix filled_rows(const SparseMatrix& A, Index num_filled, const std::vector<Index>& place) {
  const Index blocks = (A.cols() + kProductRows - 1) / kProductRows;
  Matrix full = Matrix::Zero(num_filled, blocks * kProductRows);
  for (Index j = 0; j < A.cols(); ++j) {
    for (SparseMatrix::InnerIterator a(A, j); a; ++a) {
      full(place[static_cast<std::size_t>(a.row())], j) = a.value();
    }
  }
  return full;
}

/// Keeps the `count` largest of what comes by increasing row, of equal ones the first.
void keep_best(Column& best, std::size_t count, Entry entry) {
  if (best.size() == count) {
    if (entry.value <= best.back().value) return;
    best.pop_back();
  }
  const auto smaller = [](double value, const Entry& kept) { return value > kept.value; };
  best.insert(std::upper_bound(best.begin(), best.end(), entry.value, smaller), entry);
}

/// The best of a block of products with column j, whose rows are the columns from `first` on.
void take_best(const double* products, Index first, Index rows, Index j, const Vector& norms,
               Angles angles, std::size_t count, Column& best) {
  for (Index i = 0; i < rows; ++i) {
    if (best.size() == count && products[i] <= best.back().value) continue;
    if (first + i == j || norms[first + i] == 0.0) continue;
    if (angles == Angles::kAcute && products[i] <= 0.0) continue;
    keep_best(best, count, {static_cast<int>(first + i), products[i]});
  }
}

SparseMatrix by_all_products(const Matrix& columns, Index num_columns, std::size_t count,
                             const Context& context, Angles angles) {
  const Vector norms = columns.colwise().norm();
  std::vector<Column> graph(static_cast<std::size_t>(num_columns));
  for_tiles(context, num_columns, kProductColumns, [&](const Tile& tile) {
    Matrix products(kProductRows, kProductColumns);
    for (Index first = 0; first < num_columns; first += kProductRows) {
      linalg::gemm({.transpose_a = true,
                    .m = kProductRows,
                    .n = kProductColumns,
                    .k = columns.rows(),
                    .a = columns.col(first).data(),
                    .lda = columns.rows(),
                    .b = columns.col(tile.begin).data(),
                    .ldb = columns.rows(),
                    .c = products.data(),
                    .ldc = kProductRows});
      for (Index j = tile.begin; j < tile.end; ++j) {
        if (norms[j] == 0.0) continue;
        take_best(products.col(j - tile.begin).data(), first,
                  std::min(kProductRows, num_columns - first), j, norms, angles, count,
                  graph[static_cast<std::size_t>(j)]);
      }
    }
    for (Index j = tile.begin; j < tile.end; ++j) {
      Column& best = graph[static_cast<std::size_t>(j)];
      for (Entry& entry : best) entry.value = 1.0;
      std::ranges::sort(best, lower_row);
    }
  });
  return assemble(graph);
}

// Below, either way takes no time worth the name.
constexpr Index kFewColumns = 2 * kProductRows;
// Of the entries that the filled rows could have: these rows in full then take 32 bytes an entry
// of A, which its prediction covers, and products of blocks a tenth of the time.
constexpr double kManyEntries = 0.25;

/// Where a row stands among those that have an entry.
struct FilledRows {
  std::vector<Index> place;
  Index count = 0;
};

FilledRows find_filled_rows(const SparseMatrix& A) {
  FilledRows filled{std::vector<Index>(static_cast<std::size_t>(A.rows()), -1)};
  for (Index j = 0; j < A.cols(); ++j) {
    for (SparseMatrix::InnerIterator a(A, j); a; ++a) {
      Index& own = filled.place[static_cast<std::size_t>(a.row())];
      if (own < 0) own = filled.count++;
    }
  }
  return filled;
}

}  // namespace

SparseMatrix nearest_columns(const SparseMatrix& A, int neighbors, const Context& context,
                             Angles angles) {
  const auto count = static_cast<std::size_t>(neighbors);
  if (A.cols() < kFewColumns) return by_shared_rows(A, count, context, angles);
  const FilledRows filled = find_filled_rows(A);
  const double possible = static_cast<double>(filled.count) * static_cast<double>(A.cols());
  if (static_cast<double>(A.nonZeros()) < kManyEntries * possible) {
    return by_shared_rows(A, count, context, angles);
  }
  return by_all_products(filled_rows(A, filled.count, filled.place), A.cols(), count, context,
                         angles);
}

}  // namespace subspace
