// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include <subspace/core/error.h>
#include <subspace/diagnostics/representation.h>
#include <subspace/preprocess/normalize.h>
#include <subspace/self_expression/elastic_net.h>

#include "support/message_of.h"
#include "support/random_data.h"
#include "support/union_of_subspaces.h"

namespace subspace {
namespace {

using testing::random_labels;
using testing::random_matrix;

/// About a third of the entries of a random matrix.
Matrix random_coefficients(Index n, std::uint64_t seed) {
  Matrix C = random_matrix(n, n, seed);
  return (C.array().abs() > 1.0).select(C, 0.0);
}

/// Second-smallest eigenvalue of the normalised Laplacian of a dense graph, by its definition.
double laplacian_gap(const Matrix& W) {
  const Vector degrees = W.rowwise().sum();
  if ((degrees.array() == 0.0).any()) return 0.0;
  const Vector inverse = degrees.cwiseSqrt().cwiseInverse();
  const Matrix L = Matrix::Identity(W.rows(), W.cols()) -
                   Matrix(inverse.asDiagonal() * W * inverse.asDiagonal());
  return Eigen::SelfAdjointEigenSolver<Matrix>(L).eigenvalues()(1);
}

// Whatever comes after it.
TEST(MaxResidual, NaNIsNoSmallOne) {
  const double nan = std::nan("");
  const auto of = [](std::initializer_list<double> residuals) {
    std::vector<SolveInfo> solves;
    for (const double residual : residuals) solves.push_back({.residual = residual});
    return max_residual(solves);
  };
  EXPECT_EQ(of({0.5, 2.0, 1.0}), 2.0);
  for (const auto& residuals :
       {std::initializer_list<double>{nan, 1.0}, {1.0, nan, 0.5}, {1.0, nan}}) {
    EXPECT_TRUE(std::isnan(of(residuals)));
  }
}

TEST(Representation, AgreesWithTheDefinitionsOnRandomCoefficients) {
  EXPECT_TRUE(rc::check([] {
    const Index n = *rc::gen::inRange(2, 40);
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1U << 30);
    const Labels labels = random_labels(n, 3, seed);
    Matrix C = random_coefficients(n, seed);
    const PreservingError error = subspace_preserving_error(C, labels);
    const Connectivity connectivity = class_connectivity(C, labels);
    C.diagonal().setZero();
    for (Index j = 0; j < n; ++j) {
      double foreign = 0.0;
      for (Index i = 0; i < n; ++i) {
        if (labels[i] != labels[j]) foreign += std::abs(C(i, j));
      }
      const double mass = C.col(j).lpNorm<1>();
      if (mass == 0.0) {
        RC_ASSERT(std::isnan(error.columns(j)));
      } else {
        RC_ASSERT(std::abs(error.columns(j) - foreign / mass) <= 1e-12);
      }
    }
    for (std::size_t k = 0; k < connectivity.classes.size(); ++k) {
      std::vector<Index> members;
      for (Index j = 0; j < n; ++j) {
        if (labels[j] == connectivity.classes[k]) members.push_back(j);
      }
      const double value = connectivity.values(static_cast<Index>(k));
      if (members.size() < 2) {
        RC_ASSERT(std::isnan(value));
        continue;
      }
      const Matrix block = C(members, members).cwiseAbs();
      RC_ASSERT(std::abs(value - laplacian_gap(block + block.transpose())) <= 1e-8);
    }
  }));
}

TEST(Representation, SparseAndDenseAgree) {
  const Labels labels = random_labels(60, 4, 1);
  const Matrix C = random_coefficients(60, 2);
  const SparseMatrix S = C.sparseView();
  EXPECT_EQ(subspace_preserving_error(C, labels).mean, subspace_preserving_error(S, labels).mean);
  EXPECT_EQ(class_connectivity(C, labels).values, class_connectivity(S, labels).values);
  for (const double negligible : {0.0, 0.5}) {
    EXPECT_EQ(sparsity(C, negligible).mean, sparsity(S, negligible).mean);
    EXPECT_EQ(sparsity(C, negligible).maximum, sparsity(S, negligible).maximum);
  }
  const RepresentationReport report = report_representation(SelfExpression{S, {}}, labels);
  const RepresentationReport dense = report_representation(DenseSelfExpression{C, {}}, labels);
  EXPECT_EQ(report.preserving_error.mean, dense.preserving_error.mean);
  EXPECT_EQ(report.connectivity.mean, dense.connectivity.mean);
  EXPECT_EQ(report.sparsity.mean, dense.sparsity.mean);
}

// ---- known worlds

TEST(Representation, IndependentSubspacesArePreserved) {
  auto world = testing::union_of_subspaces(30, 3, 4, 25, 0.0, 3);
  normalize_columns(world.points);
  const SelfExpression found = elastic_net(world.points, {.tau = 1.0, .gamma = 200});
  const RepresentationReport report = report_representation(found, world.labels);
  EXPECT_LE(report.preserving_error.mean, 1e-9);
  EXPECT_GT(report.connectivity.minimum, 0.0);
  EXPECT_LE(report.connectivity.minimum, report.connectivity.mean);
  EXPECT_LE(report.sparsity.maximum, 3 + 1);
  EXPECT_EQ(report.sparsity.num_empty, 0);
  // Against labels that have nothing to do with it three quarters of the mass are foreign.
  const Labels other = random_labels(100, 4, 4);
  EXPECT_NEAR(subspace_preserving_error(found.coefficients, other).mean, 0.75, 0.1);
}

TEST(Representation, ConnectivityOfKnownGraphs) {
  // A complete graph of n has eigenvalues 0 and n/(n - 1), a path of two 0 and 2; two pairs in one
  // class fall apart.
  Matrix C = Matrix::Zero(12, 12);
  C.topLeftCorner(5, 5).setOnes();
  C(5, 6) = -3.0;
  C(7, 8) = C(9, 10) = 1.0;
  const Labels labels{0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 9};
  const Connectivity connectivity = class_connectivity(C, labels);
  ASSERT_EQ(connectivity.classes, (Labels{0, 1, 2, 9}));
  EXPECT_NEAR(connectivity.values(0), 1.25, 1e-12);
  EXPECT_NEAR(connectivity.values(1), 2.0, 1e-12);
  EXPECT_EQ(connectivity.values(2), 0.0);
  EXPECT_TRUE(std::isnan(connectivity.values(3)));
  EXPECT_EQ(connectivity.minimum, 0.0);
  EXPECT_NEAR(connectivity.mean, 3.25 / 3, 1e-12);
}

TEST(Representation, CountsCoefficients) {
  Matrix C(3, 3);
  C << 5, 1, 0, 2, 0, 0, 1, 0.5, 7;  // the diagonal does not count
  const Sparsity exact = sparsity(C);
  EXPECT_NEAR(exact.mean, 4.0 / 3, 1e-15);
  EXPECT_EQ(exact.maximum, 2);
  EXPECT_EQ(exact.num_empty, 1);
  EXPECT_NEAR(sparsity(C, 0.5).mean, 2.0 / 3, 1e-15);
}

// ---- edges and refusals

TEST(Representation, TakesZeroAndHugeCoefficients) {
  const Labels labels{0, 0, 1, 1};
  const PreservingError none = subspace_preserving_error(Matrix::Zero(4, 4), labels);
  EXPECT_TRUE(std::isnan(none.mean));
  EXPECT_EQ(class_connectivity(Matrix::Zero(4, 4), labels).mean, 0.0);
  EXPECT_EQ(sparsity(Matrix::Zero(4, 4)).num_empty, 4);
  for (const double scale : {1e-300, 1e308}) {
    const Matrix C = Matrix::Constant(4, 4, scale);
    EXPECT_NEAR(subspace_preserving_error(C, labels).mean, 2.0 / 3, 1e-12);
    EXPECT_NEAR(class_connectivity(C, labels).minimum, 2.0, 1e-12);
  }
  EXPECT_TRUE(std::isnan(class_connectivity(Matrix::Zero(1, 1), {3}).mean));
}

TEST(Representation, RefusesWhatIsNoRepresentation) {
  using testing::message_of;
  EXPECT_EQ(message_of<DataError>([] { sparsity(Matrix::Zero(2, 3)); }),
            "sparsity: C is 2 x 3, must be square and not empty");
  EXPECT_EQ(message_of<DataError>([] { subspace_preserving_error(Matrix::Zero(2, 2), {1}); }),
            "subspace_preserving_error: 1 labels and 2 columns, must be as many");
  Matrix broken = Matrix::Zero(2, 2);
  broken(1, 0) = std::nan("");
  EXPECT_EQ(message_of<DataError>([&] {
              class_connectivity(broken, {0, 1});
            }),
            "class_connectivity: C(1, 0) is not finite");
  EXPECT_EQ(message_of<InvalidArgument>([] { sparsity(Matrix::Zero(2, 2), 1.0); }),
            "sparsity: negligible = 1, must satisfy 0 <= negligible < 1");
  EXPECT_THROW(
      class_connectivity(Matrix::Ones(50, 50), random_labels(50, 1, 0), {.max_memory = 1000}),
      ResourceError);
}

}  // namespace
}  // namespace subspace
