// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/elastic_net_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace subspace {
namespace {

/// Point 0 of three: point 1 is its twin, point 2 orthogonal to both.
class Certificate : public ::testing::Test {
 protected:
  void SetUp() override {
    std::vector<double> q = {1.0, 1.0, 0.0};
    solver_.start(0, {.tau = 0.9, .gamma = 10}, q.data(), 3);
    ASSERT_TRUE(solver_.choose_candidates(q.data()));
    ASSERT_EQ(solver_.chosen(), std::vector<int>{1});
    const double target = 1.0;
    solver_.enter_chosen (&target)(0, 0) = 1.0;
    solver_.solve();
    ASSERT_EQ(solver_.support(), std::vector<int>{1});
  }
  /// q = X'(x - X c) at the solution, as the caller computes it.
  std::vector<double> correlations() const {
    const double rest = 1.0 - solver_.coefficients()[0];
    return {rest, rest, 0.0};
  }

  ElasticNetPoint solver_;
};

TEST_F(Certificate, OfTheSolutionIsGood) {
  std::vector<double> q = correlations();
  const SolveInfo info = solver_.certify(q.data());
  EXPECT_TRUE(info.converged());
  EXPECT_LE(info.residual, 1e-12);
}

// NaN compares false with everything: a maximum passes over it, and no comparison may turn it into
// a small violation.
TEST_F(Certificate, IsNeverGivenToNumbersThatAreNone) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (const std::size_t place : {0U, 1U, 2U}) {
      std::vector<double> q = correlations();
      q[place] = bad;
      const SolveInfo info = solver_.certify(q.data());
      EXPECT_FALSE(info.converged()) << bad << " at " << place;
      EXPECT_FALSE(info.residual <= 1e300) << bad << " at " << place;
      EXPECT_EQ(info.termination, Termination::kStalled);
    }
  }
}

TEST(ElasticNetPoint, ACancelledRoundIsGivenUp) {
  CancelToken cancel;
  ElasticNetPoint solver;
  const std::vector<double> q = {1.0, 1.0, 0.0};
  const auto enter_twin = [&] {
    solver.start(0, {.tau = 0.9, .gamma = 10}, q.data(), 3, &cancel);
    ASSERT_TRUE(solver.choose_candidates(q.data()));
    const double target = 1.0;
    solver.enter_chosen (&target)(0, 0) = 1.0;
  };
  enter_twin();
  cancel.request();
  EXPECT_THROW(solver.solve(), Cancelled);
  EXPECT_TRUE(solver.support().empty()) << "not one pattern was solved";
}

TEST(ElasticNetPoint, WithoutCorrelationsIsNotCertifiedByNaNEither) {
  ElasticNetPoint solver;
  std::vector<double> q = {1.0, 0.0, 0.0};
  solver.start(0, {}, q.data(), 3);
  EXPECT_FALSE(solver.choose_candidates(q.data()));
  EXPECT_TRUE(solver.certify(q.data()).converged());
  q[2] = std::nan("");
  EXPECT_FALSE(solver.certify(q.data()).converged());
}

}  // namespace
}  // namespace subspace
