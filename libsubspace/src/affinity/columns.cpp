// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "affinity/columns.h"

#include <algorithm>

#include <subspace/core/parallel.h>

#include "linalg/sizes.h"

namespace subspace {
namespace {

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

}  // namespace

SparseMatrix assemble(const std::vector<Column>& columns) {
  const Index n = static_cast<Index>(columns.size());
  SparseMatrix A(n, n);
  std::size_t stored = 0;
  for (const Column& column : columns) stored += column.size();
  check_sparse_size("make_affinity", static_cast<Index>(stored),
                    "keep fewer with top or neighbors");
  A.reserve(static_cast<Index>(stored));
  for (Index j = 0; j < n; ++j) {
    A.startVec(j);
    for (const Entry& entry : columns[static_cast<std::size_t>(j)]) {
      A.insertBack(entry.row, j) = entry.value;
    }
  }
  A.finalize();
  return A;
}

SparseMatrix nearest_columns(const SparseMatrix& A, int neighbors, const Context& context,
                             Angles angles) {
  const NearestColumns::RowMajor rows = A;
  std::vector<Column> graph(static_cast<std::size_t>(A.cols()));
  for_tiles(context, A.cols(), kColumnTile, [&](const Tile& tile) {
    NearestColumns search(A, rows);
    for (Index j = tile.begin; j < tile.end; ++j) {
      graph[static_cast<std::size_t>(j)] =
          search.nearest(j, static_cast<std::size_t>(neighbors), angles);
    }
  });
  return assemble(graph);
}

}  // namespace subspace
