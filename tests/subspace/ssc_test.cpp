// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstring>

#include <subspace/core/error.h>
#include <subspace/preprocess/normalize.h>
#include <subspace/self_expression/elastic_net.h>
#include <subspace/self_expression/ssc.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/ssc_oracle.h"
#include "support/tolerances.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using testing::outlier_objectives;
using testing::published_admm;
using testing::random_matrix;
using testing::ssc_objective;
using testing::ssc_violation;
using testing::ssc_weight;
using testing::union_of_subspaces;

Matrix unit(Matrix X) {
  normalize_columns(X);
  return X;
}
Matrix gram(const Matrix& X) { return X.transpose() * X; }
Matrix dense(const SelfExpression& result) { return result.coefficients; }

/// Just less memory than a stored Gram matrix asks for, four times its size.
Context streamed(Index num_atoms) {
  return {.num_threads = 1,
          .max_memory = 4 * num_atoms * num_atoms * static_cast<std::int64_t>(sizeof(double)) - 1};
}
Context streamed(const Matrix& X) { return streamed(X.cols()); }

double largest_difference(const Matrix& A, const Matrix& B) {
  return (A - B).cwiseAbs().maxCoeff();
}

// ---- optimality, recomputed from the data
// ------------------------------------------------------------

struct Setting {
  double alpha;
  bool affine;
};

class SscOptimality : public ::testing::TestWithParam<Setting> {};

TEST_P(SscOptimality, HoldsForEveryPointAndIsWhatTheSolverReports) {
  const auto [alpha, affine] = GetParam();
  const Matrix X = union_of_subspaces(20, 4, 5, 30, 0.1, 1).points;
  const Matrix G = gram(X);
  for (const Context& context : {Context{}, streamed(X)}) {
    const SelfExpression result = ssc(X, {.alpha = alpha, .affine = affine}, context);
    EXPECT_EQ(num_unconverged(result.solves), 0);
    const double violation = ssc_violation(G, dense(result), ssc_weight(G, alpha), affine);
    EXPECT_LE(violation, 1e-7);
    EXPECT_NEAR(violation, max_residual(result.solves), 1e-7);
  }
}

INSTANTIATE_TEST_SUITE_P(Settings, SscOptimality,
                         ::testing::Values(Setting{20, false}, Setting{20, true},
                                           Setting{1.5, false}, Setting{1.5, true},
                                           Setting{0.1, true}, Setting{800, false},
                                           Setting{800, true}));

TEST(Ssc, IsOptimalOnRandomProblemsOfAllShapes) {
  EXPECT_TRUE(rc::check([] {
    const Index dimension = *rc::gen::inRange(1, 25);
    const Index points = *rc::gen::inRange(2, 60);
    const bool affine = *rc::gen::arbitrary<bool>();
    const double alpha = *rc::gen::element(1.1, 5.0, 20.0, 300.0);
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1U << 30);
    Matrix X = random_matrix(dimension, points, seed);
    if (*rc::gen::arbitrary<bool>()) normalize_columns(X);
    if (*rc::gen::arbitrary<bool>()) X.array() += 3.0;  // far from the origin
    const SelfExpression result = ssc(X, {.alpha = alpha, .affine = affine});
    RC_ASSERT(num_unconverged(result.solves) == 0);
    const double weight = ssc_weight(gram(X), alpha);
    RC_ASSERT(ssc_violation(gram(X), dense(result), weight, affine) <= testing::kOptimality);
  }));
}

TEST(Ssc, IsOptimalWhenPointsDependOnOneAnother) {
  for (const bool affine : {false, true}) {
    for (const Index rank : {1, 2, 3}) {
      Matrix X = random_matrix(8, rank, 3) * random_matrix(rank, 40, 4);
      X.col(7) = X.col(3);
      X.col(11) = -X.col(3);
      X.col(12) = X.col(3);
      normalize_columns(X);
      for (const Context& context : {Context{}, streamed(X)}) {
        const SelfExpression result = ssc(X, {.alpha = 50, .affine = affine}, context);
        EXPECT_EQ(num_unconverged(result.solves), 0) << "rank " << rank << ", affine " << affine;
        EXPECT_LE(ssc_violation(gram(X), dense(result), ssc_weight(gram(X), 50), affine),
                  testing::kOptimality);
      }
    }
  }
}

/// g and lambda of ssc() with outliers.
struct OutlierWeights {
  double g;
  double fit;
};
OutlierWeights outlier_weights(const Matrix& X, const SscOptions& options) {
  const double outlier_alpha = options.outlier_alpha > 0.0 ? options.outlier_alpha : options.alpha;
  const double g = outlier_alpha / X.cwiseAbs().colwise().sum().maxCoeff();
  Matrix products(X.cols() + X.rows(), X.cols());
  products << gram(X), X / g;
  return {g, ssc_weight(products, options.alpha)};
}

double outlier_objective(const Matrix& X, const Matrix& C, const SscOptions& options) {
  const auto [g, weight] = outlier_weights(X, options);
  return outlier_objectives(X, C, g, weight).sum();
}

/// The points' part is optimal if the rest of the dictionary [X, I/g], given it, is: that is the
/// soft threshold of what is left of the point.
double outlier_violation(const Matrix& X, const Matrix& C, const SscOptions& options) {
  const auto [g, weight] = outlier_weights(X, options);
  const Index n = X.cols();
  const Matrix G = gram(X);
  const Matrix rest = X - X * C;
  const Matrix E = testing::soft(rest, g / weight);
  double largest = 0.0;
  for (Index j = 0; j < n; ++j) {
    // With e fixed the point x_j - e is represented: q = X'(x_j - e - X c).
    const Vector q = X.transpose() * (rest.col(j) - E.col(j));
    Matrix moved = G;
    moved.col(j) += q - (G.col(j) - G * C.col(j));  // ssc_violation looks at K_j - K c, and c_j = 0
    largest = std::max(largest, ssc_violation(moved, j, C.col(j), weight, options.affine));
  }
  return largest;
}

TEST(Ssc, WithOutliersIsOptimalOverTheExtendedDictionary) {
  EXPECT_TRUE(rc::check([] {
    const Index d = *rc::gen::inRange(1, 15);
    const Index n = *rc::gen::inRange(2, 30);
    const bool affine = *rc::gen::arbitrary<bool>();
    const double alpha = *rc::gen::element(3.0, 20.0);
    const double outlier_alpha = *rc::gen::element(0.0, 1.0, 60.0);
    const Matrix X = random_matrix(d, n, *rc::gen::inRange<std::uint64_t>(0, 1U << 30));
    const SscOptions options{
        .alpha = alpha, .affine = affine, .outliers = true, .outlier_alpha = outlier_alpha};
    const SelfExpression result = ssc(X, options);
    RC_ASSERT(num_unconverged(result.solves) == 0);
    RC_ASSERT(outlier_violation(X, dense(result), options) <= testing::kOptimality);
  }));
}

// ---- two ways to one answer
// --------------------------------------------------------------------------

TEST(Ssc, OfTheWeakestPointIsTheLassoEndOfTheElasticNet) {
  const Matrix X = random_matrix(10, 40, 2);
  Matrix G = gram(X).cwiseAbs();
  G.diagonal().setZero();
  Index weakest = 0;
  G.colwise().maxCoeff().minCoeff(&weakest);
  const Matrix lasso = elastic_net(X, {.tau = 1.0, .gamma = 20}).coefficients;
  EXPECT_LE(largest_difference(dense(ssc(X)).col(weakest), lasso.col(weakest)), 1e-10);
}

TEST(Ssc, StreamedAndStoredGramAgree) {
  const Matrix X = unit(union_of_subspaces(15, 3, 4, 50, 0.05, 2).points);
  for (const bool affine : {false, true}) {
    EXPECT_LE(largest_difference(dense(ssc(X, {.affine = affine})),
                                 dense(ssc(X, {.affine = affine}, streamed(X)))),
              1e-9);
  }
}

/// So many points that the workspaces of streaming fit into less than a stored Gram matrix asks
/// for.
TEST(Ssc, WithOutliersStreamedAndStoredGramAgree) {
  EXPECT_TRUE(rc::check([] {
    const Index d = *rc::gen::inRange(1, 12);
    const Index n = *rc::gen::inRange(150, 300);
    const SscOptions options{.alpha = *rc::gen::element(3.0, 20.0),
                             .affine = *rc::gen::arbitrary<bool>(),
                             .outliers = true,
                             .outlier_alpha = *rc::gen::element(0.0, 1.0, 60.0)};
    Matrix X = random_matrix(d, n, *rc::gen::inRange<std::uint64_t>(0, 1U << 30));
    if (*rc::gen::arbitrary<bool>()) X.array() += 3.0;  // far from the origin
    const double best = outlier_objective(X, dense(ssc(X, options)), options);
    const SelfExpression result = ssc(X, options, streamed(n + d));
    RC_ASSERT(num_unconverged(result.solves) == 0);
    RC_ASSERT(outlier_violation(X, dense(result), options) <= testing::kOptimality);
    // Not the coefficients: with the affine constraint there are many solutions of equal worth.
    RC_ASSERT(std::abs(outlier_objective(X, dense(result), options) / best - 1.0) <= 1e-9);
  }));
}

TEST(Ssc, AdmmReachesTheObjectiveOfTheActiveSet) {
  for (const Index dimension : {6, 30}) {  // low rank and full inverse
    const Matrix X = unit(union_of_subspaces(dimension, 3, 3, 15, 0.1, 3).points);
    const Matrix G = gram(X);
    const double weight = ssc_weight(G, 20);
    for (const bool affine : {false, true}) {
      const SelfExpression exact = ssc(X, {.affine = affine});
      const SelfExpression admm = ssc(X, {.affine = affine, .solver = SscSolver::kAdmm});
      EXPECT_EQ(num_unconverged(admm.solves), 0);
      EXPECT_LE(ssc_violation(G, dense(admm), weight, affine), testing::kOptimality);
      EXPECT_NEAR(ssc_objective(G, dense(admm), weight) / ssc_objective(G, dense(exact), weight),
                  1.0, 1e-6);
    }
  }
}

/// The certificate is that of all atoms: OutlierWeights and the soft threshold know nothing of the
/// coordinates' coefficients that the iteration ended with.
TEST(Ssc, AdmmWithOutliersReachesTheObjectiveOfTheActiveSet) {
  for (const Index dimension : {6, 60}) {  // low rank and full inverse
    const Matrix X = unit(union_of_subspaces(dimension, 3, 3, 15, 0.1, 3).points);
    for (const bool affine : {false, true}) {
      for (const double outlier_alpha : {0.0, 5.0}) {
        SscOptions options{.affine = affine, .outliers = true, .outlier_alpha = outlier_alpha};
        const double best = outlier_objective(X, dense(ssc(X, options)), options);
        options.solver = SscSolver::kAdmm;
        options.max_iterations = 100000;
        const SelfExpression admm = ssc(X, options);
        EXPECT_EQ(num_unconverged(admm.solves), 0) << max_residual(admm.solves);
        EXPECT_LE(outlier_violation(X, dense(admm), options), testing::kOptimality);
        EXPECT_NEAR(outlier_objective(X, dense(admm), options) / best, 1.0, 1e-6);
      }
    }
  }
}

struct PublishedCase {
  Index dimension;
  Index points;
  bool affine;
  bool outliers;
};

class SscOfficial : public ::testing::TestWithParam<PublishedCase> {};

TEST_P(SscOfficial, IsThePublishedIteration) {
  const auto [dimension, points, affine, outliers] = GetParam();
  for (const double alpha : {5.0, 20.0}) {
    const Matrix X = 10.0 * random_matrix(dimension, points, 4).cwiseAbs();
    const testing::PublishedResult expected = published_admm(X, alpha, affine, outliers);
    const SelfExpression result = ssc(
        X,
        {.alpha = alpha, .affine = affine, .outliers = outliers, .solver = SscSolver::kOfficial});
    ASSERT_EQ(result.solves.size(), 1U);
    EXPECT_EQ(result.solves[0].iterations, expected.iterations);
    EXPECT_NEAR(result.solves[0].stopping_error, expected.error, 1e-8);
    EXPECT_EQ(result.solves[0].converged(), expected.error <= 2e-4);
    EXPECT_LE(largest_difference(dense(result), expected.C), 1e-8) << "alpha " << alpha;
  }
}

/// The stopping rule does not look at the optimality conditions; the residual does, and is that of
/// the coefficients returned whatever the iteration thinks of them.
TEST_P(SscOfficial, TellsHowFarItIsFromASolution) {
  const auto [dimension, points, affine, outliers] = GetParam();
  for (const double alpha : {5.0, 20.0}) {
    const Matrix X = 10.0 * random_matrix(dimension, points, 4).cwiseAbs();
    const testing::PublishedResult expected = published_admm(X, alpha, affine, outliers);
    const SelfExpression result = ssc(
        X,
        {.alpha = alpha, .affine = affine, .outliers = outliers, .solver = SscSolver::kOfficial});
    const double g = alpha / X.cwiseAbs().colwise().sum().maxCoeff();
    const double violation =
        outliers ? testing::noiseless_violation(X, dense(result), expected.E, expected.Y, g, affine)
                 : ssc_violation(gram(X), dense(result), ssc_weight(gram(X), alpha), affine);
    EXPECT_GT(violation, 1e-6) << "a solution after all";
    EXPECT_NEAR(result.solves[0].residual, violation, 1e-6 * (1.0 + violation));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, SscOfficial,
    ::testing::Values(PublishedCase{20, 30, false, false}, PublishedCase{20, 30, true, false},
                      PublishedCase{5, 80, false, false}, PublishedCase{5, 80, true, false},
                      PublishedCase{20, 30, false, true}, PublishedCase{20, 30, true, true},
                      PublishedCase{5, 70, false, true}, PublishedCase{5, 70, true, true}));

// ---- invariances
// -------------------------------------------------------------------------------------

TEST(Ssc, DoesNotDependOnRotationOrScaleAndFollowsOrder) {
  const Matrix X = unit(union_of_subspaces(12, 3, 3, 20, 0.1, 6).points);
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random_matrix(12, 12, 7)).householderQ();
  for (const bool affine : {false, true}) {
    const SscOptions options{.affine = affine};
    const Matrix C = dense(ssc(X, options));
    EXPECT_LE(largest_difference(dense(ssc(Q * X, options)), C), 1e-9);
    for (const double scale : {1e-150, 1e-20, 3.0, 1e150}) {
      EXPECT_LE(largest_difference(dense(ssc(scale * X, options)), C), 1e-9) << scale;
    }
    const Matrix reversed = dense(ssc(X.rowwise().reverse(), options));
    EXPECT_LE(largest_difference(reversed.reverse(), C), 1e-9);
  }
}

/// Points inside the hull of others have many solutions, so what is compared is their worth.
TEST(Ssc, AffineDoesNotDependOnTheOrigin) {
  const Matrix X = random_matrix(4, 40, 8);
  Matrix moved = X;
  moved.colwise() += random_matrix(4, 1, 9).col(0);
  // One weight for both: the rule for it does depend on the origin.
  const double weight = ssc_weight(gram(X), 20);
  const double alpha = weight / ssc_weight(gram(moved), 1);
  const Matrix C = dense(ssc(moved, {.alpha = alpha, .affine = true}));
  EXPECT_LE(ssc_violation(gram(X), C, weight, true), 1e-8);
}

void expect_same_bytes(const SparseMatrix& a, const SparseMatrix& b) {
  ASSERT_EQ(a.nonZeros(), b.nonZeros());
  const auto bytes = static_cast<std::size_t>(a.nonZeros()) * sizeof(double);
  EXPECT_EQ(std::memcmp(a.valuePtr(), b.valuePtr(), bytes), 0);
}

TEST(Ssc, GivesTheSameBytesForAnyNumberOfThreads) {
  const Matrix X = union_of_subspaces(20, 4, 5, 30, 0.1, 8).points;
  const SscOptions all[] = {
      {},
      {.affine = true},
      {.outliers = true},
      {.affine = true, .solver = SscSolver::kAdmm, .max_iterations = 60},
      {.affine = true, .outliers = true, .solver = SscSolver::kAdmm, .max_iterations = 60},
      {.solver = SscSolver::kOfficial},
      {.outliers = true, .solver = SscSolver::kOfficial}};
  for (const SscOptions& options : all) {
    const SelfExpression one = ssc(X, options, {.num_threads = 1});
    for (const int threads : {2, 4}) {
      const SelfExpression many = ssc(X, options, {.num_threads = threads});
      expect_same_bytes(one.coefficients, many.coefficients);
    }
  }
}

/// The Gram matrix of points and coordinates takes more than the workspaces of one thread, and less
/// than those of two; both fit.
TEST(Ssc, StreamsOrNotForAnyNumberOfThreads) {
  const Matrix X = union_of_subspaces(50, 4, 5, 80, 0.1, 8).points;
  const SscOptions options{.outliers = true};
  const auto solve = [&](int threads) {
    return ssc(X, options, {.num_threads = threads, .max_memory = 5'000'000}).coefficients;
  };
  expect_same_bytes(solve(1), solve(2));
}

// ---- known worlds
// ------------------------------------------------------------------------------------

TEST(Ssc, UsesOnlyItsOwnSubspaceWhenSubspacesAreOrthogonal) {
  Matrix X = Matrix::Zero(12, 60);
  for (Index k = 0; k < 3; ++k)
    X.block(4 * k, 20 * k, 4, 20) = random_matrix(4, 20, static_cast<std::uint64_t>(k));
  for (const SscSolver solver : {SscSolver::kActiveSet, SscSolver::kAdmm, SscSolver::kOfficial}) {
    const SparseMatrix C = ssc(unit(X), {.solver = solver}).coefficients;
    EXPECT_GT(C.nonZeros(), 60);
    for (Index j = 0; j < C.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator entry(C, j); entry; ++entry)
        EXPECT_EQ(entry.row() / 20, j / 20);
    }
  }
}

TEST(Ssc, AffineTakesTheMiddleOfALineFromItsEnds) {
  const Matrix X{{1.0, 2.0, 3.0}};
  for (const double alpha : {0.5, 20.0, 1000.0}) {
    const Matrix C = dense(ssc(X, {.alpha = alpha, .affine = true}));
    EXPECT_NEAR(C(0, 1), 0.5, 1e-12);
    EXPECT_NEAR(C(2, 1), 0.5, 1e-12);
  }
}

TEST(Ssc, WithOutliersPassesOverABrokenCoordinate) {
  Matrix X = union_of_subspaces(30, 2, 2, 20, 0.0, 10).points;
  X(7, 3) += 10.0;
  const auto share_within = [&](const SscOptions& options) {
    const Vector c = dense(ssc(X, options)).col(3).cwiseAbs();
    return c.head(20).sum() / c.sum();
  };
  EXPECT_LE(share_within({.alpha = 50}), 0.9);
  EXPECT_GE(share_within({.alpha = 50, .outliers = true}), 0.99);
}

TEST(Ssc, HasNoZeroColumnJustAboveOne) {
  const Matrix X = random_matrix(10, 20, 9);
  const SparseMatrix above = ssc(X, {.alpha = 1.0001}).coefficients;
  for (Index j = 0; j < X.cols(); ++j) EXPECT_GE(above.col(j).nonZeros(), 1) << j;
  Index empty = 0;
  const SparseMatrix below = ssc(X, {.alpha = 0.9999}).coefficients;
  for (Index j = 0; j < X.cols(); ++j) empty += below.col(j).nonZeros() == 0 ? 1 : 0;
  EXPECT_EQ(empty, 1);
}

// ---- edges and refusals
// ------------------------------------------------------------------------------

std::vector<Matrix> degenerate_data(Index dimension, Index points) {
  Matrix zeros = Matrix::Zero(dimension, points);
  Matrix constant = Matrix::Constant(dimension, points, 2.0);
  Matrix rank_one = random_matrix(dimension, 1, 1) * random_matrix(1, points, 2);
  Matrix with_zeros = random_matrix(dimension, points, 3);
  for (Index j = 0; j < points; j += 2) with_zeros.col(j).setZero();
  Matrix duplicates = random_matrix(dimension, points, 4);
  for (Index j = 1; j < points; j += 2) duplicates.col(j) = duplicates.col(j - 1);
  return {zeros,
          constant,
          rank_one,
          with_zeros,
          duplicates,
          Matrix::Identity(dimension, points),
          1e150 * with_zeros,
          1e-150 * duplicates};
}

TEST(Ssc, HasAResultForDegenerateData) {
  for (const Index points : {1, 2, 7, 50}) {
    for (const Index dimension : {1, 5, 100}) {
      const std::vector<Matrix> worlds = degenerate_data(dimension, points);
      for (std::size_t world = 0; world < worlds.size(); ++world) {
        for (int kind = 0; kind < 12; ++kind) {
          const SscOptions options{
              .affine = kind % 2 == 1,
              .outliers = kind >= 6,
              .solver = std::array{SscSolver::kActiveSet, SscSolver::kAdmm, SscSolver::kOfficial,
                                   SscSolver::kActiveSet, SscSolver::kAdmm,
                                   SscSolver::kOfficial}[static_cast<std::size_t>(kind / 2)],
              .max_iterations = 40};
          const SelfExpression result = ssc(worlds[world], options);
          const Matrix C = dense(result);
          const bool exact = options.solver == SscSolver::kActiveSet;
          EXPECT_TRUE(C.allFinite());
          EXPECT_EQ(C.diagonal().cwiseAbs().maxCoeff(), 0.0);
          EXPECT_TRUE(std::isfinite(max_residual(result.solves)));
          if (exact && (points > 1 || !options.affine)) {
            EXPECT_EQ(num_unconverged(result.solves), 0)
                << dimension << " x " << points << ", world " << world << ", kind " << kind << ": "
                << max_residual(result.solves);
          }
        }
      }
    }
  }
}

TEST(Ssc, OrthogonalPointsDoNotDecideTheWeight) {
  const Matrix X = random_matrix(5, 20, 11);
  Matrix extended = Matrix::Zero(7, 22);
  extended.topLeftCorner(5, 20) = X;
  extended(5, 20) = 1.0;  // orthogonal to all others; the last one is zero
  const Matrix C = dense(ssc(extended));
  EXPECT_LE(largest_difference(C.topLeftCorner(20, 20), dense(ssc(X))), 1e-10);
  EXPECT_EQ(C.rightCols(2).cwiseAbs().maxCoeff(), 0.0);
}

TEST(Ssc, AffineOfASinglePointHasNoSolution) {
  const SelfExpression result = ssc(Matrix::Ones(3, 1), {.affine = true});
  EXPECT_EQ(result.coefficients.nonZeros(), 0);
  EXPECT_FALSE(result.solves[0].converged());
  EXPECT_EQ(result.solves[0].residual, 1.0);
}

TEST(Ssc, StopsHonestlyAtItsLimits) {
  const Matrix X = unit(random_matrix(40, 120, 12));
  const Matrix G = gram(X);
  const SelfExpression admm = ssc(X, {.solver = SscSolver::kAdmm, .max_iterations = 7});
  EXPECT_GT(num_unconverged(admm.solves), 0);
  EXPECT_EQ(admm.solves[0].iterations, 7);
  EXPECT_NEAR(max_residual(admm.solves), ssc_violation(G, dense(admm), ssc_weight(G, 20), false),
              1e-9);
  const SelfExpression active = ssc(X, {.alpha = 300, .max_rounds = 1});
  EXPECT_GT(num_unconverged(active.solves), 0);
  EXPECT_NEAR(max_residual(active.solves),
              ssc_violation(G, dense(active), ssc_weight(G, 300), false), 1e-7);
}

TEST(Ssc, RefusesOptionsOutOfRangeAndBadData) {
  const Matrix X = random_matrix(3, 4, 13);
  const auto refusal = [&](const SscOptions& options) {
    return testing::message_of<InvalidArgument>([&] { ssc(X, options); });
  };
  EXPECT_EQ(refusal({.alpha = 0.0}), "ssc: alpha = 0, must satisfy alpha > 0");
  EXPECT_EQ(refusal({.outlier_alpha = -1.0}),
            "ssc: outlier_alpha = -1, must satisfy outlier_alpha >= 0");
  EXPECT_EQ(refusal({.max_iterations = 0}),
            "ssc: max_iterations = 0, must satisfy max_iterations >= 1");
#ifndef SUBSPACE_WITH_OSQP
  EXPECT_EQ(refusal({.solver = SscSolver::kOsqp}),
            "ssc: solver = osqp, but this build has no OSQP; use active-set or admm");
#endif
  Matrix broken = X;
  broken(1, 2) = std::nan("");
  EXPECT_THROW(ssc(broken), DataError);
  EXPECT_THROW(ssc(Matrix(3, 0)), DataError);
}

TEST(Ssc, RefusesWhatDoesNotFitIntoMemory) {
  const Matrix X = random_matrix(10, 300, 15);
  const Context small{.num_threads = 1, .max_memory = 1000};
  EXPECT_EQ(
      testing::message_of<ResourceError>([&] { ssc(X, {.solver = SscSolver::kOfficial}, small); }),
      "ssc: needs about 0.00149 GB of memory, 1e-06 GB allowed; use solver active-set");
  EXPECT_THROW(ssc(X, {.solver = SscSolver::kAdmm}, small), ResourceError);
  EXPECT_THROW(ssc(X, {.outliers = true}, small), ResourceError);
  EXPECT_THROW(ssc(X, {}, small), ResourceError);
}

TEST(Ssc, StopsWhenCancelled) {
  CancelToken cancel;
  cancel.request();
  const Matrix X = random_matrix(5, 100, 13);
  for (const SscSolver solver : {SscSolver::kActiveSet, SscSolver::kAdmm, SscSolver::kOfficial}) {
    EXPECT_THROW(ssc(X, {.solver = solver}, {.cancel = &cancel}), Cancelled);
  }
}

}  // namespace
}  // namespace subspace
