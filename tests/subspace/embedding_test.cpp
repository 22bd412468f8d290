// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include <subspace/core/error.h>
#include <subspace/core/random.h>
#include <subspace/spectral/components.h>
#include <subspace/spectral/embedding.h>

namespace subspace {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kRounding = 1e-12;

using Triplets = std::vector<Eigen::Triplet<double>>;

SparseMatrix from_triplets(Index n, const Triplets& entries) {
  SparseMatrix W(n, n);
  W.setFromTriplets(entries.begin(), entries.end());
  return W;
}

void add_edge(Triplets& entries, Index i, Index j, double w) {
  entries.emplace_back(static_cast<int>(i), static_cast<int>(j), w);
  entries.emplace_back(static_cast<int>(j), static_cast<int>(i), w);
}

void add_ring(Triplets& entries, Index first, Index n) {
  for (Index i = 0; i < n; ++i) add_edge(entries, first + i, first + (i + 1) % n, 1.0);
}

void add_clique(Triplets& entries, Index first, Index n) {
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) add_edge(entries, first + i, first + j, 1.0);
  }
}

SparseMatrix ring(Index n) {
  Triplets entries;
  add_ring(entries, 0, n);
  return from_triplets(n, entries);
}

/// Each pair of points is joined with the given chance.
SparseMatrix random_graph(Index n, double chance, std::uint64_t seed) {
  RandomStream random = stream(seed, Stream::kTest);
  Triplets entries;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) {
      if (random.uniform() < chance) add_edge(entries, i, j, 0.1 + random.uniform());
    }
  }
  return from_triplets(n, entries);
}

/// The points of a noisy curve joined to those near them on it: eigenvalues crowd at 1.
SparseMatrix band_graph(Index n, Index width, std::uint64_t seed) {
  RandomStream random = stream(seed, Stream::kTest);
  Triplets entries;
  for (Index i = 0; i < n; ++i) {
    for (Index step = 1; step <= width && i + step < n; ++step) {
      add_edge(entries, i, i + step, 0.1 + random.uniform());
    }
  }
  return from_triplets(n, entries);
}

/// D^-1/2 W D^-1/2 from the definition, loops ignored.
Matrix normalized_adjacency(const SparseMatrix& W, bool loops = false) {
  Matrix A = W;
  if (!loops) A.diagonal().setZero();
  const Vector degrees = A.rowwise().sum();
  const Vector scale =
      degrees.unaryExpr([](double d) { return d > 0.0 ? 1.0 / std::sqrt(d) : 0.0; });
  return scale.asDiagonal() * A * scale.asDiagonal();
}

/// Eigenvalues of all of A except the zeros of isolated vertices, decreasing.
Vector dense_spectrum(const SparseMatrix& W) {
  const Matrix A = normalized_adjacency(W);
  std::vector<Index> used;
  for (Index v = 0; v < A.cols(); ++v) {
    if (A.col(v).sum() > 0.0) used.push_back(v);
  }
  const Matrix connected = A(used, used);
  return Eigen::SelfAdjointEigenSolver<Matrix>(connected).eigenvalues().reverse();
}

const EmbeddingOptions kUnscaled{.scale = EmbeddingScale::kNone};

/// The rows of an unscaled embedding are orthonormal eigenvectors in the order claimed, and the
/// residual claimed is the true one.
void expect_eigenvectors(const SparseMatrix& W, const Embedding& embedding,
                         double tolerance = 1e-8) {
  const Matrix A = normalized_adjacency(W, embedding.loops);
  const Matrix U = embedding.points.transpose();
  const Matrix identity = Matrix::Identity(U.cols(), U.cols());
  EXPECT_LT((U.transpose() * U - identity).cwiseAbs().maxCoeff(), kRounding);
  const Matrix residuals = A * U - U * embedding.eigenvalues.asDiagonal();
  const double largest = residuals.colwise().norm().maxCoeff();
  EXPECT_LE(largest, tolerance);
  EXPECT_NEAR(embedding.info.residual, largest, 1e-13);
  EXPECT_TRUE(embedding.info.converged());
  for (Index r = 0; r < U.cols(); ++r) {
    if (r > 0) {
      EXPECT_GE(embedding.eigenvalues[r - 1], embedding.eigenvalues[r]);
    }
    Index first_largest = 0;
    U.col(r).cwiseAbs().maxCoeff(&first_largest);
    EXPECT_GT(U(first_largest, r), 0.0);
  }
}

void expect_leading_spectrum(const SparseMatrix& W, const Embedding& embedding) {
  const Vector expected = dense_spectrum(W).head(embedding.eigenvalues.size());
  EXPECT_LT((embedding.eigenvalues - expected).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(SpectralEmbedding, LanczosAgreesWithTheDenseSolver) {
  for (const Index n : {201, 250, 300}) {
    for (const Index k : {2, 7, 20}) {
      for (const SparseMatrix& W : {random_graph(n, 0.2, 1), band_graph(n, 3, 2)}) {
        const Embedding embedding = spectral_embedding(W, static_cast<int>(k), kUnscaled);
        EXPECT_EQ(embedding.solver, "lanczos");
        EXPECT_THAT(embedding.warnings, IsEmpty());
        expect_eigenvectors(W, embedding);
        expect_leading_spectrum(W, embedding);
      }
    }
  }
}

TEST(SpectralEmbedding, SmallGraphsAndLargeSharesGoToTheDenseSolver) {
  for (const auto& [n, k] : std::vector<std::pair<Index, int>>{{40, 5}, {200, 30}, {250, 100}}) {
    const SparseMatrix W = random_graph(n, 0.3, 3);
    const Embedding embedding = spectral_embedding(W, k, kUnscaled);
    EXPECT_EQ(embedding.solver, "dense");
    EXPECT_EQ(embedding.info.iterations, 0);
    expect_eigenvectors(W, embedding);
    expect_leading_spectrum(W, embedding);
  }
}

TEST(SpectralEmbedding, IsDoneByItsOwnToleranceOnLargerGraphs) {
  const SparseMatrix dense_graph = random_graph(700, 0.08, 4);
  const SparseMatrix curve = band_graph(1500, 4, 5);
  for (const SparseMatrix& W : {dense_graph, curve}) {
    const Embedding embedding = spectral_embedding(W, 12, kUnscaled);
    EXPECT_EQ(embedding.solver, "lanczos");
    EXPECT_GT(embedding.info.iterations, 0);
    expect_eigenvectors(W, embedding);
  }
}

/// Eigenvalues cos(2 pi j / n), all but 1 (and -1) twice: inside one component.
TEST(SpectralEmbedding, FindsBothCopiesOfTheEigenvaluesOfARing) {
  for (const auto& [n, k] : std::vector<std::pair<Index, int>>{
           {3, 3}, {72, 20}, {72, 72}, {201, 9}, {500, 40}, {1440, 20}}) {
    const SparseMatrix W = ring(n);
    const Embedding embedding = spectral_embedding(W, k, kUnscaled);
    for (int j = 0; j < k; ++j) {
      const double angle = 2.0 * std::numbers::pi * ((j + 1) / 2) / static_cast<double>(n);
      EXPECT_NEAR(embedding.eigenvalues[j], std::cos(angle), kRounding) << n << " " << j;
    }
    expect_eigenvectors(W, embedding);
  }
}

/// A path of n points has eigenvalues cos(pi j / (n - 1)), all simple.
TEST(SpectralEmbedding, KnowsTheSpectrumOfAPath) {
  for (const Index n : {2, 30, 900}) {
    const int k = static_cast<int>(std::min<Index>(n, 11));
    const Embedding embedding = spectral_embedding(
        [n] {
          Triplets entries;
          for (Index i = 0; i + 1 < n; ++i) add_edge(entries, i, i + 1, 2.5);
          return from_triplets(n, entries);
        }(),
        k, kUnscaled);
    for (int j = 0; j < k; ++j) {
      EXPECT_NEAR(embedding.eigenvalues[j],
                  std::cos(std::numbers::pi * j / static_cast<double>(n - 1)), kRounding);
    }
  }
}

/// The torus C_m x C_m has eigenvalues (cos a + cos b)/2, most of them four or eight times.
TEST(SpectralEmbedding, FindsEightfoldEigenvalues) {
  const Index m = 24;
  Triplets entries;
  std::vector<double> expected;
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) {
      add_edge(entries, i * m + j, ((i + 1) % m) * m + j, 1.0);
      add_edge(entries, i * m + j, i * m + (j + 1) % m, 1.0);
      const double step = 2.0 * std::numbers::pi / static_cast<double>(m);
      expected.push_back(0.5 * (std::cos(step * static_cast<double>(i)) +
                                std::cos(step * static_cast<double>(j))));
    }
  }
  std::sort(expected.rbegin(), expected.rend());
  const SparseMatrix W = from_triplets(m * m, entries);
  const Embedding embedding = spectral_embedding(W, 37, kUnscaled);
  EXPECT_EQ(embedding.solver, "lanczos");
  for (int j = 0; j < 37; ++j)
    EXPECT_NEAR(embedding.eigenvalues[j], expected[static_cast<std::size_t>(j)], kRounding);
  expect_eigenvectors(W, embedding);
}

/// A clique has the eigenvalue -1/(n-1) n - 1 times: a Krylov space of two dimensions.
TEST(SpectralEmbedding, SurvivesACliqueTooLargeForTheDenseSolver) {
  Triplets entries;
  add_clique(entries, 0, 260);
  const SparseMatrix W = from_triplets(260, entries);
  const Embedding embedding = spectral_embedding(W, 6, kUnscaled);
  EXPECT_NEAR(embedding.eigenvalues[1], -1.0 / 259.0, kRounding);
  expect_eigenvectors(W, embedding);
}

TEST(SpectralEmbedding, OfAUnionOfRingsMergesTheirSpectra) {
  Triplets entries;
  add_ring(entries, 0, 72);
  add_ring(entries, 72, 72);
  add_ring(entries, 144, 300);
  const SparseMatrix W = from_triplets(444, entries);
  const Embedding embedding = spectral_embedding(W, 25, kUnscaled);
  EXPECT_EQ(embedding.num_components, 3);
  EXPECT_EQ(embedding.solver, "lanczos+dense");
  expect_eigenvectors(W, embedding);
  expect_leading_spectrum(W, embedding);
}

TEST(SpectralEmbedding, OfIsomorphicComponentsHasEachEigenvalueOncePerComponent) {
  const SparseMatrix one = random_graph(30, 0.4, 6);
  Triplets entries;
  for (int copy = 0; copy < 3; ++copy) {
    for (Index j = 0; j < one.cols(); ++j) {
      for (SparseMatrix::InnerIterator w(one, j); w; ++w) {
        entries.emplace_back(3 * static_cast<int>(w.row()) + copy, 3 * static_cast<int>(j) + copy,
                             w.value());
      }
    }
  }
  const SparseMatrix W = from_triplets(90, entries);
  ASSERT_EQ(connected_components(one).count, 1);
  const Embedding embedding = spectral_embedding(W, 9, kUnscaled);
  const Vector spectrum = dense_spectrum(one);
  for (int j = 0; j < 9; ++j) EXPECT_NEAR(embedding.eigenvalues[j], spectrum[j / 3], kRounding);
  expect_eigenvectors(W, embedding);
}

TEST(SpectralEmbedding, OfAsManyCliquesAsClustersIsTheirIndicator) {
  Triplets entries;
  const std::vector<Index> sizes = {4, 7, 2, 300};
  std::vector<Index> clique_of;
  for (Index c = 0; c < 4; ++c) {
    add_clique(entries, static_cast<Index>(clique_of.size()), sizes[static_cast<std::size_t>(c)]);
    clique_of.insert(clique_of.end(), static_cast<std::size_t>(sizes[static_cast<std::size_t>(c)]),
                     c);
  }
  const SparseMatrix W = from_triplets(static_cast<Index>(clique_of.size()), entries);
  const Embedding embedding = spectral_embedding(W, 4);
  EXPECT_EQ(embedding.solver, "components");
  EXPECT_EQ(embedding.num_components, 4);
  EXPECT_EQ(embedding.eigenvalues, Vector::Ones(4));
  EXPECT_TRUE(embedding.info.converged());
  EXPECT_LT(embedding.info.residual, kRounding);
  EXPECT_THAT(embedding.warnings, IsEmpty());
  Matrix indicator = Matrix::Zero(4, W.cols());
  for (Index v = 0; v < W.cols(); ++v) indicator(clique_of[static_cast<std::size_t>(v)], v) = 1.0;
  EXPECT_EQ(embedding.points, indicator);
  expect_eigenvectors(W, spectral_embedding(W, 4, kUnscaled));
}

/// Sizes 5, 2, 3, 2, 2: the later two of size 2 merge to 4, then 2 and 3 to 5.
TEST(SpectralEmbedding, MergesTheTwoSmallestGroupsUntilKRemain) {
  Triplets entries;
  std::vector<int> component_of;
  for (const Index size : {5, 2, 3, 2, 2}) {
    add_clique(entries, static_cast<Index>(component_of.size()), size);
    const int component = component_of.empty() ? 0 : component_of.back() + 1;
    component_of.insert(component_of.end(), static_cast<std::size_t>(size), component);
  }
  const SparseMatrix W = from_triplets(14, entries);
  const auto groups = [&](int k) {
    const Embedding embedding = spectral_embedding(W, k);
    EXPECT_EQ(embedding.warnings.size(), 1U);
    EXPECT_THAT(embedding.warnings, Contains(HasSubstr("5 components")));
    std::vector<int> group(5, -1);
    for (Index v = 0; v < 14; ++v) {
      Index row = 0;
      EXPECT_EQ(embedding.points.col(v).maxCoeff(&row), 1.0);
      group[static_cast<std::size_t>(component_of[static_cast<std::size_t>(v)])] =
          static_cast<int>(row);
    }
    expect_eigenvectors(W, spectral_embedding(W, k, kUnscaled));
    return group;
  };
  EXPECT_THAT(groups(4), ElementsAre(0, 1, 2, 3, 3));
  EXPECT_THAT(groups(3), ElementsAre(0, 1, 1, 2, 2));
  EXPECT_THAT(groups(2), ElementsAre(0, 1, 1, 1, 1));
  EXPECT_THAT(groups(1), ElementsAre(0, 0, 0, 0, 0));
}

TEST(SpectralEmbedding, GivesIsolatedPointsAZeroColumn) {
  Triplets entries;
  add_ring(entries, 2, 6);
  entries.emplace_back(0, 0, 5.0);  // a loop is no edge
  const SparseMatrix W = from_triplets(9, entries);
  const Embedding embedding = spectral_embedding(W, 2);
  EXPECT_EQ(embedding.num_isolated, 3);
  EXPECT_EQ(embedding.num_components, 1);
  EXPECT_THAT(embedding.warnings, ElementsAre(HasSubstr("3 of 9 points have no edge")));
  for (const Index v : {0, 1, 8}) EXPECT_EQ(embedding.points.col(v), Vector::Zero(2));
  for (Index v = 2; v < 8; ++v) EXPECT_NEAR(embedding.points.col(v).norm(), 1.0, kRounding);
}

TEST(SpectralEmbedding, WithoutAnyEdgeIsZero) {
  const Embedding embedding = spectral_embedding(SparseMatrix(5, 5), 3);
  EXPECT_EQ(embedding.points, Matrix::Zero(3, 5));
  EXPECT_EQ(embedding.num_isolated, 5);
  EXPECT_EQ(embedding.num_components, 0);
  EXPECT_THAT(embedding.warnings, ElementsAre(HasSubstr("no point has an edge")));
}

TEST(SpectralEmbedding, PadsWithZeroRowsWhereNoEigenvectorIsLeft) {
  Triplets entries;
  add_clique(entries, 0, 3);
  const SparseMatrix W = from_triplets(5, entries);
  const Embedding embedding = spectral_embedding(W, 5, kUnscaled);
  EXPECT_EQ(embedding.points.rows(), 5);
  EXPECT_EQ(embedding.points.bottomRows(2), Matrix::Zero(2, 5));
  EXPECT_TRUE(std::isnan(embedding.eigenvalues[3]));
  EXPECT_TRUE(std::isnan(embedding.eigenvalues[4]));
  EXPECT_NEAR(embedding.eigenvalues[2], -0.5, kRounding);
  EXPECT_THAT(embedding.warnings, Contains(HasSubstr("only 3 eigenvectors exist, 5 were wanted")));
  EXPECT_TRUE(embedding.info.converged());
}

TEST(SpectralEmbedding, IgnoresLoops) {
  const SparseMatrix W = random_graph(40, 0.3, 7);
  SparseMatrix with_loops = W;
  for (Index v = 0; v < 40; ++v) with_loops.coeffRef(v, v) = static_cast<double>(v % 3);
  EXPECT_EQ(spectral_embedding(W, 4).points, spectral_embedding(with_loops, 4).points);
}

/// Against D^-1/2 W D^-1/2 with the loops in W and in D, by a dense solver; the dense solver of
/// small graphs and Lanczos.
TEST(SpectralEmbedding, CountsLoopsWhereTheyAreKept) {
  for (const Index n : {30, 400}) {
    SparseMatrix W = random_graph(n, 0.2, 7);
    for (Index v = 0; v < n; ++v) W.coeffRef(v, v) = static_cast<double>(v % 3);
    const EmbeddingOptions options{.scale = EmbeddingScale::kNone, .loops = true};
    const Embedding embedding = spectral_embedding(W, 4, options);
    expect_eigenvectors(W, embedding);
    const Matrix A = normalized_adjacency(W, true);
    const Vector expected = Eigen::SelfAdjointEigenSolver<Matrix>(A).eigenvalues().reverse();
    EXPECT_LT((embedding.eigenvalues - expected.head(4)).cwiseAbs().maxCoeff(), 1e-10);
    const Embedding dropped = spectral_embedding(W, 4, kUnscaled);
    EXPECT_GT((embedding.eigenvalues - dropped.eigenvalues).cwiseAbs().maxCoeff(), 1e-3);
  }
}

TEST(SpectralEmbedding, APointWithALoopAloneIsIsolated) {
  Triplets entries = {{4, 4, 2.0}};
  add_clique(entries, 0, 4);
  const Embedding embedding = spectral_embedding(from_triplets(5, entries), 2, {.loops = true});
  EXPECT_EQ(embedding.num_isolated, 1);
  EXPECT_EQ(embedding.num_components, 1);
  EXPECT_TRUE(embedding.points.col(4).isZero(0.0));
}

TEST(SpectralEmbedding, ScalesAsAsked) {
  const SparseMatrix W = random_graph(60, 0.2, 8);
  const Matrix plain = spectral_embedding(W, 5, kUnscaled).points;
  const Matrix unit = spectral_embedding(W, 5).points;
  const Matrix walk = spectral_embedding(W, 5, {.scale = EmbeddingScale::kRandomWalk}).points;
  const Vector degrees = Matrix(W).rowwise().sum();
  for (Index v = 0; v < 60; ++v) {
    EXPECT_LT((unit.col(v) - plain.col(v).normalized()).norm(), kRounding);
    EXPECT_LT((walk.col(v) * std::sqrt(degrees[v]) - plain.col(v)).norm(), kRounding);
  }
  // Random-walk eigenvectors solve D^-1 W y = lambda y; the first is constant.
  EXPECT_LT((walk.row(0).array() - walk(0, 0)).abs().maxCoeff(), kRounding);
}

/// The eigenvectors of D^-1 W by a solver that does not know of its symmetric form; it returns them
/// at unit length.
TEST(SpectralEmbedding, UnitWalkIsWhatASolverOfTheRandomWalkGivesBroughtToUnitLength) {
  constexpr Index kPoints = 40;
  constexpr Index kClusters = 4;
  const SparseMatrix W = random_graph(kPoints, 0.3, 9);
  const Matrix walk = Matrix(W).rowwise().sum().cwiseInverse().asDiagonal() * Matrix(W);
  const Eigen::EigenSolver<Matrix> solver(walk);
  std::vector<Index> order(kPoints);
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, std::ranges::greater{},
                    [&](Index i) { return solver.eigenvalues()[i].real(); });
  Matrix expected(kClusters, kPoints);
  const Embedding embedding =
      spectral_embedding(W, kClusters, {.scale = EmbeddingScale::kUnitWalk});
  for (Index k = 0; k < kClusters; ++k) {
    EXPECT_NEAR(embedding.eigenvalues[k], solver.eigenvalues()[order[k]].real(), 1e-10);
    expected.row(k) = solver.eigenvectors().col(order[k]).real().transpose();
    EXPECT_NEAR(expected.row(k).norm(), 1.0, kRounding);
  }
  expected.colwise().normalize();
  for (Index k = 0; k < kClusters; ++k) {
    const double sign = expected.row(k).dot(embedding.points.row(k)) < 0.0 ? -1.0 : 1.0;
    EXPECT_LT((sign * expected.row(k) - embedding.points.row(k)).cwiseAbs().maxCoeff(), 1e-8);
  }
  // The lengths of D^-1/2 u differ, so this is no other name for unit-points.
  const Matrix symmetric = spectral_embedding(W, kClusters).points;
  EXPECT_GT((symmetric - embedding.points).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(SpectralEmbedding, UnitWalkIsUnitPointsWhereAllDegreesAreEqual) {
  const SparseMatrix W = ring(30);
  const Matrix walk = spectral_embedding(W, 3, {.scale = EmbeddingScale::kUnitWalk}).points;
  EXPECT_LT((walk - spectral_embedding(W, 3).points).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(SpectralEmbedding, UnitWalkLeavesIsolatedPointsAndMissingEigenvectorsZero) {
  Triplets entries;
  add_clique(entries, 0, 3);
  const Embedding embedding =
      spectral_embedding(from_triplets(6, entries), 5, {.scale = EmbeddingScale::kUnitWalk});
  EXPECT_TRUE(embedding.points.rightCols(3).isZero(0.0));
  EXPECT_TRUE(embedding.points.bottomRows(2).isZero(0.0));
  for (Index v = 0; v < 3; ++v) EXPECT_NEAR(embedding.points.col(v).norm(), 1.0, kRounding);
}

TEST(SpectralEmbedding, UsesAsManyDimensionsAsAsked) {
  const SparseMatrix W = random_graph(50, 0.3, 9);
  const Embedding embedding =
      spectral_embedding(W, 3, {.scale = EmbeddingScale::kNone, .dimensions = 8});
  EXPECT_EQ(embedding.points.rows(), 8);
  EXPECT_EQ(embedding.eigenvalues.size(), 8);
  expect_eigenvectors(W, embedding);
}

/// Every k on many graphs, from almost no edge to dense.
TEST(SpectralEmbedding, IsValidForEveryNumberOfClusters) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Index n = 30;
    const SparseMatrix W = random_graph(n, 0.01 + 0.008 * static_cast<double>(seed), seed);
    const Vector spectrum = W.nonZeros() > 0 ? dense_spectrum(W) : Vector();
    for (int k = 1; k <= n; ++k) {
      const Embedding embedding = spectral_embedding(W, k, kUnscaled, seed);
      ASSERT_EQ(embedding.points.rows(), k);
      ASSERT_EQ(embedding.points.cols(), n);
      ASSERT_TRUE(embedding.points.allFinite());
      ASSERT_TRUE(embedding.info.converged());
      ASSERT_LT(embedding.info.residual, 1e-8);
      const Index found = std::min<Index>(k, spectrum.size());
      if (found > 0) {
        ASSERT_LT((embedding.eigenvalues.head(found) - spectrum.head(found)).cwiseAbs().maxCoeff(),
                  kRounding);
      }
      const Matrix U = embedding.points.topRows(found);
      ASSERT_LT((U * U.transpose() - Matrix::Identity(found, found)).norm(), 1e-11);
      ASSERT_EQ(embedding.points.bottomRows(k - found), Matrix::Zero(k - found, n));
      ASSERT_EQ(found < k, !embedding.warnings.empty() && embedding.points.row(k - 1).isZero(0.0));
    }
  }
}

/// Parts that hang together by ever weaker edges: eigenvalues 1, 1 - 1e-5, ..., 1 - 1e-19. Where
/// rounding cannot tell them from 1 the residual still has to hold.
TEST(SpectralEmbedding, HoldsItsResidualOnNearlyDisconnectedGraphs) {
  for (int part_size : {10, 70}) {
    for (int exponent = 5; exponent < 20; ++exponent) {
      Triplets entries;
      const int parts = 5;
      for (int part = 0; part < parts; ++part) {
        add_clique(entries, part * part_size, part_size);
        add_edge(entries, part * part_size, (part + 1) % parts * part_size,
                 std::pow(10.0, -exponent));
      }
      const SparseMatrix W = from_triplets(parts * part_size, entries);
      const Embedding embedding = spectral_embedding(W, parts, kUnscaled);
      EXPECT_EQ(embedding.num_components, 1);
      expect_eigenvectors(W, embedding);
      const Embedding unit = spectral_embedding(W, parts);
      // Points of one part coincide, those of different parts are orthogonal.
      const Matrix cosines = unit.points.transpose() * unit.points;
      for (Index v = 0; v < W.cols(); ++v) {
        EXPECT_NEAR(cosines(v, v / part_size * part_size), 1.0, 1e-4);
        EXPECT_NEAR(cosines(v, (v + part_size) % W.cols()), 0.0, 1e-3);
      }
    }
  }
}

TEST(SpectralEmbedding, CopesWithWeightsOfAnyMagnitude) {
  const SparseMatrix W = random_graph(40, 0.3, 10);
  const Embedding plain = spectral_embedding(W, 4);
  for (const double scale : {1e-300, 1e-150, 1e150, 1e300}) {
    const Embedding scaled = spectral_embedding(scale * W, 4);
    EXPECT_LT((scaled.points - plain.points).norm(), 1e-10) << scale;
  }
  Triplets entries;
  for (Index v = 0; v < 10; ++v)
    add_edge(entries, v, (v + 1) % 10, std::pow(10.0, 30.0 * static_cast<double>(v) - 150.0));
  const Embedding mixed = spectral_embedding(from_triplets(10, entries), 3, kUnscaled);
  EXPECT_TRUE(mixed.points.allFinite());
  EXPECT_TRUE(mixed.info.converged());
  EXPECT_EQ(mixed.num_isolated, 0);
}

TEST(SpectralEmbedding, FollowsAPermutationOfThePoints) {
  for (const SparseMatrix& W :
       {random_graph(120, 0.1, 11), random_graph(260, 0.2, 12), band_graph(400, 3, 13)}) {
    const Index n = W.cols();
    Eigen::PermutationMatrix<Eigen::Dynamic> permutation(n);
    permutation.setIdentity();
    RandomStream random = stream(14, Stream::kTest);
    for (Index i = n - 1; i > 0; --i) {
      std::swap(permutation.indices()[i], permutation.indices()[static_cast<Index>(
                                              random.below(static_cast<std::uint64_t>(i) + 1))]);
    }
    SparseMatrix permuted(n, n);
    permuted = W.twistedBy(permutation);
    const Matrix U = spectral_embedding(W, 6).points;
    const Matrix V = spectral_embedding(permuted, 6).points * permutation;
    EXPECT_LT((U.transpose() * U - V.transpose() * V).cwiseAbs().maxCoeff(), 1e-6);
  }
}

TEST(SpectralEmbedding, IsTheSameOnAnyNumberOfThreads) {
  Triplets entries;
  add_ring(entries, 0, 500);
  add_ring(entries, 500, 50);
  const SparseMatrix large = random_graph(1100, 0.45, 15);  // enough edges for products in parallel
  ASSERT_GT(large.nonZeros(), 1 << 19);
  for (const SparseMatrix& W : {from_triplets(550, entries), random_graph(400, 0.1, 16), large}) {
    const Embedding one = spectral_embedding(W, 10, {}, 3, {.num_threads = 1});
    for (const int threads : {2, 4}) {
      const Embedding many = spectral_embedding(W, 10, {}, 3, {.num_threads = threads});
      EXPECT_EQ(one.points, many.points);
      EXPECT_EQ(one.eigenvalues, many.eigenvalues);
    }
  }
}

TEST(SpectralEmbedding, SaysWhenItDidNotConverge) {
  const SparseMatrix W = random_graph(300, 0.1, 17);
  const Embedding embedding =
      spectral_embedding(W, 4, {.scale = EmbeddingScale::kNone, .tolerance = 1e-20});
  EXPECT_EQ(embedding.info.termination, Termination::kStalled);
  EXPECT_GT(embedding.info.residual, 1e-20);
  EXPECT_LT(embedding.info.residual, kRounding);
  EXPECT_THAT(embedding.warnings, ElementsAre(HasSubstr("did not converge")));
}

TEST(SpectralEmbedding, FallsBackToTheDenseSolver) {
  const SparseMatrix W = random_graph(300, 0.1, 18);
  const Embedding embedding = spectral_embedding(
      W, 6, {.scale = EmbeddingScale::kNone, .tolerance = 1e-12, .max_restarts = 1});
  EXPECT_EQ(embedding.solver, "dense");
  expect_eigenvectors(W, embedding, 1e-12);
  expect_leading_spectrum(W, embedding);
}

/// Without memory for a dense solve there is nothing left to fall back to.
TEST(SpectralEmbedding, ReturnsItsBestWithTheTrueResidualAtTheLimit) {
  const SparseMatrix W = random_graph(1500, 0.01, 18);
  const Embedding embedding = spectral_embedding(
      W, 6, {.scale = EmbeddingScale::kNone, .max_restarts = 1}, 0, {.max_memory = 1 << 25});
  ASSERT_EQ(embedding.solver, "lanczos");
  EXPECT_EQ(embedding.info.termination, Termination::kIterationLimit);
  const Matrix U = embedding.points.transpose();
  const Matrix residuals = normalized_adjacency(W) * U - U * embedding.eigenvalues.asDiagonal();
  EXPECT_NEAR(embedding.info.residual, residuals.colwise().norm().maxCoeff(), kRounding);
  EXPECT_GT(embedding.info.residual, 1e-8);
  EXPECT_THAT(embedding.warnings, ElementsAre(HasSubstr("did not converge")));
}

template <typename Expected>
std::string refusal(const SparseMatrix& W, int k, const EmbeddingOptions& options = {}) {
  try {
    spectral_embedding(W, k, options);
  } catch (const Expected& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(SpectralEmbedding, RefusesWhatIsNoAffinity) {
  EXPECT_EQ(refusal<DataError>(SparseMatrix(3, 4), 2),
            "spectral_embedding: W is 3 x 4, must be square and not empty");
  EXPECT_THAT(refusal<DataError>(SparseMatrix(0, 0), 1), HasSubstr("W is 0 x 0"));
  SparseMatrix W = ring(5);
  EXPECT_EQ(refusal<DataError>(W, 6), "spectral_embedding: 5 points cannot form 6 clusters");
  EXPECT_THAT(refusal<DataError>(W, 0),
              HasSubstr("num_clusters = 0, must satisfy 1 <= num_clusters"));
  W.coeffRef(1, 2) = 0.5;
  EXPECT_EQ(refusal<DataError>(W, 2),
            "spectral_embedding: W(2, 1) = 1 but W(1, 2) = 0.5, must be symmetric");
  W = ring(5);
  W.coeffRef(3, 0) = 0.25;
  EXPECT_EQ(refusal<DataError>(W, 2),
            "spectral_embedding: W(3, 0) = 0.25 but W(0, 3) = 0, must be symmetric");
  W = ring(5);
  W.coeffRef(2, 3) = -1.0;
  EXPECT_EQ(refusal<DataError>(W, 2),
            "spectral_embedding: W(2, 3) = -1, must be finite and not negative");
  W.coeffRef(2, 3) = std::numeric_limits<double>::infinity();
  EXPECT_THAT(refusal<DataError>(W, 2), HasSubstr("W(2, 3) = inf"));
  W.coeffRef(2, 3) = std::nan("");
  EXPECT_THAT(refusal<DataError>(W, 2), HasSubstr("W(2, 3) = nan"));
  EXPECT_THAT(refusal<DataError>(ring(5) * 1e308, 2), HasSubstr("sum to inf"));
}

TEST(SpectralEmbedding, AveragesAwayAsymmetryOfRounding) {
  SparseMatrix W = random_graph(30, 0.4, 19);
  const Embedding exact = spectral_embedding(W, 3);
  for (Index j = 0; j < W.cols(); ++j) {
    for (SparseMatrix::InnerIterator w(W, j); w; ++w) {
      if (w.row() < j) w.valueRef() *= 1.0 + 1e-14;
    }
  }
  EXPECT_LT((spectral_embedding(W, 3).points - exact.points).norm(), 1e-10);
}

TEST(SpectralEmbedding, RefusesOptionsOutOfRange) {
  EXPECT_THAT(refusal<InvalidArgument>(ring(5), 2, {.dimensions = -1}),
              HasSubstr("dimensions = -1"));
  EXPECT_THAT(refusal<InvalidArgument>(ring(5), 2, {.tolerance = 0.0}), HasSubstr("tolerance = 0"));
  EXPECT_THAT(refusal<InvalidArgument>(ring(5), 2, {.max_restarts = 0}),
              HasSubstr("max_restarts = 0"));
}

TEST(SpectralEmbedding, StopsWhenAskedTo) {
  CancelToken cancel;
  cancel.request();
  EXPECT_THROW(spectral_embedding(ring(500), 10, {}, 0, {.cancel = &cancel}), Cancelled);
}

TEST(EmbeddingOptions, AreDescribed) {
  EmbeddingOptions options;
  for (const Parameter& parameter : describe(options)) {
    if (parameter.name == "scale") set_from_text(parameter, "random-walk", "scale");
    if (parameter.name == "tolerance") set_from_text(parameter, "1e-5", "tolerance");
  }
  EXPECT_EQ(options.scale, EmbeddingScale::kRandomWalk);
  EXPECT_EQ(options.tolerance, 1e-5);
}

/// So many vectors of the graph's order beside the graph and its normalised copy.
Context room_for_vectors(const SparseMatrix& W, Index count) {
  constexpr Index kEdge = sizeof(double) + sizeof(int);
  return {.max_memory = 2 * kEdge * W.nonZeros() + 8 * count * W.cols()};
}

/// Lanczos keeps a basis of count + 40 vectors and copies it when it restarts: far more than the
/// pairs wanted.
TEST(SpectralEmbedding, CountsTheWholeLanczosBasis) {
  const SparseMatrix W = random_graph(1500, 0.01, 18);
  EXPECT_THROW(spectral_embedding(W, 6, {}, 0, room_for_vectors(W, 60)), ResourceError);
  const Embedding embedding = spectral_embedding(W, 6, {}, 0, room_for_vectors(W, 140));
  EXPECT_TRUE(embedding.info.converged());
}

/// Room for a full matrix and the work of the dense solver, but not beside the graph.
TEST(SpectralEmbedding, SolversHaveWhatTheGraphLeaves) {
  const SparseMatrix W = random_graph(400, 0.2, 18);
  const std::int64_t dense = 4 * 8 * 400 * 400;
  EXPECT_EQ(spectral_embedding(W, 100).solver, "dense");
  EXPECT_EQ(spectral_embedding(W, 100, {}, 0, {.max_memory = dense}).solver, "lanczos");
}

/// The widest rung does not fit; the answer is the best of the others and says so.
TEST(SpectralEmbedding, PassesOverARungThatDoesNotFit) {
  const SparseMatrix W = random_graph(1500, 0.01, 18);
  const Embedding embedding = spectral_embedding(
      W, 6, {.scale = EmbeddingScale::kNone, .max_restarts = 1}, 0, room_for_vectors(W, 140));
  EXPECT_EQ(embedding.solver, "lanczos");
  EXPECT_FALSE(embedding.info.converged());
  EXPECT_THAT(embedding.warnings, ElementsAre(HasSubstr("did not converge")));
}

}  // namespace
}  // namespace subspace
