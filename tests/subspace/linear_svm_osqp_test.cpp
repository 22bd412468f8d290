// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <subspace/classify/linear_svm.h>

#include "support/osqp_judge.h"
#include "support/random_data.h"

namespace subspace {
namespace {

TEST(LinearSvmAgainstOsqp, WeightsAgreeOnAHundredProblems) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomStream random = stream(seed, Stream::kTest, 4);
    const Index dimension = 1 + static_cast<Index>(random.below(8));
    const Index n = 4 + static_cast<Index>(random.below(40));
    const double penalty = seed % 2 == 0 ? 0.5 : 5.0;
    const Matrix X = testing::random_matrix(dimension, n, seed);
    const Labels labels = testing::random_labels(n, 3, seed);
    const LinearSvm model = fit_linear_svm(X, labels, {.penalty = penalty});

    Matrix Z(dimension + 1, n);
    Z << X, Matrix::Ones(1, n);
    for (std::size_t k = 0; k < model.classes.size(); ++k) {
      Vector signs(n);
      for (Index j = 0; j < n; ++j) signs[j] = labels[j] == model.classes[k] ? 1.0 : -1.0;
      const Vector judged = testing::osqp_svm(Z, signs, penalty);
      // P is strongly convex: equal objectives mean equal weights, to the root of the tolerance.
      EXPECT_LE((model.weights.row(static_cast<Index>(k)).transpose() - judged).norm(), 1e-6)
          << "seed " << seed << ", class " << k;
    }
  }
}

}  // namespace
}  // namespace subspace
