// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "cluster/coding_length.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <numeric>

#include "support/random_data.h"

namespace subspace {
namespace {

using testing::random_matrix;

Matrix unit_columns(Index rows, Index columns, std::uint64_t seed) {
  return random_matrix(rows, columns, seed).colwise().normalized();
}

/// m log det(I + D/(m e) X_k X_k') by the determinant itself.
double by_determinant(const Matrix& X, const std::vector<Index>& members, double distortion) {
  const Matrix Y = X(Eigen::all, members);
  const auto m = static_cast<double>(members.size());
  const auto dimension = static_cast<double>(X.rows());
  const Matrix A =
      Matrix::Identity(X.rows(), X.rows()) + dimension / (m * distortion) * Y * Y.transpose();
  return m * std::log(A.determinant());
}

TEST(CodingLength, IsThatOfTheDeterminant) {
  for (const Index dimension : {1, 3, 6, 12}) {
    const Matrix X = unit_columns(dimension, 14, 3);
    for (const std::vector<Index>& members :
         {std::vector<Index>{4}, {0, 5, 13}, {1, 2, 3, 4, 5, 6, 7, 8}}) {
      const double expected = by_determinant(X, members, 0.05);
      EXPECT_NEAR(coding_length(X, members, 0.05, {}), expected, 1e-10 * expected);
    }
  }
  EXPECT_EQ(coding_length(unit_columns(3, 4, 1), {}, 0.1, {}), 0.0);
}

// Clusters with fewer points than dimensions and with more.
TEST(CodingChanges, AreDifferencesOfLengths) {
  constexpr double kDistortion = 0.02;
  for (const Index dimension : {2, 5, 20}) {
    const Matrix X = unit_columns(dimension, 300, 9);  // more than one block of columns
    std::vector<Index> members(8);
    std::iota(members.begin(), members.end(), 40);
    const double length = coding_length(X, members, kDistortion, {});
    Vector joining(X.cols());
    std::vector<double> leaving;
    coding_changes(X, members, kDistortion, length, joining, leaving, {});
    for (const Index j : {Index{0}, Index{39}, Index{255}, Index{256}, Index{299}}) {
      std::vector<Index> with = members;
      with.push_back(j);
      EXPECT_NEAR(joining[j], coding_length(X, with, kDistortion, {}) - length, 1e-9);
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
      std::vector<Index> without = members;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_NEAR(leaving[i], coding_length(X, without, kDistortion, {}) - length, 1e-8);
    }
  }
}

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

/// coding_length() in more digits.
long double long_length(const Matrix& X, const std::vector<Index>& members, double distortion) {
  const LongMatrix Y = X(Eigen::all, members).cast<long double>();
  const auto size = static_cast<long double>(members.size());
  const long double scale = static_cast<long double>(X.rows()) / (size * distortion);
  LongMatrix A = scale * Y.transpose() * Y;
  A.diagonal().array() += 1.0L;
  const LongMatrix L = Eigen::LLT<LongMatrix>(A).matrixL();
  return 2.0L * size * L.diagonal().array().log().sum();
}

// Fewer points than dimensions: 1 - s z'M^-1 z of a member is near to 1/s, which a difference of
// numbers near to 1 would miss. Two members and two others lie nearly within further members.
// Of differences of lengths, as a share of the length.
constexpr double kRounding = 1e-13;

/// `joining` of `others` and `leaving` of all members beside differences of lengths in long double.
/// `known_to` is what the change by a member that leaves may be off beside rounding.
template <typename Tolerance>
void expect_changes(const Matrix& X, const std::vector<Index>& members,
                    const std::vector<Index>& others, double distortion,
                    const Tolerance& known_to) {
  const double length = coding_length(X, members, distortion, {});
  const long double exact = long_length(X, members, distortion);
  EXPECT_NEAR(length, static_cast<double>(exact), kRounding * length) << distortion;
  Vector joining(X.cols());
  std::vector<double> leaving;
  coding_changes(X, members, distortion, length, joining, leaving, {});
  for (const Index j : others) {
    std::vector<Index> with = members;
    with.push_back(j);
    const auto change = static_cast<double>(long_length(X, with, distortion) - exact);
    EXPECT_NEAR(joining[j], change, kRounding * length) << distortion << ' ' << j;
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    std::vector<Index> without = members;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    const auto change = static_cast<double>(long_length(X, without, distortion) - exact);
    EXPECT_NEAR(leaving[i], change, kRounding * length + known_to(members[i]))
        << distortion << ' ' << i;
  }
}

TEST(CodingChanges, AreAccurateAtSmallDistortions) {
  Matrix X = random_matrix(300, 40, 4);
  std::vector<Index> members(20);
  std::iota(members.begin(), members.end(), 5);
  for (const Index j : {5, 6, 0, 1}) {
    X.col(j) = X.middleCols(10, 4) * random_matrix(4, 1, 60 + static_cast<std::uint64_t>(j)) +
               0.1 * X.col(j);
  }
  X.colwise().normalize();
  for (const double distortion : {1e-2, 1e-4, 1e-6, 1e-8}) {
    expect_changes(X, members, {0, 1, 2, 39}, distortion, [](Index) { return 0.0; });
  }
}

TEST(CodingChanges, OfMoreMembersThanDimensionsAreAsAccurateAsTheySay) {
  constexpr Index kDimension = 20;
  constexpr Index kAlone = 7;  // outside the span of the other members
  Matrix X = random_matrix(kDimension, 60, 5);
  X.row(0).setZero();
  X(0, kAlone) = 1.0;
  X.colwise().normalize();
  std::vector<Index> members(50);
  std::iota(members.begin(), members.end(), 5);
  for (const double distortion : {1e-2, 1e-4, 1e-6, 1e-8}) {
    const double allowed = 1e-15 * 50.0 * kDimension / distortion;
    expect_changes(X, members, {0, 4, 58}, distortion,
                   [&](Index member) { return member == kAlone ? allowed : 0.0; });
  }
}

TEST(CodingChanges, TheOnlyMemberTakesAllWithIt) {
  const Matrix X = unit_columns(4, 5, 2);
  const double length = coding_length(X, {3}, 0.1, {});
  Vector joining(5);
  std::vector<double> leaving;
  coding_changes(X, {3}, 0.1, length, joining, leaving, {});
  ASSERT_EQ(leaving.size(), 1U);
  EXPECT_EQ(leaving[0], -length);
}

}  // namespace
}  // namespace subspace
