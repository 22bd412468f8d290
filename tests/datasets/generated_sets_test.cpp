// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// Generated points as data sets by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <subspace/core/error.h>
#include <subspace/datasets/registry.h>
#include <subspace/datasets/sha256.h>
#include <subspace/datasets/synthetic.h>

#include "support/message_of.h"

namespace subspace::datasets {
namespace {

using ::testing::HasSubstr;
using testing::message_of;

Dataset open(const std::string& name) { return Dataset(*parse_dataset_name(name), {"/nowhere"}); }

struct NamedGenerator {
  std::string name = {};
  Generated (*generate)(std::uint64_t seed) = nullptr;
};

/// What each name means, in words of the generators.
std::vector<NamedGenerator> meanings() {
  return {{"double-spiral",
           [](std::uint64_t seed) {
             return double_spiral({.points_per_arm = 2048, .noise = 0.05, .seed = seed});
           }},
          {"manifolds",
           [](std::uint64_t seed) {
             return manifold_mixture({.biases = true, .points_per_manifold = 2048, .seed = seed});
           }},
          {"manifolds-unbiased",
           [](std::uint64_t seed) {
             return manifold_mixture({.biases = false, .points_per_manifold = 2048, .seed = seed});
           }},
          {"subspaces", [](std::uint64_t seed) { return union_of_subspaces({.seed = seed}); }}};
}

TEST(GeneratedSetsTest, ANameMeansItsGeneratorAndTheItemItsSeed) {
  for (const auto& [name, generate] : meanings()) {
    for (const std::string item : {"", "/0", "/7"}) {
      const Dataset set = open(name + item);
      const Generated expected = generate(item == "/7" ? 7 : 0);
      const PointSet points = set.load_points();
      EXPECT_EQ(points.X, expected.points.X) << name << item;
      EXPECT_EQ(points.name, name + item);
      EXPECT_EQ(points.sha256, content_sha256(expected.points.X));
      EXPECT_FALSE(points.image);
      EXPECT_EQ(set.load_labels(), expected.truth) << name << item;
      EXPECT_TRUE(set.files().empty());
      EXPECT_TRUE(set.items().empty());
      EXPECT_EQ(set.info().item, "SEED");
      EXPECT_EQ(set.info().samples, points.X.cols());
      EXPECT_EQ(set.info().dimension, points.X.rows());
    }
  }
}

TEST(GeneratedSetsTest, LabelsAreVerifiedAndValuesHaveNoHashToCompare) {
  for (const auto& [name, generate] : meanings()) {
    const Verification result = open(name + "/3").verify();
    const Generated expected = generate(3);
    EXPECT_EQ(result.samples, expected.points.X.cols());
    EXPECT_EQ(result.sha256, content_sha256(expected.points.X));
    EXPECT_FALSE(result.hash_known);
    EXPECT_EQ(find_dataset(name).sha256, "");
  }
}

TEST(GeneratedSetsTest, SeedsAreWholeNumbersOf64Bits) {
  const auto largest = parse_dataset_name("manifolds-unbiased/18446744073709551615");
  ASSERT_TRUE(largest);
  EXPECT_EQ(largest->set, "manifolds-unbiased");
  EXPECT_EQ(largest->item, "18446744073709551615");
  for (const std::string bad :
       {"", "x", "-1", "+1", " 1", "1.5", "1e3", "0x1", "1/2", "18446744073709551616"}) {
    EXPECT_EQ(message_of<InvalidArgument>([&] { parse_dataset_name("subspaces/" + bad); }),
              "seed of subspaces = '" + bad +
                  "', must be a whole number of 0 to 18446744073709551615; a file in a folder of "
                  "that name is ./subspaces/FILE");
  }
  EXPECT_FALSE(parse_dataset_name("turntable/3")) << "a path: the turntable has no items";
  const Dataset unparsed({.set = "subspaces", .item = "x"}, {"/nowhere"});
  EXPECT_THAT(message_of<InvalidArgument>([&] { unparsed.load_points(); }),
              HasSubstr("seed of subspaces/x = 'x', must be a whole number"));
}

TEST(GeneratedSetsTest, HaveNoPicturesToBringToASize) {
  EXPECT_EQ(message_of<InvalidArgument>([] { open("manifolds/2@32"); }),
            "manifolds/2@32: has no pictures to bring to a size");
  const LoadOptions sized = {.image_size = ImageSize{8, 8}};
  EXPECT_EQ(message_of<InvalidArgument>([&] { open("subspaces").load_points(sized); }),
            "subspaces: has no pictures to bring to a size");
}

TEST(GeneratedSetsTest, TooLittleMemoryIsRefusedBeforeAnyWork) {
  const Context context{.max_memory = 1000};
  EXPECT_THAT(message_of<ResourceError>([&] { open("subspaces").load_points({}, context); }),
              HasSubstr("subspaces: needs about"));
}

}  // namespace
}  // namespace subspace::datasets
