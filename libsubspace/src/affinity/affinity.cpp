// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/affinity/affinity.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>

#include "affinity/affinity_bytes.h"
#include "affinity/columns.h"
#include "affinity/low_rank.h"
#include "affinity/nearest_columns.h"
#include "linalg/sizes.h"

namespace subspace {
namespace {

bool larger_magnitude(const Entry& a, const Entry& b) {
  const double left = std::abs(a.value);
  const double right = std::abs(b.value);
  return left != right ? left > right : a.row < b.row;
}

template <typename Coefficients>
void check_square(const Coefficients& C) {
  if (C.rows() == C.cols() && C.cols() > 0) return;
  throw DataError(
      message("make_affinity: C is ", C.rows(), " x ", C.cols(), ", must be square and not empty"));
}

void check_value(Index i, Index j, double value) {
  if (std::isfinite(value)) return;
  throw DataError(message("make_affinity: C(", i, ", ", j, ") = ", value, ", must be finite"));
}

void check_coefficients(const SparseMatrix& C) {
  check_square(C);
  for (Index j = 0; j < C.cols(); ++j) {
    for (SparseMatrix::InnerIterator c(C, j); c; ++c) check_value(c.row(), j, c.value());
  }
}

void check_coefficients(const ConstMatrixRef& C) {
  check_square(C);
  for (Index j = 0; j < C.cols(); ++j) {
    for (Index i = 0; i < C.rows(); ++i) check_value(i, j, C(i, j));
  }
}

/// Whether the diagonal of C counts; else a point does not represent itself.
enum class Diagonal { kDropped, kKept };

Diagonal diagonal_of(const AffinityOptions& options) {
  const bool counts = options.loops && options.kind != AffinityKind::kNeighbors;
  return counts ? Diagonal::kKept : Diagonal::kDropped;
}

/// Whether `keep` chooses among the rows of C.
bool thins_rows(const AffinityOptions& options) {
  return options.keep < 1.0 && options.keep_of == KeepOf::kOthers;
}

/// The non-zeros of column j that count.
Column column_of(const SparseMatrix& C, Index j, Diagonal diagonal) {
  Column column;
  for (SparseMatrix::InnerIterator c(C, j); c; ++c) {
    if (c.value() == 0.0 || (c.row() == j && diagonal == Diagonal::kDropped)) continue;
    column.push_back({static_cast<int>(c.row()), c.value()});
  }
  return column;
}

Column column_of(const ConstMatrixRef& C, Index j, Diagonal diagonal) {
  Column column;
  for (Index i = 0; i < C.rows(); ++i) {
    if (C(i, j) == 0.0 || (i == j && diagonal == Diagonal::kDropped)) continue;
    column.push_back({static_cast<int>(i), C(i, j)});
  }
  return column;
}

void keep_largest(Column& column, std::size_t top) {
  if (top == 0 || column.size() <= top) return;
  std::nth_element(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(top), column.end(),
                   larger_magnitude);
  column.resize(top);
  std::sort(column.begin(), column.end(), lower_row);
}

/// The fewest largest entries whose magnitudes sum to at least `share` of all.
void keep_mass(Column& column, double share) {
  if (share >= 1.0) return;
  std::sort(column.begin(), column.end(), larger_magnitude);
  double all = 0.0;
  for (const Entry& entry : column) all += std::abs(entry.value);
  double kept = 0.0;
  std::size_t count = 0;
  while (count < column.size() && kept < share * all) kept += std::abs(column[count++].value);
  column.resize(count);
  std::sort(column.begin(), column.end(), lower_row);
}

/// Dividing by the largest magnitude first makes every later square safe.
void divide_by_largest(Column& column) {
  double largest = 0.0;
  for (const Entry& entry : column) largest = std::max(largest, std::abs(entry.value));
  for (Entry& entry : column) entry.value /= largest;
}

void divide_by_norm(Column& column) {
  divide_by_largest(column);
  double squared = 0.0;
  for (const Entry& entry : column) squared += entry.value * entry.value;
  const double norm = std::sqrt(squared);
  for (Entry& entry : column) entry.value /= norm;
}

void take_absolute(Column& column) {
  for (Entry& entry : column) entry.value = std::abs(entry.value);
}

/// Applies `edit` to what `keep` leaves of every column of C, in parallel.
template <typename Coefficients, typename Edit>
SparseMatrix edited(const Coefficients& C, Diagonal diagonal, double keep, const Context& context,
                    const Edit& edit) {
  std::vector<Column> columns(static_cast<std::size_t>(C.cols()));
  for_tiles(context, C.cols(), kColumnTile, [&](const Tile& tile) {
    for (Index j = tile.begin; j < tile.end; ++j) {
      Column column = column_of(C, j, diagonal);
      keep_mass(column, keep);
      edit(column);
      column.shrink_to_fit();  // what was cut off a full column would be N numbers a point
      columns[static_cast<std::size_t>(j)] = std::move(column);
    }
  });
  context.throw_if_cancelled();
  return assemble(columns);
}

/// C after `keep` of its rows.
template <typename Coefficients>
SparseMatrix with_thinned_rows(const Coefficients& C, Diagonal diagonal, double keep,
                               const Context& context) {
  const typename Coefficients::PlainObject transposed = C.transpose();
  return edited(transposed, diagonal, keep, context, [](Column&) {}).transpose();
}

/// Calls `visit` with row, a_ij and b_ij for the entries of column j that either has.
template <typename Visit>
void visit_both(const SparseMatrix& A, const SparseMatrix& B, Index j, const Visit& visit) {
  SparseMatrix::InnerIterator a(A, j);
  SparseMatrix::InnerIterator b(B, j);
  while (a || b) {
    if (!b || (a && a.row() < b.row())) {
      visit(a.row(), a.value(), 0.0);
      ++a;
    } else if (!a || b.row() < a.row()) {
      visit(b.row(), 0.0, b.value());
      ++b;
    } else {
      visit(a.row(), a.value(), b.value());
      ++a;
      ++b;
    }
  }
}

/// The matrix of join(a_ij, a_ji), where that is not zero. Counted first and then written in place,
/// by tiles: of a full A the sum of two sparse matrices takes seconds, and a request to stop must
/// not wait for it.
template <typename Join>
SparseMatrix joined_with_transpose(const SparseMatrix& A, const Context& context,
                                   const Join& join) {
  context.throw_if_cancelled();
  const SparseMatrix transposed = A.transpose();
  const Index n = A.cols();
  std::vector<Index> starts(static_cast<std::size_t>(n) + 1, 0);
  for_tiles(context, n, kColumnTile, [&](const Tile& tile) {
    for (Index j = tile.begin; j < tile.end; ++j) {
      Index& count = starts[static_cast<std::size_t>(j) + 1];
      visit_both(A, transposed, j,
                 [&](Index, double a, double b) { count += join(a, b) != 0.0 ? 1 : 0; });
    }
  });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  check_sparse_size("make_affinity", starts.back(), "keep fewer with top or neighbors");
  SparseMatrix W(n, n);
  W.resizeNonZeros(starts.back());
  std::ranges::transform(starts, W.outerIndexPtr(), [](Index s) { return static_cast<int>(s); });
  for_tiles(context, n, kColumnTile, [&](const Tile& tile) {
    for (Index j = tile.begin; j < tile.end; ++j) {
      Index p = starts[static_cast<std::size_t>(j)];
      visit_both(A, transposed, j, [&](Index row, double a, double b) {
        const double value = join(a, b);
        if (value == 0.0) return;
        W.innerIndexPtr()[p] = static_cast<int>(row);
        W.valuePtr()[p++] = value;
      });
    }
  });
  return W;
}

/// scale (A + A'): sums of two numbers commute, so it is symmetric to the bit.
SparseMatrix symmetrized(const SparseMatrix& A, double scale, const Context& context) {
  return joined_with_transpose(A, context, [scale](double a, double b) { return (a + b) * scale; });
}

/// max(A, A') of a non-negative A.
SparseMatrix larger_of_both(const SparseMatrix& A, const Context& context) {
  return joined_with_transpose(A, context, [](double a, double b) { return std::max(a, b); });
}

/// C after `keep`, full, its diagonal as it was.
template <typename Coefficients>
Matrix full_coefficients(const Coefficients& C, const AffinityOptions& options,
                         const Context& context) {
  Matrix full = Matrix(C);
  if (options.keep >= 1.0) return full;
  if (thins_rows(options)) full.transposeInPlace();
  for_tiles(context, full.cols(), kColumnTile, [&](const Tile& tile) {
    for (Index j = tile.begin; j < tile.end; ++j) {
      Column column = column_of(full, j, Diagonal::kKept);
      keep_mass(column, options.keep);
      full.col(j).setZero();
      for (const Entry& entry : column) full(entry.row, j) = entry.value;
    }
  });
  if (thins_rows(options)) full.transposeInPlace();
  return full;
}

/// What is left of the entries of a column.
double kept_entries(const AffinityOptions& options, double entries_per_point) {
  const bool cut = options.kind == AffinityKind::kUnitColumns && options.top > 0;
  return cut ? std::min<double>(entries_per_point, options.top) : entries_per_point;
}

/// Of an entry that is kept, in sparse matrices of one entry: its edited column, which spares room,
/// counts for two; then there are their matrix and its transpose, and the sum of both, which has up
/// to twice the entries, and is copied.
constexpr double kOfEntry = (2.0 + 1.0 + 1.0 + 2.0 * 2.0) * kSparseEntryBytes;

void check_full_memory(Index n, const AffinityOptions& options, const Context& context) {
  check_memory("make_affinity", full_affinity_bytes(options, n), allowed_memory(context),
               "a sparse method (ensc, ssc-omp) needs no full matrix");
}

template <typename Coefficients>
SparseMatrix affinity_of(const Coefficients& C, const AffinityOptions& options,
                         const Context& context) {
  const Diagonal diagonal = diagonal_of(options);
  if (thins_rows(options) && options.kind != AffinityKind::kLowRank) {
    AffinityOptions rest = options;
    rest.keep = 1.0;
    return affinity_of(with_thinned_rows(C, diagonal, options.keep, context), rest, context);
  }
  switch (options.kind) {
    case AffinityKind::kUnitColumns:
      return symmetrized(edited(C, diagonal, options.keep, context,
                                [&](Column& column) {
                                  keep_largest(column, static_cast<std::size_t>(options.top));
                                  divide_by_norm(column);
                                  take_absolute(column);
                                }),
                         0.5, context);
    case AffinityKind::kMaxColumns:
      return symmetrized(edited(C, diagonal, options.keep, context,
                                [](Column& column) {
                                  divide_by_largest(column);
                                  take_absolute(column);
                                }),
                         1.0, context);
    case AffinityKind::kNeighbors:
      return symmetrized(nearest_columns(edited(C, diagonal, options.keep, context, divide_by_norm),
                                         options.neighbors, context),
                         0.5, context);
    case AffinityKind::kMaximum:
      return larger_of_both(edited(C, diagonal, options.keep, context, take_absolute), context);
    case AffinityKind::kLowRank:
      check_full_memory(C.cols(), options, context);
      return low_rank_affinity(full_coefficients(C, options, context), options, context);
  }
  throw InvalidArgument(message("make_affinity: kind = ", static_cast<int>(options.kind),
                                ", must be one of AffinityKind"));
}

void check_options(AffinityOptions options) {
  check(describe(options), "make_affinity");
  if (options.kind == AffinityKind::kLowRank && options.dimension > 0 && options.num_clusters < 1) {
    throw InvalidArgument(message("make_affinity: dimension = ", options.dimension,
                                  " without num_clusters, must satisfy num_clusters >= 1"));
  }
}

}  // namespace

double full_affinity_bytes(const AffinityOptions& options, Index num_points) {
  const double entries = static_cast<double>(num_points) * static_cast<double>(num_points);
  if (options.kind == AffinityKind::kLowRank) {
    return entries * (3.0 * sizeof(double) + kSparseEntryBytes);
  }
  // A full sum has no more entries than its terms, and columns of N entries hardly spare room.
  constexpr double kOfFullEntry = 44.0;
  const double kept = kept_entries(options, static_cast<double>(num_points));
  const double making =
      std::min(entries * kOfFullEntry, kept * static_cast<double>(num_points) * kOfEntry);
  if (!thins_rows(options)) return entries * sizeof(double) + making;
  // Before that the transpose, its edited columns and their matrix; then C thinned.
  constexpr double kOfThinning = sizeof(double) + sizeof(Entry) + kSparseEntryBytes;
  return entries * sizeof(double) +
         std::max(entries * kOfThinning, entries * kSparseEntryBytes + making);
}

double sparse_affinity_bytes(const AffinityOptions& options, Index num_points,
                             double entries_per_point) {
  if (options.kind == AffinityKind::kLowRank) return full_affinity_bytes(options, num_points);
  const double given = kSparseEntryBytes * entries_per_point;
  const double making = kOfEntry * kept_entries(options, entries_per_point);
  // As above: the transpose, edited columns for two, their matrix; then C thinned.
  const double thinning = thins_rows(options) ? std::max(4.0 * given, given + making) : making;
  return static_cast<double>(num_points) * (given + thinning);
}

double most_edges(const AffinityOptions& options, Index num_points, double entries_per_point) {
  const auto n = static_cast<double>(num_points);
  if (options.kind == AffinityKind::kLowRank) return n * n;
  const double kept = options.kind == AffinityKind::kNeighbors
                          ? options.neighbors
                          : kept_entries(options, entries_per_point);
  return std::min(n * n, 2.0 * kept * n);
}

Parameters describe(AffinityOptions& options) {
  return {
      choice("kind", options.kind,
             {{"unit-columns", AffinityKind::kUnitColumns},
              {"max-columns", AffinityKind::kMaxColumns},
              {"neighbors", AffinityKind::kNeighbors},
              {"maximum", AffinityKind::kMaximum},
              {"low-rank", AffinityKind::kLowRank}},
             "how coefficients become a symmetric affinity"),
      parameter("top", options.top, "coefficients kept per point by unit-columns; 0: all")
          .at_least(0),
      parameter("neighbors", options.neighbors,
                "nearest coefficient vectors joined by kind neighbors")
          .at_least(1),
      parameter("keep", options.keep,
                "share of a point's coefficients, by magnitude, that is kept before all else")
          .above(0)
          .at_most(1)
          .written("rho"),
      choice("keep_of", options.keep_of, {{"own", KeepOf::kOwn}, {"others", KeepOf::kOthers}},
             "whose coefficients keep chooses among: own, those that make the point; others, those "
             "by which others use it, as the code of DSC does"),
      parameter(
          "dimension", options.dimension,
          "of a subspace, for low-rank: the rank is dimension x clusters + 1; 0: every singular "
          "value above 1e-4 of the largest")
          .at_least(0)
          .written("d"),
      parameter("power", options.power, "of the cosines, for low-rank").above(0).written("alpha"),
      parameter("symmetrize", options.symmetrize, "for low-rank: (C + C')/2 instead of C"),
      parameter("unit_diagonal", options.unit_diagonal, "for low-rank: ones on the diagonal first"),
      parameter("positive", options.positive, "for low-rank: negative cosines count as 0"),
      parameter("loops", options.loops,
                "the diagonal of W stays and counts in the degrees, as published for LRR and EDSC"),
  };
}

SparseMatrix make_affinity(const SparseMatrix& C, const AffinityOptions& options,
                           const Context& context) {
  check_options(options);
  check_coefficients(C);
  return affinity_of(C, options, context);
}

SparseMatrix make_affinity(const ConstMatrixRef& C, const AffinityOptions& options,
                           const Context& context) {
  check_options(options);
  check_coefficients(C);
  check_full_memory(C.cols(), options, context);
  return affinity_of(C, options, context);
}

}  // namespace subspace
