// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/diagnostics/coding_rate.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/preprocess/normalize.h>

#include "labels/groups.h"
#include "linalg/linalg.h"
#include "linalg/sizes.h"

namespace subspace {
namespace {

void require_distortion(double distortion, const std::string& function) {
  if (distortion > 0.0 && std::isfinite(distortion)) return;
  throw InvalidArgument(message(function, ": distortion = ", distortion, ", must be > 0"));
}

/// The columns, their products with one another, and its factor in the same place.
double rate_bytes(Index dimension, Index num_points) {
  const Index order = std::min(dimension, num_points);
  return matrix_bytes(1.0, dimension, num_points) + matrix_bytes(1.0, order, order);
}

/// 1/2 logdet(I + s X X') = 1/2 logdet(I + s X'X), s = D/(N e), by the smaller of the two.
double rate_of(Matrix X, double distortion, const Context& context) {
  normalize_columns(X);
  const double scale = static_cast<double>(X.rows()) / (static_cast<double>(X.cols()) * distortion);
  Matrix A = X.cols() < X.rows() ? linalg::gram(X, context) : linalg::moment(X, context);
  A *= scale;
  A.diagonal().array() += 1.0;
  if (!linalg::cholesky(A, context)) {
    throw NumericalError(message("coding_rate: I + ", scale, " X X' has no Cholesky factor"));
  }
  return A.diagonal().array().log().sum();  // half of twice the logarithms of the factor
}

}  // namespace

double coding_rate(const ConstMatrixRef& X, double distortion, const Context& context) {
  return cluster_coding_rate(X, Labels(static_cast<std::size_t>(X.cols()), 0), distortion, context);
}

double cluster_coding_rate(const ConstMatrixRef& X, const Labels& labels, double distortion,
                           const Context& context) {
  require_distortion(distortion, "cluster_coding_rate");
  require_labelled(X, labels, "cluster_coding_rate");
  double mean = 0.0;
  for (const std::vector<Index>& members : group_by_label(labels).members) {
    const auto size = static_cast<Index>(members.size());
    context.throw_if_cancelled();
    check_memory("cluster_coding_rate", rate_bytes(X.rows(), size), allowed_memory(context),
                 "give fewer samples or features");
    const double share = static_cast<double>(size) / static_cast<double>(X.cols());
    mean += share * rate_of(gather(X, members), distortion, context);
  }
  return mean;
}

}  // namespace subspace
