// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/diagnostics/graph_cut.h>

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <cmath>

#include <subspace/core/error.h>

#include "support/message_of.h"
#include "support/random_data.h"

namespace subspace {
namespace {

using testing::random_labels;
using testing::random_matrix;

SparseMatrix random_graph(Index n, std::uint64_t seed) {
  Matrix W = random_matrix(n, n, seed).cwiseAbs();
  W = (W.array() > 0.8).select(W, 0.0);
  return Matrix(W + W.transpose()).sparseView();
}

TEST(GraphCut, IsTheQuotientOfTheIndicators) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const Index n = 3 + static_cast<Index>(seed % 20);
    const SparseMatrix graph = random_graph(n, seed);
    const Labels labels = random_labels(n, 3, seed);
    Matrix W = graph;
    W.diagonal().setZero();
    const GraphCut cut = graph_cut(graph, labels);
    for (Index k = 0; k < cut.shares.size(); ++k) {
      Vector h(n);
      for (Index j = 0; j < n; ++j) {
        h[j] = labels[static_cast<std::size_t>(j)] == cut.labels[static_cast<std::size_t>(k)];
      }
      const double volume = h.dot(W.rowwise().sum());
      if (volume > 0.0) {
        RC_ASSERT(std::abs(cut.shares[k] - (volume - h.dot(W * h)) / volume) < 1e-12);
      } else {
        RC_ASSERT(std::isnan(cut.shares[k]));
      }
    }
  }));
}

TEST(GraphCut, KnownGraphs) {
  SparseMatrix pairs(4, 4);
  for (const auto& [i, j] : {std::pair{0, 1}, {1, 0}, {2, 3}, {3, 2}}) pairs.insert(i, j) = 2.0;
  EXPECT_EQ(graph_cut(pairs, {5, 5, -1, -1}).mean, 0.0);
  EXPECT_EQ(graph_cut(pairs, {0, 1, 0, 1}).mean, 1.0);
  EXPECT_EQ(graph_cut(pairs, {0, 0, 0, 1}).shares, (Vector(2) << 1.0 / 3.0, 1.0).finished());
  EXPECT_TRUE(std::isnan(graph_cut(SparseMatrix(2, 2), {0, 1}).mean));
}

TEST(GraphCut, RefusesLabelsThatDoNotFit) {
  EXPECT_EQ(testing::message_of<DataError>([] { graph_cut(SparseMatrix(2, 2), {0}); }),
            "graph_cut: 1 labels for a 2 x 2 affinity, must be one a vertex of a square one");
}

}  // namespace
}  // namespace subspace
