// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include <subspace/cluster/kmeans.h>
#include <subspace/core/error.h>
#include <subspace/diagnostics/confidence.h>
#include <subspace/neighbors/knn.h>
#include <subspace/spectral/embedding.h>

#include "support/message_of.h"
#include "support/random_data.h"

namespace subspace {
namespace {

using testing::random_labels;
using testing::random_matrix;

/// By the definition: centres are means of the members other than the point.
double definition(const Matrix& U, const Labels& labels, Index j) {
  double own = -1.0;
  double other = -1.0;
  for (int label = 0; label < 10; ++label) {
    Vector sum = Vector::Zero(U.rows());
    Index count = 0;
    for (Index i = 0; i < U.cols(); ++i) {
      if (labels[i] != label || i == j) continue;
      sum += U.col(i);
      ++count;
    }
    if (count == 0) continue;
    const double distance = (U.col(j) - sum / static_cast<double>(count)).norm();
    if (label == labels[j]) {
      own = distance;
    } else if (other < 0.0 || distance < other) {
      other = distance;
    }
  }
  if (other < 0.0) return 1.0;
  return own < 0.0 ? 0.0 : std::max(0.0, other - own) / other;
}

TEST(Confidence, AgreesWithItsDefinition) {
  EXPECT_TRUE(rc::check([] {
    const Index n = *rc::gen::inRange(1, 60);
    const int clusters = *rc::gen::inRange(1, 8);
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1U << 30);
    const Matrix U = random_matrix(3, n, seed);
    const Labels labels = random_labels(n, clusters, seed);
    const Confidence found = label_confidence(U, labels);
    for (Index j = 0; j < n; ++j) {
      RC_ASSERT(found.points(j) >= 0.0);
      RC_ASSERT(found.points(j) <= 1.0);
      RC_ASSERT(std::abs(found.points(j) - definition(U, labels, j)) <= 1e-12);
    }
    RC_ASSERT(std::abs(found.mean - found.points.mean()) <= 1e-15);
  }));
}

// ---- known worlds

TEST(Confidence, IsHighInsideAndLowBetweenBlobs) {
  const auto far = testing::blobs(4, 3, 50, 50.0, 1);
  const Confidence sure = label_confidence(far.points, far.labels);
  EXPECT_GT(sure.points.minCoeff(), 0.9);
  const auto near = testing::blobs(4, 3, 50, 3.0, 2);
  EXPECT_LT(label_confidence(near.points, near.labels).mean, sure.mean - 0.3);

  // A point half way between two centres, and one with the wrong label.
  Matrix U = far.points;
  U.col(0) = (50.0 * (Vector::Unit(4, 0) + Vector::Unit(4, 1))) / 2.0;
  Labels labels = far.labels;
  labels[4] = 2;
  const Confidence found = label_confidence(U, labels);
  EXPECT_LT(found.points(0), 0.1);
  EXPECT_EQ(found.runners_up[0], 1);
  EXPECT_EQ(found.points(4), 0.0);
  EXPECT_EQ(found.runners_up[4], 1);
  EXPECT_EQ(found.labels, (Labels{0, 1, 2}));
  EXPECT_LT(found.of_labels(2), 0.99);
}

TEST(Confidence, FindsTheWrongPointsOfASpectralEmbedding) {
  const auto blobs = testing::blobs(5, 4, 40, 12.0, 3);
  const Embedding embedding = spectral_embedding(neighbor_graph(blobs.points, {.k = 8}), 4);
  Labels labels = kmeans(embedding.points, 4).labels;
  const Labels right = labels;
  for (const std::size_t j : {3U, 50U, 111U}) labels[j] = (labels[j] + 1) % 4;
  const Confidence found = label_confidence(embedding.points, labels);
  for (const std::size_t j : {3U, 50U, 111U}) {
    EXPECT_EQ(found.points(static_cast<Index>(j)), 0.0);
    EXPECT_EQ(found.runners_up[j], right[j]);
  }
  Index doubtful = 0;
  for (const double value : found.points) doubtful += value < 0.5 ? 1 : 0;
  EXPECT_EQ(doubtful, 3);
}

// ---- invariances

TEST(Confidence, DoesNotDependOnPlaceScaleThreadsOrNames) {
  const Matrix U = random_matrix(4, 700, 4);
  const Labels labels = random_labels(700, 5, 5);
  const Confidence expected = label_confidence(U, labels);
  const Matrix moved = U.colwise() + Vector::Constant(4, 2.0);
  EXPECT_LE((label_confidence(moved, labels).points - expected.points).cwiseAbs().maxCoeff(),
            1e-12);
  for (const double scale : {1e-300, 1e-150, 1e150, 1e300}) {
    EXPECT_LE((label_confidence(scale * U, labels).points - expected.points).cwiseAbs().maxCoeff(),
              1e-12)
        << scale;
  }
  for (const int threads : {1, 2, 4}) {
    EXPECT_EQ(label_confidence(U, labels, {.num_threads = threads}).points, expected.points);
  }
  Labels renamed = labels;
  for (int& label : renamed) label = -7 * label;
  EXPECT_LE((label_confidence(U, renamed).points - expected.points).cwiseAbs().maxCoeff(), 1e-15);
}

// ---- edges and refusals

TEST(Confidence, IsolatedLonelyAndEqualPoints) {
  Matrix U(2, 5);
  U << 1, 1, 0, 0, 0, 0, 0, 1, 1, 0;
  // The last point has no place: it moves no centre and gets nothing.
  const Confidence found = label_confidence(U, {0, 0, 1, 1, 0});
  EXPECT_EQ(found.points, (Vector(5) << 1, 1, 1, 1, 0).finished());
  EXPECT_EQ(label_confidence(U, {0, 1, 2, 3, 4}).points, Vector::Zero(5)) << "one point each";
  EXPECT_EQ(label_confidence(Matrix::Ones(3, 6), {0, 0, 0, 1, 1, 1}).points, Vector::Zero(6));
  EXPECT_EQ(label_confidence(Matrix::Zero(3, 4), {0, 0, 1, 1}).points, Vector::Zero(4));
  EXPECT_EQ(label_confidence(random_matrix(2, 4, 6), {3, 3, 3, 3}).points, Vector::Ones(4));
  EXPECT_EQ(label_confidence(random_matrix(2, 1, 6), {3}).points, Vector::Ones(1));
}

TEST(Confidence, RefusesLabelsOfOtherPoints) {
  EXPECT_EQ(testing::message_of<DataError>([] {
              label_confidence(Matrix::Ones(2, 3), {0, 1});
            }),
            "label_confidence: 2 labels and 3 samples, must be as many");
  Matrix broken = Matrix::Ones(2, 2);
  broken(0, 1) = INFINITY;
  EXPECT_THROW(label_confidence(broken, {0, 1}), DataError);
}

}  // namespace
}  // namespace subspace
