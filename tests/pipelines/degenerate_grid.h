// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/error.h>
#include <subspace/core/types.h>
#include <subspace/datasets/synthetic.h>
#include <subspace/pipelines/catalogue.h>

namespace subspace::testing {

/// Problems so small are solved before a second thread wakes.
inline Context one_thread() {
  Context context;
  context.num_threads = 1;
  return context;
}

/// Points without a direction, without differences, of extreme scale, of very different lengths.
inline std::vector<Matrix> degenerate_points(Index dimension, Index count) {
  const Matrix X = datasets::union_of_subspaces({.num_subspaces = 3,
                                                 .dimension = 3,
                                                 .ambient = 100,
                                                 .points_per_subspace = 40,
                                                 .seed = 1})
                       .points.X.topLeftCorner(dimension, count);
  std::vector<Matrix> all = {Matrix::Zero(dimension, count), Matrix::Ones(dimension, count),
                             1e150 * X, 1e-150 * X, X.col(0) * X.row(0)};  // rank one
  Matrix with_zero = X;
  with_zero.col(count / 2).setZero();
  all.push_back(with_zero);
  Matrix duplicated = X;
  duplicated.rightCols(count / 2) = X.leftCols(count / 2);
  all.push_back(duplicated);
  Matrix unequal = X;
  unequal.col(0) *= 1e150;
  unequal.col(count - 1) *= 1e-150;
  all.push_back(unequal);
  return all;
}

/// All numbers of clusters that few points may be asked for, and some on either side.
inline std::vector<int> cluster_numbers(Index count) {
  const auto n = static_cast<int>(count);
  if (n > 8) return {-1, 0, 1, 2, 7, n, n + 1};
  std::vector<int> numbers(static_cast<std::size_t>(n) + 3);
  std::iota(numbers.begin(), numbers.end(), -1);
  return numbers;
}

/// One label 0 .. k-1 a point.
inline void expect_labels(const Labels& labels, Index num_points, int k) {
  ASSERT_EQ(std::ssize(labels), num_points);
  EXPECT_TRUE(std::ranges::all_of(labels, [k](int label) { return label >= 0 && label < k; }));
}

/// Labels 0 .. k-1 of at least two points, with confidences, where k is from 1 to their number, a
/// refusal otherwise.
inline void expect_labels_or_refusal(const Matrix& X, int k, const std::string& method,
                                     const std::vector<pipelines::KeyText>& settings = {}) {
  SCOPED_TRACE(message(method, ", ", X.cols(), " points of ", X.rows(), " dimensions, k = ", k));
  const auto run = [&] { return pipelines::run(X, k, method, settings, 0, one_thread()); };
  if (X.cols() < 2 || k < 1 || k > X.cols()) {
    EXPECT_THROW(run(), DataError);
    return;
  }
  try {
    const pipelines::Outcome outcome = run();
    expect_labels(outcome.labels, X.cols(), k);
    ASSERT_TRUE(outcome.confidence.has_value());
    for (const double each : outcome.confidence->points) {
      EXPECT_TRUE(each >= 0.0 && each <= 1.0) << "confidence " << each;
    }
  } catch (const Error& error) {
    ADD_FAILURE() << error.what();
  }
}

}  // namespace subspace::testing
