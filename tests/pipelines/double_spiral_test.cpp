// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include <subspace/datasets/synthetic.h>
#include <subspace/metrics/partition.h>
#include <subspace/pipelines/recipe.h>

namespace subspace::pipelines {
namespace {

Clusterer in_stages() {
  const Recipe recipe = find_recipe("double-spiral");
  const auto row = std::ranges::find(recipe.rows, "NMCE, in stages", &RecipeRow::name);
  if (row == recipe.rows.end()) throw std::out_of_range("no row NMCE, in stages");
  Clusterer clusterer(row->method);
  for (const auto& [key, text] : row->set) clusterer.set(key, text);
  return clusterer;
}

// Of the four trainings in docs/results, those of seeds 0 and 2 tell the arms apart; the row takes
// the best by its loss, which is that of seed 2. It takes five minutes of one core.
TEST(DoubleSpiral, ItsArmsAreToldApartInStages) {
  if (feature_learners().empty()) GTEST_SKIP() << "this build has no LibTorch";
  if (std::getenv("SUBSPACE_TEST_SPIRAL") == nullptr) {
    GTEST_SKIP() << "takes five minutes: set SUBSPACE_TEST_SPIRAL=1";
  }
  const datasets::Generated spiral = datasets::double_spiral({.points_per_arm = 2048});
  const Outcome outcome =
      in_stages().run(Points{spiral.points.X}, 2, {.seed = 2, .device = "cpu"}, {.num_threads = 1});
  EXPECT_GE(evaluate_partition(outcome.labels, spiral.truth).acc, 0.99);
}

}  // namespace
}  // namespace subspace::pipelines
