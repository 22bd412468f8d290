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

  /// s z'(I + s BB')^-1 z of the columns of Z. `BZ` is B'Z where the factor is of columns, and is
  /// overwritten.
  Vector forms(const ConstMatrixRef& Z, Matrix& BZ) const {
    Matrix& Y = BZ;
    if (!products_.of_columns) Y = Z;
    linalg::solve_lower(L_, false, Y.data(), Y.rows(), Y.cols());
    const Vector solved = Y.colwise().squaredNorm();
    if (!products_.of_columns) return scale_ * solved;
    // (I + s BB')^-1 = I - s B (I + s B'B)^-1 B'.
    const Vector norms = Z.colwise().squaredNorm();
    return scale_ * (norms - scale_ * solved).cwiseMax(0.0);
  }

 private:
  const Products& products_;
  double scale_;
  Matrix L_;
  double logdet_ = 0.0;
};

double scale_of(const ConstMatrixRef& X, double size, double distortion) {
  return static_cast<double>(X.rows()) / (size * distortion);
}

/// B'Z where the products are of columns, else empty.
Matrix inner_products(const Products& products, const ConstMatrixRef& Z) {
  if (!products.of_columns) return {};
  Matrix BZ(products.B.cols(), Z.cols());
  linalg::gemm({.transpose_a = true,
                .m = BZ.rows(),
                .n = BZ.cols(),
                .k = products.B.rows(),
                .a = products.B.data(),
                .lda = products.B.outerStride(),
                .b = Z.data(),
                .ldb = Z.outerStride(),
                .c = BZ.data(),
                .ldc = BZ.outerStride()});
  return BZ;
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
    const auto Z = X.middleCols(begin, count);
    Matrix BZ = inner_products(products, Z);
    joining.segment(begin, count) =
        (size + 1.0) * (with.logdet() + with.forms(Z, BZ).array().log1p()) - length;
  }
  leaving.assign(members.size(), -length);
  if (members.size() == 1) return;
  const Factor without(products, scale_of(X, size - 1.0, distortion), context);
  Matrix BZ = products.of_columns ? products.G : Matrix();
  const Vector forms = without.forms(products.B, BZ);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const double left = std::max(1.0 - forms[static_cast<Index>(i)],
                                 std::numeric_limits<double>::min());
    leaving[i] = (size - 1.0) * (without.logdet() + std::log(left)) - length;
  }
}

}  // namespace subspace
