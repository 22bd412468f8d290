// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <cmath>

#include <subspace/core/error.h>
#include <subspace/self_expression/elastic_net.h>
#include <subspace/self_expression/smce.h>

#include "self_expression/affine_lasso_column.h"
#include "self_expression/osqp_column.h"
#include "support/kkt.h"
#include "support/random_data.h"
#include "support/smce_problem.h"

namespace subspace {
namespace {

using testing::random_matrix;

double objective(const LassoColumn& problem, const Vector& c) {
  const double linear = problem.linear.size() > 0 ? problem.linear.dot(c) : 0.0;
  return 0.5 * c.dot(problem.H * c) - linear + problem.penalty.dot(c.cwiseAbs());
}

/// OSQP's objective against the active set's on one small random problem, relative to it.
double objective_gap(std::uint64_t seed) {
  RandomStream random = stream(seed, Stream::kTest, 3);
  const Index dimension = 2 + static_cast<Index>(random.below(12));
  const Index points = 6 + static_cast<Index>(random.below(30));
  const double lambda = std::pow(10.0, 4.0 * random.uniform() - 2.0);
  const Matrix X = random_matrix(dimension, points, seed);
  const testing::SmceProblem problem(X, 0, points, lambda);
  const Matrix H = problem.U.transpose() * problem.U;
  AffineLassoColumn exact;
  EXPECT_TRUE(exact.solve(H, problem.penalties));
  Vector ours = Vector::Zero(H.cols());
  for (Index k = 0; k < exact.support_size(); ++k)
    ours(exact.support_index(k)) = exact.support_value(k);
  const OsqpColumn theirs = osqp_column({.H = H, .penalty = problem.penalties, .sum = 1.0});
  EXPECT_TRUE(theirs.solved);
  EXPECT_NEAR(theirs.coefficients.sum(), 1.0, 1e-6);
  const double best = problem.objective(ours);
  return std::abs(problem.objective(theirs.coefficients) - best) / best;
}

TEST(OsqpColumn, AgreesWithTheActiveSetOnTwoHundredProblems) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    EXPECT_LE(objective_gap(seed), 1e-6) << "seed " << seed;
  }
}

/// Lasso columns of a kernel, |c|_1 + weight/2 (k_jj - 2 k_j'c + c'Kc), c_j = 0.
LassoColumn kernel_column(const Matrix& K, Index j, double weight) {
  const Index n = K.cols();
  LassoColumn problem{.H = K, .linear = K.col(j), .penalty = Vector::Constant(n, 1.0 / weight)};
  problem.lower = Vector::Constant(n, -INFINITY);
  problem.upper = Vector::Constant(n, INFINITY);
  problem.lower(j) = 0.0;
  problem.upper(j) = 0.0;
  return problem;
}

TEST(OsqpColumn, SolvesTheLassoColumnsOfSsc) {
  const Matrix X = random_matrix(6, 20, 1);
  const Matrix K = X.transpose() * X;
  const ElasticNetOptions options{.tau = 1.0, .gamma = 30};
  const Matrix C = elastic_net(X, options).coefficients;
  for (Index j = 0; j < 20; j += 4) {
    Vector correlations = K.col(j);
    correlations(j) = 0.0;
    const double weight = options.gamma / correlations.cwiseAbs().maxCoeff();
    const OsqpColumn column = osqp_column(kernel_column(K, j, weight));
    EXPECT_TRUE(column.solved);
    EXPECT_EQ(column.coefficients(j), 0.0);
    EXPECT_LE((column.coefficients - C.col(j)).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_LE(testing::elastic_net_violation(X, j, column.coefficients, options.gamma, 1.0), 1e-4);
  }
}

// The affine column of a kernel: no feasible direction of a coordinate pair lowers the objective.
TEST(OsqpColumn, SolvesTheAffineColumnsOfAKernel) {
  const Matrix X = random_matrix(3, 15, 2);
  Matrix K(15, 15);
  for (Index i = 0; i < 15; ++i) {
    for (Index j = 0; j < 15; ++j) {
      K(i, j) = std::exp(-0.5 * (X.col(i) - X.col(j)).squaredNorm());
    }
  }
  for (Index j = 0; j < 15; j += 3) {
    LassoColumn problem = kernel_column(K, j, 20.0);
    problem.sum = 1.0;
    const Vector c = osqp_column(problem).coefficients;
    EXPECT_NEAR(c.sum(), 1.0, 1e-7);
    const double value = objective(problem, c);
    for (Index a = 0; a < 15; ++a) {
      for (Index b = 0; b < 15; ++b) {
        if (a == b || a == j || b == j) continue;
        for (const double step : {1e-3, 1e-2, 0.1}) {
          Vector moved = c;
          moved(a) += step;
          moved(b) -= step;
          EXPECT_GE(objective(problem, moved), value - 1e-8);
        }
      }
    }
  }
}

TEST(OsqpColumn, KeepsToBounds) {
  const Matrix H = Matrix::Identity(3, 3);
  LassoColumn problem{.H = H,
                      .linear = Vector::Constant(3, 2.0),
                      .penalty = Vector::Constant(3, 0.5),
                      .upper = Vector::Constant(3, 1.0)};
  EXPECT_LE((osqp_column(problem).coefficients - Vector::Ones(3)).cwiseAbs().maxCoeff(), 1e-7);
  problem.upper = {};
  EXPECT_LE((osqp_column(problem).coefficients - Vector::Constant(3, 1.5)).cwiseAbs().maxCoeff(),
            1e-7);
}

TEST(OsqpColumn, StopsWhenCancelled) {
  CancelToken cancel;
  cancel.request();
  const Matrix H = Matrix::Identity(3, 3);
  EXPECT_THROW(osqp_column({.H = H, .penalty = Vector::Ones(3)}, {.cancel = &cancel}), Cancelled);
}

TEST(SmceAgainstOsqp, BothSolversGiveTheSameWeights) {
  const Matrix X = random_matrix(5, 40, 4);
  const SmceOptions options{.neighbors = 15};
  const SmceSolution exact = solve_smce(X, options);
  SmceOptions other = options;
  other.solver = SmceSolver::kOsqp;
  const SmceSolution judged = solve_smce(X, other);
  EXPECT_EQ(num_unconverged(judged.weights.solves), 0);
  EXPECT_LE((Matrix(exact.coefficients) - Matrix(judged.coefficients)).cwiseAbs().maxCoeff(), 1e-5);
  for (const int threads : {1, 2}) {
    const SmceSolution again = solve_smce(X, other, {.num_threads = threads});
    EXPECT_EQ(Matrix(again.coefficients), Matrix(judged.coefficients));
  }
}

}  // namespace
}  // namespace subspace
