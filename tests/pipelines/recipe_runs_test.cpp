// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// Most built-in recipes that learn take a GPU or hours, so nobody runs them often. Here every one
// is run to its labels in miniature: its own options, but two steps a stage, a narrow network and a
// handful of generated pictures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <subspace/core/random.h>
#include <subspace/pipelines/recipe.h>

#include "support/random_data.h"

namespace subspace::pipelines {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Ge;
using ::testing::Lt;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAreArray;

constexpr Index kCount = 12;
constexpr int kClusters = 3;

/// A recipe and the shape of its data: a picture's, or a height of 0 and that many channels.
struct Learning {
  std::string recipe = {};
  datasets::ImageShape shape = {};
};
void PrintTo(const Learning& learning, std::ostream* out) { *out << learning.recipe; }

const std::vector<Learning>& learning_recipes() {
  static const std::vector<Learning> all = {
      {"cifar10", {3, 32, 32}},  {"cifar10-short", {3, 32, 32}}, {"cifar20", {3, 32, 32}},
      {"coil20", {1, 64, 64}},   {"coil100", {1, 64, 64}},       {"coil100-color", {3, 64, 64}},
      {"double-spiral", {2}},    {"imagenet10", {3, 96, 96}},    {"imagenet-dogs", {3, 96, 96}},
      {"manifolds", {100}},      {"manifolds-unbiased", {100}},  {"stl10", {3, 96, 96}},
      {"turntable", {1, 64, 64}}};
  return all;
}

bool is_run(const RecipeRow& row) {
  return row.settings_published && asks_for_learning(row.method);
}

Clusterer miniature(const RecipeRow& row) {
  Clusterer clusterer(row.method);
  for (const auto& [key, text] : row.set) clusterer.set(key, text);
  const std::vector<std::string> stages = clusterer.learned_stages();
  for (const std::string& stage : stages) {
    const Parameter& steps = clusterer.find(stage + ".steps").parameter;
    if (value_text(steps) != "0") clusterer.set(stage + ".steps", "2");
    clusterer.set(stage + ".batch", "8");
  }
  // The later stages go on with the network of the first. 16 filters are the fewest of any recipe;
  // the features stay as many as they are, for few of them collapse easily.
  for (const auto& [name, text] : {KeyText("filters", "16"), {"hidden", "256"}}) {
    clusterer.set(stages.front() + "." + name, text);
  }
  return clusterer;
}

/// Waves of random length and brightness: to a network that pools, pictures of noise are all the
/// same, and training refuses features that are.
Matrix random_pictures(const datasets::ImageShape& shape) {
  RandomStream random = stream(4, Stream::kTest);
  Matrix X(shape.num_values(), kCount);
  for (Index j = 0; j < kCount; ++j) {
    const double frequency = random.uniform();
    const double brightness = random.uniform();
    for (Index i = 0; i < X.rows(); ++i) {
      X(i, j) = brightness * (0.5 + 0.5 * std::sin(frequency * static_cast<double>(i)));
    }
  }
  return X;
}

Matrix values_of(const datasets::ImageShape& shape) {
  if (shape.height > 0) return random_pictures(shape);
  return 14.0 * testing::random_matrix(shape.channels, kCount, 4);  // as wide as the spiral
}

class EveryRecipeThatLearns : public ::testing::TestWithParam<Learning> {
 protected:
  void SetUp() override {
    if (feature_learners().empty()) GTEST_SKIP() << "this build has no LibTorch";
  }
};

TEST_P(EveryRecipeThatLearns, GoesFromPointsToLabels) {
  const datasets::ImageShape& shape = GetParam().shape;
  const Matrix X = values_of(shape);
  Points points = {X};
  if (shape.height > 0) points.image = shape;
  for (const RecipeRow& row : find_recipe(GetParam().recipe).rows) {
    if (!is_run(row)) continue;
    SCOPED_TRACE(row.name);
    const Outcome outcome =
        miniature(row).run(points, kClusters, {.device = "cpu"}, {.num_threads = 1});
    EXPECT_THAT(outcome.labels, SizeIs(kCount));
    EXPECT_THAT(outcome.labels, Each(AllOf(Ge(0), Lt(kClusters))));
  }
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, EveryRecipeThatLearns, ::testing::ValuesIn(learning_recipes()),
                         [](const auto& tested) {
                           std::string name = tested.param.recipe;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(RecipesThatLearn, AreAllRunHere) {
  std::vector<std::string> found, expected;
  for (const std::string& name : recipe_names()) {
    if (std::ranges::any_of(find_recipe(name).rows, is_run)) found.push_back(name);
  }
  for (const Learning& learning : learning_recipes()) expected.push_back(learning.recipe);
  EXPECT_THAT(expected, UnorderedElementsAreArray(found));
}

}  // namespace
}  // namespace subspace::pipelines
