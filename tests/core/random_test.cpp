// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include <subspace/core/random.h>

namespace subspace {
namespace {

using Block = std::array<std::uint32_t, 4>;

// The known-answer vectors published with Random123 for philox4x32-10.
TEST(RandomStream, MatchesThePublishedPhiloxVectors) {
  EXPECT_EQ(RandomStream::block({0, 0, 0, 0}, {0, 0}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(RandomStream::block({ones, ones, ones, ones}, {ones, ones}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(RandomStream::block({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                                {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, IsAFunctionOfSeedStreamAndIndex) {
  std::set<std::uint32_t> firsts;
  for (std::uint64_t seed : {0ULL, 1ULL, 1ULL << 32}) {
    for (std::uint32_t stream : {1U, 2U}) {
      for (std::uint32_t index : {0U, 1U}) {
        RandomStream once(seed, stream, index);
        RandomStream again(seed, stream, index);
        const std::uint32_t first = once();
        EXPECT_EQ(first, again());
        firsts.insert(first);
      }
    }
  }
  EXPECT_EQ(firsts.size(), 12U) << "two streams start alike";
}

TEST(RandomStream, UniformHasTheMomentsOfTheUniform) {
  RandomStream random(7);
  constexpr int kDraws = 200000;
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = random.uniform();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    sum += value;
    squares += value * value;
  }
  // Five standard errors of the mean: 5 / sqrt(12 n).
  EXPECT_NEAR(sum / kDraws, 0.5, 5.0 / std::sqrt(12.0 * kDraws));
  EXPECT_NEAR(squares / kDraws, 1.0 / 3.0, 0.003);
}

TEST(RandomStream, NormalHasUnitVariance) {
  RandomStream random(11);
  constexpr int kDraws = 200000;
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = random.normal();
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / kDraws, 0.0, 5.0 / std::sqrt(kDraws));
  EXPECT_NEAR(squares / kDraws, 1.0, 5.0 * std::sqrt(2.0 / kDraws));
}

TEST(RandomStream, BelowCoversItsRangeEvenly) {
  RandomStream random(3);
  std::vector<int> counts(7);
  constexpr int kDraws = 70000;
  for (int i = 0; i < kDraws; ++i) ++counts.at(random.below(7));
  for (const int count : counts) EXPECT_NEAR(count, 10000, 5.0 * std::sqrt(10000.0));
  EXPECT_EQ(random.below(1), 0U);
}

}  // namespace
}  // namespace subspace
