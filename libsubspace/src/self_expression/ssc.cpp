// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/self_expression/ssc.h>

#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/preprocess/normalize.h>

#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "self_expression/elastic_net_engine.h"
#include "self_expression/gram_budget.h"
#include "self_expression/osqp_column.h"
#include "self_expression/ridge_inverse.h"
#include "self_expression/solver_bytes.h"
#include "self_expression/ssc_admm.h"
#include "self_expression/ssc_core.h"
#include "self_expression/ssc_osqp.h"
#include "self_expression/ssc_weights.h"

namespace subspace {
namespace {

ElasticNetJob lasso_job(const SscCall& call, double weight, double sum_weight) {
  return {.function = call.function,
          .sparser = "lower alpha",
          .rule = {.tau = 1.0,
                   .max_rounds = call.options.max_rounds,
                   .tolerance = call.options.tolerance,
                   .common_weight = weight,
                   .sum_weight = call.options.affine ? sum_weight : 0.0},
          .context = call.context};
}

double penalty(const SscOptions& options) {
  return options.solver == SscSolver::kAdmm ? kAdmmPenalty * options.alpha : options.alpha;
}

/// G = Gram matrix of the points in front, of other atoms behind.
SelfExpression active_set_of_gram(Matrix G, Index num_points, const Correlations& correlations,
                                  const SscCall& call) {
  const double weight = fit_weight(correlations, call.options.alpha);
  const double sum = sum_weight(correlations);
  if (call.options.affine) G.topLeftCorner(num_points, num_points).array() += sum;
  return elastic_net_from_gram(G, num_points, lasso_job(call, weight, sum));
}

/// [X, I/g], above a further coordinate sqrt(sum) of the points; each is left out where its weight
/// is zero.
Matrix dictionary(const ConstMatrixRef& X, double outlier_weight, double sum) {
  const Index n = X.cols();
  const Index d = X.rows();
  Matrix atoms = Matrix::Zero(d + (sum > 0.0 ? 1 : 0), n + (outlier_weight > 0.0 ? d : 0));
  atoms.topLeftCorner(d, n) = X;
  if (outlier_weight > 0.0) atoms.topRightCorner(d, d).diagonal().setConstant(1.0 / outlier_weight);
  if (sum > 0.0) atoms.row(d).head(n).setConstant(std::sqrt(sum));
  return atoms;
}

SelfExpression active_set_streamed(const ConstMatrixRef& X, double outlier_weight,
                                   const Correlations& correlations, const SscCall& call) {
  const double weight = fit_weight(correlations, call.options.alpha);
  const double sum = sum_weight(correlations);
  const ElasticNetJob job = lasso_job(call, weight, sum);
  if (outlier_weight == 0.0 && !call.options.affine) return elastic_net_streamed(X, X.cols(), job);
  const Matrix atoms = dictionary(X, outlier_weight, call.options.affine ? sum : 0.0);
  return elastic_net_streamed(atoms, X.cols(), job);
}

RidgeInverse ridge_of_atoms(const ConstMatrixRef& atoms, Index num_points, double weight,
                            const SscCall& call) {
  return RidgeInverse::of_points(atoms, weight / penalty(call.options),
                                 call.options.affine ? num_points : 0, call.context);
}

SelfExpression admm_of_atoms(const ConstMatrixRef& atoms, Index num_points, double weight,
                             const SscCall& call) {
  const RidgeInverse ridge = ridge_of_atoms(atoms, num_points, weight, call);
  return ssc_admm({.atoms = &atoms}, num_points, ridge, weight, call);
}

/// What makes room in each of the ways to solve.
const char* hint(const SscOptions& options) {
  if (options.solver == SscSolver::kOsqp) return "use solver active-set or fewer threads";
  if (options.solver != SscSolver::kActiveSet) return "use solver active-set";
  if (options.outliers) return "use fewer threads or give fewer samples or features";
  return "use fewer threads or give fewer samples";
}

double admm_bytes(Index dimension, Index num_atoms, const Context& context) {
  return RidgeInverse::bytes_of_points(dimension, num_atoms) +
         ssc_admm_bytes(dimension, num_atoms, context);
}

/// The Gram matrix of all atoms, and a problem of its own in each thread.
double osqp_bytes(Index num_atoms, Index num_points, const Context& context) {
  return matrix_bytes(1.0, num_atoms, num_atoms) + ssc_osqp_bytes(num_atoms, num_points, context);
}

// ---- outliers: the dictionary is [X, I/g] -------------------------------------------------------

double outlier_weight(const ConstMatrixRef& X, const SscOptions& options) {
  const double alpha = options.outlier_alpha > 0.0 ? options.outlier_alpha : options.alpha;
  const double largest = X.cwiseAbs().colwise().sum().maxCoeff();
  return alpha / (largest > 0.0 ? largest : 1.0);
}

/// Products with the atoms I/g are entries of X/g.
Correlations with_coordinates(Correlations correlations, const ConstMatrixRef& X, double weight) {
  const Vector entries = X.cwiseAbs().colwise().maxCoeff() / weight;
  correlations.largest = correlations.largest.cwiseMax(entries);
  return correlations;
}

struct ActiveSetMemory {
  double stored;
  double streamed;
};
ActiveSetMemory active_set_bytes(const SscOptions& options, Index dimension, Index num_points,
                                 const Context& context) {
  const Index atoms = num_points + dimension;
  return {.stored = elastic_net_gram_bytes(atoms, num_points, context),
          .streamed = elastic_net_streamed_bytes(dimension + (options.affine ? 1 : 0), atoms,
                                                 num_points, context)};
}

/// As without outliers; and where it takes less than streaming, as it does of many dimensions.
bool stores_outlier_gram(const SscOptions& options, Index dimension, Index num_points,
                         const Context& context) {
  const ActiveSetMemory bytes =
      active_set_bytes(options, dimension, num_points, with_nominal_threads(context));
  return bytes.stored <= bytes.streamed || stores_gram(dimension, num_points + dimension, context);
}

/// Beside the points.
double outlier_bytes(const SscOptions& options, Index dimension, Index num_points,
                     const Context& context) {
  const Index n = num_points;
  const Index atoms = n + dimension;
  if (options.solver == SscSolver::kOfficial) {
    return RidgeInverse::bytes_of_points(dimension, n) +
           ssc_official_outliers_bytes(dimension, n, context);
  }
  if (options.solver == SscSolver::kOsqp) return osqp_bytes(atoms, n, context);
  if (options.solver == SscSolver::kAdmm) {
    return matrix_bytes(1.0, dimension, atoms) + admm_bytes(dimension, atoms, context);
  }
  const ActiveSetMemory bytes = active_set_bytes(options, dimension, n, context);
  return stores_outlier_gram(options, dimension, n, context) ? bytes.stored : bytes.streamed;
}

/// The Gram matrix [X'X, X'/g; X/g, I/g^2].
Matrix gram_with_coordinates(const ConstMatrixRef& X, double weight, const Context& context) {
  const Index n = X.cols();
  const Index d = X.rows();
  Matrix G = Matrix::Zero(n + d, n + d);
  linalg::fill_gram(X, context, G);
  G.bottomLeftCorner(d, n) = X / weight;
  G.topRightCorner(n, d) = X.transpose() / weight;
  G.bottomRightCorner(d, d).diagonal().setConstant(1.0 / (weight * weight));
  return G;
}

SelfExpression with_outliers(const ConstMatrixRef& X, const SscCall& call) {
  const Index n = X.cols();
  const Index d = X.rows();
  const SscSolver solver = call.options.solver;
  const double weight = outlier_weight(X, call.options);
  const bool stored =
      solver == SscSolver::kOsqp ||
      (solver == SscSolver::kActiveSet && stores_outlier_gram(call.options, d, n, call.context));
  if (!stored) {
    const Correlations correlations =
        with_coordinates(correlations_of_points(X, call.context), X, weight);
    if (solver == SscSolver::kActiveSet) return active_set_streamed(X, weight, correlations, call);
    const double fit = fit_weight(correlations, call.options.alpha);
    if (solver == SscSolver::kOfficial) return ssc_official_outliers(X, fit, weight, call);
    return admm_of_atoms(dictionary(X, weight, 0.0), n, fit, call);
  }
  Matrix G = gram_with_coordinates(X, weight, call.context);
  Correlations of_points = correlations_of_gram(G);
  of_points.largest.conservativeResize(n);
  of_points.squared_norms.conservativeResize(n);
  if (solver == SscSolver::kOsqp) {
    return ssc_osqp(G, n, fit_weight(of_points, call.options.alpha), call);
  }
  return active_set_of_gram(std::move(G), n, of_points, call);
}

void check_solver_memory(double needed_bytes, const SscCall& call) {
  check_memory(call.function, needed_bytes, allowed_memory(call.context), hint(call.options));
}

}  // namespace

double ssc_bytes_of_gram(const SscOptions& options, Index num_points, const Context& context) {
  if (options.solver == SscSolver::kOsqp) return osqp_bytes(num_points, num_points, context);
  const double copies = options.solver == SscSolver::kActiveSet ? 1.0 : 4.0;
  return matrix_bytes(copies, num_points, num_points);
}

double ssc_bytes_of_points(const SscOptions& options, Index dimension, Index num_points,
                           const Context& context) {
  const double points = matrix_bytes(1.0, dimension, num_points);
  if (options.outliers) {
    return points + outlier_bytes(options, dimension, num_points, context);
  }
  if (options.solver == SscSolver::kOsqp) {
    return points + osqp_bytes(num_points, num_points, context);
  }
  if (options.solver == SscSolver::kActiveSet) {
    const bool extended = options.affine && !stores_gram(dimension, num_points, context);
    return elastic_net_bytes(dimension, num_points, context) + (extended ? points : 0.0);
  }
  if (options.solver == SscSolver::kAdmm)
    return points + admm_bytes(dimension, num_points, context);
  return points + RidgeInverse::bytes_of_points(dimension, num_points) +
         matrix_bytes(2.0, num_points, num_points);
}

SelfExpression ssc_of_gram(Matrix G, const SscCall& call) {
  const SscOptions& options = call.options;
  const Index n = G.cols();
  const Correlations correlations = correlations_of_gram(G);
  if (options.solver == SscSolver::kActiveSet) {
    return active_set_of_gram(std::move(G), n, correlations, call);
  }
  const double weight = fit_weight(correlations, options.alpha);
  check_solver_memory(ssc_bytes_of_gram(options, n, call.context), call);
  if (options.solver == SscSolver::kOsqp) return ssc_osqp(G, n, weight, call);
  const RidgeInverse ridge =
      RidgeInverse::of_gram(G, weight / penalty(options), options.affine ? n : 0, call.context);
  if (options.solver == SscSolver::kOfficial) {
    return ssc_official({.gram = &G}, ridge, weight, call);
  }
  return ssc_admm({.gram = &G}, n, ridge, weight, call);
}

SelfExpression ssc_of_points(const ConstMatrixRef& X, const SscCall& call) {
  const SscOptions& options = call.options;
  const Index n = X.cols();
  const bool active_set = options.solver == SscSolver::kActiveSet;
  check_solver_memory(ssc_bytes_of_points(options, X.rows(), n, call.context), call);
  if (options.outliers) return with_outliers(X, call);
  if (active_set && !stores_gram(X.rows(), n, call.context)) {
    return active_set_streamed(X, 0.0, correlations_of_points(X, call.context), call);
  }
  if (active_set || options.solver == SscSolver::kOsqp) {
    return ssc_of_gram(linalg::gram(X, call.context), call);
  }
  const double weight = fit_weight(correlations_of_points(X, call.context), options.alpha);
  if (options.solver == SscSolver::kAdmm) return admm_of_atoms(X, n, weight, call);
  return ssc_official({.atoms = &X}, ridge_of_atoms(X, n, weight, call), weight, call);
}

Parameters describe(SscOptions& options) {
  return {
      parameter("alpha", options.alpha,
                "fit weight, as a multiple of the smallest for which every point is represented")
          .above(0)
          .written("alpha"),
      parameter("affine", options.affine, "coefficients sum to one: affine subspaces"),
      parameter("outliers", options.outliers, "gross errors in single coordinates"),
      parameter("outlier_alpha", options.outlier_alpha,
                "decides the weight of gross errors; 0: alpha")
          .at_least(0),
      choice("solver", options.solver, solver_words(),
             "exact by active sets, ADMM or OSQP, or the published iteration, which stops early"),
      parameter("max_rounds", options.max_rounds, "active-set: rounds per point").at_least(1),
      parameter("max_iterations", options.max_iterations, "admm: iterations").at_least(1),
      parameter("tolerance", options.tolerance,
                "largest violation of the optimality conditions that counts as solved")
          .above(0),
  };
}

double solver_bytes(const SscOptions& options, Index dimension, Index num_points,
                    const Context& context) {
  return ssc_bytes_of_points(options, dimension, num_points, context);
}

SelfExpression ssc(const ConstMatrixRef& X, const SscOptions& options, const Context& context) {
  SscOptions checked = options;
  check(describe(checked), "ssc");
  if (options.solver == SscSolver::kOsqp) require_osqp("ssc", "active-set or admm");
  require_finite(X, "ssc");
  // C does not change when all points are scaled alike; at unit scale no inner product overflows.
  const double largest = X.cwiseAbs().maxCoeff();
  Matrix scaled;
  if (largest > 0.0 && (largest < 1e-50 || largest > 1e50)) scaled = X / largest;
  return ssc_of_points(scaled.size() > 0 ? ConstMatrixRef(scaled) : X,
                       {.function = "ssc", .options = options, .context = context});
}

}  // namespace subspace
