// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "affinity/left_singular.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <subspace/core/parallel.h>
#include <subspace/core/random.h>

#include "linalg/linalg.h"

namespace subspace {
namespace {

/// Below this order the eigendecomposition takes a tenth of a second.
constexpr Index kSmallestOrder = 512;
/// Samples to begin with, doubled while they do not suffice: a little more than a power of two, so
/// that pictures of 16 x 16 or 32 x 32 and the mean of an affine model fit with some to spare.
constexpr Index kFirstSamples = 136;
/// The rank may be N over this: beyond, the eigendecomposition of order N costs hardly more.
constexpr Index kRankDivisor = 4;
/// |C - QQ'C| over |C| in the Frobenius norm: what rounding leaves of a C of low rank. The
/// eigendecomposition of order N is not more accurate.
constexpr double kExact = 1e-12;
/// Directions of samples below this, relative to all samples, are rounding.
constexpr double kNegligible = 1e-14;
constexpr std::uint64_t kSeed = 0x72616e6765;
constexpr Index kTile = 128;

/// C = Q B to rounding with orthonormal columns Q, B = Q'C stored as B'.
struct Range {
  Matrix Q = {};
  Matrix B_transposed = {};
};

void append_columns(Matrix& A, const Matrix& columns) {
  const Index before = A.cols();
  A.conservativeResize(columns.rows(), before + columns.cols());
  A.rightCols(columns.cols()) = columns;
}

/// Column sums first: a running sum over all entries would lose the digits that are compared.
double sum_of_squares(const Matrix& A) { return A.colwise().squaredNorm().sum(); }

/// C Omega with a sparse sign matrix Omega [Mar20, section 9.2]: each column of C is added, with
/// random signs, to a few of the samples. As good as normal numbers in practice, without their
/// product.
/// [Mar20] P.-G. Martinsson, J. Tropp. Randomized numerical linear algebra: foundations and
///         algorithms. Acta Numerica 2020.
Matrix samples_of(const Matrix& C, Index count, std::uint32_t block, const Context& context) {
  constexpr std::size_t kTerms = 8;
  struct Term {
    Index sample = 0;
    double sign = 0.0;
  };
  std::vector<Term> terms(kTerms * static_cast<std::size_t>(C.cols()));
  RandomStream random = stream(kSeed, Stream::kEigensolver, block);
  for (Term& term : terms) {
    term.sample = static_cast<Index>(random.below(static_cast<std::uint64_t>(count)));
    term.sign = random.below(2) == 0 ? -1.0 : 1.0;
  }
  Matrix samples = Matrix::Zero(C.rows(), count);
  for_tiles(context, C.rows(), kTile, [&](const Tile& tile) {
    auto own = samples.middleRows(tile.begin, tile.size());
    for (std::size_t t = 0; t < terms.size(); ++t) {
      const auto column = C.col(static_cast<Index>(t / kTerms)).segment(tile.begin, tile.size());
      own.col(terms[t].sample) += terms[t].sign * column;
    }
  });
  return samples;
}

/// Y - Q Q'Y.
void project_out(const Matrix& Q, Matrix& Y, const Context& context) {
  if (Q.cols() == 0) return;
  const Matrix along = linalg::multiply(Q, true, Y, false, context);
  Y -= linalg::multiply(Q, false, along, false, context);
}

/// An orthonormal basis of what the samples Y add to the span of Q. Y = P R and the singular
/// vectors of R tell directions from rounding; the small ones among them keep a part along Q after
/// the first projection, hence the second.
Matrix new_directions(const Matrix& Q, Matrix Y, const Context& context) {
  const double negligible = kNegligible * Y.norm();
  project_out(Q, Y, context);
  Matrix R;
  linalg::orthonormalize(Y, R);
  const linalg::Svd svd = linalg::svd(std::move(R));
  const Index kept = std::count_if(svd.values.begin(), svd.values.end(),
                                   [&](double value) { return value > negligible; });
  if (kept == 0) return Matrix(Y.rows(), 0);
  Y = linalg::multiply(Y, false, svd.U.leftCols(kept), false, context);
  if (Q.cols() == 0) return Y;
  project_out(Q, Y, context);
  linalg::orthonormalize(Y, R);
  return Y;
}

/// |C - Q B|_F^2, entry by entry.
double squared_residual(const Matrix& C, const Range& range, const Context& context) {
  std::vector<double> sums(static_cast<std::size_t>((C.cols() + kTile - 1) / kTile));
  for_tiles(context, C.cols(), kTile, [&](const Tile& tile) {
    Matrix rest = C.middleCols(tile.begin, tile.size());
    linalg::gemm({.transpose_b = true,
                  .m = C.rows(),
                  .n = tile.size(),
                  .k = range.Q.cols(),
                  .a = range.Q.data(),
                  .lda = range.Q.outerStride(),
                  .b = range.B_transposed.data() + tile.begin,
                  .ldb = range.B_transposed.outerStride(),
                  .c = rest.data(),
                  .ldc = rest.outerStride(),
                  .alpha = -1.0,
                  .beta = 1.0});
    sums[static_cast<std::size_t>(tile.index)] = rest.squaredNorm();
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// Whether |B|^2 = `captured` of |C|^2 = `all` rules out a rank up to `most`. Random samples
/// favour the directions of large singular values, so p of them hold at least p / r of the squares
/// of a matrix of rank r, on average (Chebyshev's sum inequality).
bool is_hopeless(double captured, double all, Index found, Index most) {
  constexpr double kLuck = 0.8;
  return captured * static_cast<double>(most) < kLuck * static_cast<double>(found) * all;
}

/// The range of C, of dimension up to `most`; nothing when it is larger.
std::optional<Range> find_range(const Matrix& C, Index most, const Context& context) {
  // The difference of squares knows a residual to 1e-6 at best: enough to pass over the exact one.
  constexpr double kWorthAProduct = 1e-12;
  const double all = sum_of_squares(C);
  if (all == 0.0) return Range{Matrix(C.rows(), 0), Matrix(C.cols(), 0)};
  double captured = 0.0;
  Range range{Matrix(C.rows(), 0), Matrix(C.cols(), 0)};
  for (std::uint32_t block = 0;; ++block) {
    if (all - captured <= kWorthAProduct * all &&
        squared_residual(C, range, context) <= kExact * kExact * all) {
      return range;
    }
    const Index found = range.Q.cols();
    if (found == most || is_hopeless(captured, all, found, most)) return std::nullopt;
    const Index wanted = std::min(std::max(found, kFirstSamples), most - found);
    const Matrix added = new_directions(range.Q, samples_of(C, wanted, block, context), context);
    if (added.cols() == 0) return std::nullopt;
    const Matrix products = linalg::multiply(C, true, added, false, context);
    captured += sum_of_squares(products);
    append_columns(range.Q, added);
    append_columns(range.B_transposed, products);
    context.throw_if_cancelled();
  }
}

/// The singular values among the eigenvalues of C itself or of C C'.
Vector singular_values(const Vector& eigenvalues, bool symmetric) {
  return symmetric ? Vector(eigenvalues.cwiseAbs()) : Vector(eigenvalues.cwiseMax(0.0).cwiseSqrt());
}

LeftSingular by_decreasing_value(const Matrix& vectors, const Vector& values) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index a, Index b) { return values[a] > values[b]; });
  LeftSingular result = {Matrix(vectors.rows(), vectors.cols()), Vector(values.size())};
  for (Index k = 0; k < values.size(); ++k) {
    const Index from = order[static_cast<std::size_t>(k)];
    result.vectors.col(k) = vectors.col(from);
    result.values[k] = values[from];
  }
  return result;
}

}  // namespace

LeftSingular left_singular_by_eigen(Matrix C, bool symmetric, const Context& context) {
  Vector eigenvalues;
  Matrix vectors = symmetric ? std::move(C) : linalg::moment(C, context);
  linalg::symmetric_eigen(vectors, eigenvalues);
  return by_decreasing_value(vectors, singular_values(eigenvalues, symmetric));
}

/// With C = Q B: Q'C Q = B Q has the eigenvalues of a symmetric C, B B' those of C C'; Q turns
/// their eigenvectors into those of C.
std::optional<LeftSingular> left_singular_by_range(const Matrix& C, bool symmetric,
                                                   const Context& context) {
  if (C.cols() < kSmallestOrder) return std::nullopt;
  const std::optional<Range> range = find_range(C, C.cols() / kRankDivisor, context);
  if (!range) return std::nullopt;
  if (range->Q.cols() == 0) return LeftSingular{range->Q, Vector(0)};
  Matrix small = symmetric ? linalg::multiply(range->B_transposed, true, range->Q, false, context)
                           : linalg::gram(range->B_transposed, context);
  Vector eigenvalues;
  linalg::symmetric_eigen(small, eigenvalues);
  LeftSingular result = by_decreasing_value(small, singular_values(eigenvalues, symmetric));
  result.vectors = linalg::multiply(range->Q, false, result.vectors, false, context);
  return result;
}

}  // namespace subspace
