// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/self_expression/kssc.h>

#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/preprocess/normalize.h>

#include "linalg/sizes.h"
#include "self_expression/kernel.h"
#include "self_expression/osqp_column.h"
#include "self_expression/solver_bytes.h"
#include "self_expression/ssc_core.h"

namespace subspace {
namespace {

[[noreturn]] void refuse_kernel(const std::string& function, double value, Index i, Index j) {
  throw DataError(message(function, ": the kernel of samples ", i, " and ", j, " is ", value,
                          ", must be finite; scale the data"));
}

void require_finite_kernel(const Matrix& K, const std::string& function) {
  if (K.allFinite()) return;
  for (Index j = 0; j < K.cols(); ++j) {
    for (Index i = 0; i < K.rows(); ++i) {
      if (!std::isfinite(K(i, j))) refuse_kernel(function, K(i, j), i, j);
    }
  }
}

/// No entry of a kernel is larger than the largest of its diagonal.
void require_finite_diagonal(const KernelSource& source, const std::string& function) {
  const Vector diagonal = source.diagonal();
  for (Index j = 0; j < diagonal.size(); ++j) {
    if (!std::isfinite(diagonal(j))) refuse_kernel(function, diagonal(j), j, j);
  }
}

/// Points of unit scale. A polynomial without offset and a Gaussian of automatic width then only
/// change by a factor or not at all, and so C does not change; the offset of a polynomial and the
/// width of a Gaussian are scaled with the points.
Matrix at_unit_scale(const ConstMatrixRef& X, KernelOptions& options) {
  const double largest = X.cwiseAbs().maxCoeff();
  const bool too_large = largest > 1e50;
  const bool too_small = largest > 0.0 && largest < 1e-50;
  const bool keeps_offset = options.kernel == Kernel::kPolynomial && options.offset > 0.0;
  if (!too_large && !(too_small && !keeps_offset)) return X;
  options.offset = options.offset / largest / largest;
  options.sigma = options.sigma / largest;
  return X / largest;
}

SscOptions ssc_options(const KsscOptions& options) {
  return {.alpha = options.alpha,
          .affine = options.affine,
          .solver = options.solver,
          .max_rounds = options.max_rounds,
          .max_iterations = options.max_iterations,
          .tolerance = options.tolerance};
}

Index factor_rank(const KsscOptions& options, Index num_points) {
  return std::min<Index>(options.kernel_rank, num_points);
}

/// The points at unit scale, and the kernel or its factor while it is made.
double kernel_bytes(const KsscOptions& options, Index dimension, Index num_points) {
  const Index rows = options.kernel_rank > 0 ? factor_rank(options, num_points) : num_points;
  return matrix_bytes(1.0, dimension, num_points) + matrix_bytes(2.0, rows, num_points);
}

}  // namespace

Parameters describe(KernelOptions& options) {
  return {
      choice("kernel", options.kernel,
             {{"polynomial", Kernel::kPolynomial}, {"gaussian", Kernel::kGaussian}},
             "(x'y + offset)^degree or exp(-|x - y|^2 / (2 sigma^2))"),
      parameter("degree", options.degree, "degree of the polynomial").at_least(1).at_most(100),
      parameter("offset", options.offset, "offset of the polynomial").at_least(0),
      parameter("sigma", options.sigma, "width of the Gaussian; 0: from the norms of the points")
          .at_least(0)
          .written("sigma"),
      parameter("sigma_scale", options.sigma_scale,
                "automatic width as a multiple of the standard deviation of the norms")
          .above(0),
  };
}

Matrix kernel_matrix(const ConstMatrixRef& X, const KernelOptions& options,
                     const Context& context) {
  KernelOptions checked = options;
  check(describe(checked), "kernel_matrix");
  require_finite(X, "kernel_matrix");
  check_memory("kernel_matrix", matrix_bytes(1.0, X.cols() + X.rows(), X.cols()),
               allowed_memory(context), "give fewer samples");
  Matrix K = KernelSource(X, options).matrix(context);
  require_finite_kernel(K, "kernel_matrix");
  return K;
}

Parameters describe(KsscOptions& options) {
  Parameters result = describe(options.kernel);
  const Parameters own = {
      parameter("alpha", options.alpha,
                "fit weight, as a multiple of the smallest for which every point is represented")
          .above(0)
          .written("alpha"),
      parameter("affine", options.affine, "coefficients sum to one"),
      parameter("kernel_rank", options.kernel_rank, "rank of a factor in place of K; 0: K itself")
          .at_least(0),
      choice("solver", options.solver, solver_words(),
             "exact by active sets, ADMM or OSQP, or the iteration published for SSC"),
      parameter("max_rounds", options.max_rounds, "active-set: rounds per point").at_least(1),
      parameter("max_iterations", options.max_iterations, "admm: iterations").at_least(1),
      parameter("tolerance", options.tolerance,
                "largest violation of the optimality conditions that counts as solved")
          .above(0),
  };
  result.insert(result.end(), own.begin(), own.end());
  return result;
}

double solver_bytes(const KsscOptions& options, Index dimension, Index num_points,
                    const Context& context) {
  const SscOptions shared = ssc_options(options);
  const double points = matrix_bytes(2.0, dimension, num_points);
  const double solver =
      options.kernel_rank > 0
          ? ssc_bytes_of_points(shared, factor_rank(options, num_points), num_points, context)
          : ssc_bytes_of_gram(shared, num_points, context);
  return std::max(kernel_bytes(options, dimension, num_points), points + solver);
}

SelfExpression kssc(const ConstMatrixRef& X, const KsscOptions& options, const Context& context) {
  KsscOptions checked = options;
  check(describe(checked), "kssc");
  if (options.solver == SscSolver::kOsqp) require_osqp("kssc", "active-set or admm");
  require_finite(X, "kssc");
  const SscOptions shared = ssc_options(options);
  const SscCall call{.function = "kssc", .options = shared, .context = context};
  const Index n = X.cols();
  const bool factored = options.kernel_rank > 0;
  check_memory("kssc", kernel_bytes(options, X.rows(), n), allowed_memory(context),
               factored ? "lower kernel_rank" : "set kernel_rank");
  const Matrix points = at_unit_scale(X, checked.kernel);
  const KernelSource source(points, checked.kernel);
  if (!factored) {
    Matrix K = source.matrix(context);
    require_finite_kernel(K, "kssc");
    return ssc_of_gram(std::move(K), call);
  }
  require_finite_diagonal(source, "kssc");
  const Matrix F = pivoted_cholesky(source, options.kernel_rank, context);
  // Of rank zero are points that all map to the origin.
  return ssc_of_points(F.rows() > 0 ? F : Matrix(Matrix::Zero(1, n)), call);
}

}  // namespace subspace
