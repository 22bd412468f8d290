// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "cluster/coding_length.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <subspace/core/error.h>

#include "labels/groups.h"
#include "linalg/linalg.h"

namespace subspace {
namespace {

constexpr Index kColumnsAtOnce = 256;

/// The points of a cluster and their products: B'B where they are fewer than their dimension,
/// else BB'.
struct Products {
  Products(const ConstMatrixRef& X, const std::vector<Index>& members, const Context& context)
      : B(gather(X, members)),
        of_columns(B.cols() < B.rows()),
        G(of_columns ? linalg::gram(B, context) : linalg::moment(B, context)) {}

  Matrix B;
  bool of_columns = false;
  Matrix G;
};

Matrix inner_products(const Matrix& B, const ConstMatrixRef& Z) {
  Matrix BZ(B.cols(), Z.cols());
  linalg::gemm({.transpose_a = true,
                .m = BZ.rows(),
                .n = BZ.cols(),
                .k = B.rows(),
                .a = B.data(),
                .lda = B.outerStride(),
                .b = Z.data(),
                .ldb = Z.outerStride(),
                .c = BZ.data(),
                .ldc = BZ.outerStride()});
  return BZ;
}

/// I + s G = L L', its logarithm of the determinant, and quadratic forms of (I + s BB')^-1.
class Factor {
 public:
  Factor(const Products& products, double scale, const Context& context)
      : products_(products), scale_(scale), L_(scale * products.G) {
    L_.diagonal().array() += 1.0;
    if (!linalg::cholesky(L_, context)) {
      throw NumericalError(message("lossy_coding: I + ", scale, " X X' has no Cholesky factor"));
    }
    logdet_ = 2.0 * L_.diagonal().array().log().sum();
  }

  double logdet() const { return logdet_; }

  /// s z'(I + s BB')^-1 z of the columns of Z.
  Vector forms(const ConstMatrixRef& Z) const {
    if (!products_.of_columns) return scale_ * solved_norms(Z);
    // (I + s BB')^-1 = I - s B (I + s B'B)^-1 B'.
    const Vector norms = Z.colwise().squaredNorm();
    return scale_ * (norms - scale_ * solved_norms(inner_products(products_.B, Z))).cwiseMax(0.0);
  }

  /// 1 - s z'(I + s BB')^-1 z of `count` columns of B. Where there are fewer of them than
  /// dimensions, these are the diagonal of (I + s B'B)^-1, which differences would not find: where
  /// s is large they are near to 1/s.
  Vector complements(Index begin, Index count) const {
    if (!products_.of_columns) {
      return 1.0 - forms(products_.B.middleCols(begin, count)).array();
    }
    // L^-1 has a lower triangle alone.
    const Index order = L_.rows() - begin;
    Matrix inverse = Matrix::Identity(order, count);
    linalg::triangular_solve({.m = order,
                              .n = count,
                              .t = &L_(begin, begin),
                              .ldt = L_.outerStride(),
                              .b = inverse.data(),
                              .ldb = inverse.outerStride()});
    return inverse.colwise().squaredNorm();
  }

 private:
  /// |L^-1 y|^2 of the columns of Y.
  Vector solved_norms(Matrix Y) const {
    linalg::solve_lower(L_, false, Y.data(), Y.outerStride(), Y.cols());
    return Y.colwise().squaredNorm();
  }

  const Products& products_;
  double scale_;
  Matrix L_;
  double logdet_ = 0.0;
};

double scale_of(const ConstMatrixRef& X, double size, double distortion) {
  return static_cast<double>(X.rows()) / (size * distortion);
}

}  // namespace

double coding_length(const ConstMatrixRef& X, const std::vector<Index>& members, double distortion,
                     const Context& context) {
  if (members.empty()) return 0.0;
  const auto size = static_cast<double>(members.size());
  const Products products(X, members, context);
  return size * Factor(products, scale_of(X, size, distortion), context).logdet();
}

void coding_changes(const ConstMatrixRef& X, const std::vector<Index>& members, double distortion,
                    double length, Eigen::Ref<Vector> joining, std::vector<double>& leaving,
                    const Context& context) {
  const Products products(X, members, context);
  const auto size = static_cast<double>(members.size());
  const Factor with(products, scale_of(X, size + 1.0, distortion), context);
  for (Index begin = 0; begin < X.cols(); begin += kColumnsAtOnce) {
    context.throw_if_cancelled();
    const Index count = std::min(kColumnsAtOnce, X.cols() - begin);
    const Vector forms = with.forms(X.middleCols(begin, count));
    joining.segment(begin, count) = (size + 1.0) * (with.logdet() + forms.array().log1p()) - length;
  }
  leaving.assign(members.size(), -length);
  if (members.size() == 1) return;
  const Factor without(products, scale_of(X, size - 1.0, distortion), context);
  for (Index begin = 0; begin < products.B.cols(); begin += kColumnsAtOnce) {
    context.throw_if_cancelled();
    const Index count = std::min(kColumnsAtOnce, products.B.cols() - begin);
    const Vector left =
        without.complements(begin, count).cwiseMax(std::numeric_limits<double>::min());
    const Vector changes = (size - 1.0) * (without.logdet() + left.array().log()) - length;
    std::ranges::copy(changes, leaving.begin() + begin);
  }
}

}  // namespace subspace
