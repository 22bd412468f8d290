// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>
#include <subspace/self_expression/self_expression.h>
#include <subspace/self_expression/ssc.h>

namespace subspace {

enum class Kernel {
  kPolynomial,  ///< (x'y + offset)^degree
  kGaussian,    ///< exp(-|x - y|^2 / (2 sigma^2))
};

/// A kernel k(x, y) = f(x)'f(y), the inner product of points mapped by some f.
struct KernelOptions {
  Kernel kernel = Kernel::kPolynomial;
  int degree = 2;       ///< of the polynomial
  double offset = 1.0;  ///< of the polynomial, >= 0: else it is no inner product
  /// Width of the Gaussian; 0: sigma_scale times the standard deviation of the norms |x_j| or,
  /// where all norms are equal up to rounding (unit columns), times the root mean square distance
  /// of the points from their mean; of points that are all the same, 1.
  double sigma = 0.0;
  double sigma_scale = 1.0;
};
SUBSPACE_API Parameters describe(KernelOptions& options);

/// K, N x N. Throws DataError where an entry is not finite: large points under a polynomial.
SUBSPACE_API Matrix kernel_matrix(const ConstMatrixRef& X, const KernelOptions& options = {},
                                  const Context& context = {});

/// Kernel sparse subspace clustering [Patel14]: SSC of the mapped points. For each point, with k_j
/// the column j of K,
///     min_c  |c|_1 + lambda/2 (K_jj - 2 k_j'c + c'K c),   c_j = 0,   and 1'c = 1 where `affine`,
/// lambda = alpha / min_i max_{j != i} |K_ij|, with the exceptions of SscOptions.
/// [Patel14] V. M. Patel, R. Vidal. Kernel sparse subspace clustering. ICIP 2014.
struct KsscOptions {
  double alpha = 20.0;  ///< as in SscOptions
  bool affine = false;  ///< coefficients sum to one
  KernelOptions kernel = {};
  /// Above 0, K is replaced by F'F with a factor F of at most this rank, by pivoted Cholesky: no
  /// N x N matrix is needed then, and the result is SSC on F.
  int kernel_rank = 0;
  SscSolver solver = SscSolver::kActiveSet;
  int max_rounds = 100;       ///< active-set: outer rounds per point
  int max_iterations = 5000;  ///< admm
  double tolerance = 1e-6;    ///< largest violation of the optimality conditions that is solved
};
SUBSPACE_API Parameters describe(KsscOptions& options);

/// Residuals as in ssc(), with K_i'(e_j - c) in place of x_i'(x_j - X c); with kernel_rank, of the
/// problem on F. Throws ResourceError where K does not fit into memory, InvalidArgument for
/// solver = osqp in a build without OSQP.
SUBSPACE_API SelfExpression kssc(const ConstMatrixRef& X, const KsscOptions& options = {},
                                 const Context& context = {});

}  // namespace subspace
