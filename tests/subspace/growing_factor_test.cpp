// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <Eigen/Cholesky>
#include <vector>

#include "linalg/growing_factor.h"
#include "support/random_data.h"

namespace subspace::linalg {
namespace {

constexpr double kThreshold = 1e-12;

/// A factor of K restricted to `kept`, beside the list itself.
class Pair {
 public:
  explicit Pair(Matrix K) : K_(std::move(K)) {}

  bool append(Index i) {
    std::vector<double> row;
    for (const Index k : kept_) row.push_back(K_(i, k));
    row.push_back(0.0);  // so that data() is never null
    if (!factor_.try_row(row.data(), K_(i, i), kThreshold)) return false;
    factor_.append_tried();
    kept_.push_back(i);
    return true;
  }
  void remove(Index position) {
    factor_.remove(position);
    kept_.erase(kept_.begin() + position);
  }
  const std::vector<Index>& kept() const { return kept_; }

  /// Largest difference of K x = r solved by the factor and by Eigen, relative to the solution.
  double error() {
    const Index size = static_cast<Index>(kept_.size());
    if (size == 0) return 0.0;
    const Matrix part = K_(kept_, kept_);
    const Vector r = Vector::LinSpaced(size, -1.0, 2.0);
    Vector reduced(size);
    Vector x(size);
    factor_.solve_forward(r.data(), reduced.data());
    factor_.solve_backward(reduced.data(), x.data());
    const Vector expected = part.llt().solve(r);
    return (x - expected).norm() / expected.norm();
  }

 private:
  Matrix K_;
  std::vector<Index> kept_;
  GrowingFactor factor_;
};

Matrix well_conditioned(Index n, std::uint64_t seed) {
  const Matrix X = testing::random_matrix(2 * n, n, seed);
  return X.transpose() * X / static_cast<double>(2 * n);
}

TEST(GrowingFactor, SolvesAfterAnyHistoryOfGainsAndLosses) {
  EXPECT_TRUE(rc::check([] {
    const Index n = 40;
    Pair pair(well_conditioned(n, *rc::gen::inRange<std::uint64_t>(0, 1000)));
    for (int step = 0; step < 80; ++step) {
      const Index choice = *rc::gen::inRange<Index>(0, 1000);
      const Index size = static_cast<Index>(pair.kept().size());
      if (choice % 3 != 0 || size == 0) {
        const Index i = choice % n;
        if (std::find(pair.kept().begin(), pair.kept().end(), i) == pair.kept().end())
          RC_ASSERT(pair.append(i));
      } else {
        pair.remove(choice % size);
      }
    }
    RC_ASSERT(pair.error() < 1e-9);
  }));
}

TEST(GrowingFactor, GrowsBeyondItsFirstCapacity) {
  Pair pair(well_conditioned(300, 1));
  for (Index i = 0; i < 300; ++i) ASSERT_TRUE(pair.append(i));
  EXPECT_LT(pair.error(), 1e-9);
  for (Index position : {299, 150, 0}) pair.remove(position);
  EXPECT_LT(pair.error(), 1e-9);
}

TEST(GrowingFactor, RefusesADependentRowAndStaysAsItWas) {
  Matrix X = testing::random_matrix(6, 5, 2);
  X.col(4) = X.col(0) - 2.0 * X.col(3);
  Pair pair(X.transpose() * X);
  for (Index i = 0; i < 4; ++i) ASSERT_TRUE(pair.append(i));
  EXPECT_FALSE(pair.append(4));
  EXPECT_LT(pair.error(), 1e-9);
  pair.remove(3);
  EXPECT_TRUE(pair.append(4));
  EXPECT_LT(pair.error(), 1e-9);
}

TEST(GrowingFactor, ReducesOneMoreRightHandSide) {
  const Matrix K = well_conditioned(10, 3);
  GrowingFactor factor;
  Vector reduced(10);
  for (Index i = 0; i < 10; ++i) {
    const Vector row = K.col(i);
    ASSERT_TRUE(factor.try_row(row.data(), K(i, i), kThreshold));
    reduced(i) = factor.reduce(reduced.data(), static_cast<double>(i));
    factor.append_tried();
  }
  const Matrix L = K.llt().matrixL();
  EXPECT_LT((L * reduced - Vector::LinSpaced(10, 0, 9)).norm(), 1e-10);
}

}  // namespace
}  // namespace subspace::linalg
