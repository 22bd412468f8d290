// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

#include <subspace/core/error.h>
#include <subspace/spectral/components.h>

namespace subspace {
namespace {

SparseMatrix graph(Index n, const std::vector<std::pair<int, int>>& edges) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [i, j] : edges) {
    entries.emplace_back(i, j, 1.0);
    entries.emplace_back(j, i, 1.0);
  }
  SparseMatrix W(n, n);
  W.setFromTriplets(entries.begin(), entries.end());
  return W;
}

TEST(ConnectedComponents, AreNumberedByTheirFirstVertex) {
  const Components components = connected_components(graph(7, {{6, 1}, {1, 4}, {0, 5}}));
  EXPECT_EQ(components.count, 4);
  EXPECT_EQ(components.of, (std::vector<int>{0, 1, 2, 3, 1, 0, 1}));
  EXPECT_EQ(components.sizes, (std::vector<Index>{2, 3, 1, 1}));
}

TEST(ConnectedComponents, IgnoreLoopsAndStoredZeros) {
  SparseMatrix W = graph(3, {{0, 0}, {1, 2}});
  W.coeffRef(1, 2) = 0.0;
  W.coeffRef(2, 1) = 0.0;
  EXPECT_EQ(connected_components(W).count, 3);
}

TEST(ConnectedComponents, OfNothingAreNone) {
  EXPECT_EQ(connected_components(SparseMatrix(0, 0)).count, 0);
  EXPECT_EQ(connected_components(SparseMatrix(4, 4)).count, 4);
}

TEST(ConnectedComponents, RefuseARectangle) {
  EXPECT_THROW(connected_components(SparseMatrix(3, 4)), DataError);
}

TEST(ConnectedComponents, AgreeWithReachability) {
  EXPECT_TRUE(rc::check([] {
    const int n = *rc::gen::inRange(1, 15);
    const auto edges = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(0, n), rc::gen::inRange(0, n)));
    std::vector<std::vector<char>> reaches(n, std::vector<char>(n, 0));
    for (int v = 0; v < n; ++v) reaches[v][v] = 1;
    for (const auto& [i, j] : edges) reaches[i][j] = reaches[j][i] = 1;
    for (int via = 0; via < n; ++via) {
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j)
          reaches[i][j] |= static_cast<char>(reaches[i][via] & reaches[via][j]);
      }
    }
    const Components components = connected_components(graph(n, edges));
    Index total = 0;
    for (const Index size : components.sizes) total += size;
    RC_ASSERT(total == n);
    RC_ASSERT(static_cast<int>(components.sizes.size()) == components.count);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j)
        RC_ASSERT((components.of[i] == components.of[j]) == (reaches[i][j] != 0));
    }
  }));
}

}  // namespace
}  // namespace subspace
