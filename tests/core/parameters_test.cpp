// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include <subspace/core/error.h>
#include <subspace/core/parameters.h>

#include "support/message_of.h"

namespace subspace {
namespace {

enum class Colour { kRed, kGreen };

struct Options {
  double tau = 0.9;
  double free = 0.0;
  int rounds = 4;
  bool center = false;
  Colour colour = Colour::kRed;
};

Parameters describe(Options& options) {
  return {
      parameter("tau", options.tau, "balance").above(0).at_most(1).written("tau"),
      parameter("free", options.free, "any number"),
      parameter("rounds", options.rounds, "rounds").at_least(1),
      parameter("center", options.center, "centre first"),
      choice("colour", options.colour, {{"red", Colour::kRed}, {"green", Colour::kGreen}},
             "a colour"),
  };
}

std::string refusal(int which, const std::string& text) {
  Options options;
  return testing::message_of<InvalidArgument>(
      [&] { set_from_text(describe(options).at(static_cast<std::size_t>(which)), text, "s.key"); });
}

TEST(Parameters, DescribeTypeRuleAndValue) {
  Options options;
  const Parameters all = describe(options);
  EXPECT_EQ(type_name(all[0]), "number");
  EXPECT_EQ(type_name(all[2]), "integer");
  EXPECT_EQ(type_name(all[3]), "bool");
  EXPECT_EQ(type_name(all[4]), "choice");
  EXPECT_EQ(rule(all[0]), "0 < tau <= 1");
  int seeds = 1;
  EXPECT_EQ(rule(parameter("seeds", seeds, "").at_least(1).at_most(100000)),
            "1 <= seeds <= 100000");
  EXPECT_EQ(rule(all[1]), "");
  EXPECT_EQ(rule(all[2]), "rounds >= 1");
  EXPECT_EQ(rule(all[4]), "one of red, green");
  EXPECT_EQ(value_text(all[0]), "0.9");
  EXPECT_EQ(value_text(all[3]), "false");
  EXPECT_EQ(value_text(all[4]), "red");
}

TEST(Parameters, SetTheFieldTheyAreBoundTo) {
  Options options;
  const Parameters all = describe(options);
  set_from_text(all[0], "0.25", "tau");
  set_from_text(all[2], "7", "rounds");
  set_from_text(all[3], "yes", "center");
  set_from_text(all[4], "green", "colour");
  EXPECT_EQ(options.tau, 0.25);
  EXPECT_EQ(options.rounds, 7);
  EXPECT_TRUE(options.center);
  EXPECT_EQ(options.colour, Colour::kGreen);
}

TEST(Parameters, RefuseWithNameValueAndRule) {
  EXPECT_EQ(refusal(0, "1.3"), "s.key = 1.3, must satisfy 0 < tau <= 1");
  EXPECT_EQ(refusal(0, "0"), "s.key = 0, must satisfy 0 < tau <= 1");
  EXPECT_EQ(refusal(0, "nan"), "s.key = nan, must be finite");
  EXPECT_EQ(refusal(0, "much"), "s.key = 'much', must be a number");
  EXPECT_EQ(refusal(1, "inf"), "s.key = inf, must be finite");
  EXPECT_EQ(refusal(2, "2.5"), "s.key = '2.5', must be an integer");
  EXPECT_EQ(refusal(2, "99999999999"),
            "s.key = 99999999999, must satisfy 1 <= rounds <= 2147483647");
  EXPECT_EQ(refusal(2, "-99999999999999999999999"),
            "s.key = -99999999999999999999999, must satisfy 1 <= rounds <= 2147483647");
  EXPECT_EQ(refusal(2, "99999999999x"), "s.key = '99999999999x', must be an integer");
  EXPECT_EQ(refusal(2, "-"), "s.key = '-', must be an integer");
  EXPECT_EQ(refusal(2, "0"), "s.key = 0, must satisfy rounds >= 1");
  EXPECT_EQ(refusal(3, "maybe"), "s.key = 'maybe', must be true or false");
  EXPECT_EQ(refusal(4, "blue"), "s.key = blue, must be one of red, green");
  EXPECT_EQ(refusal(2, ""), "s.key = '', must be an integer");
}

TEST(Parameters, ARefusedValueLeavesTheFieldAlone) {
  Options options;
  EXPECT_THROW(set_from_text(describe(options)[0], "2", "tau"), InvalidArgument);
  EXPECT_EQ(options.tau, 0.9);
}

TEST(Parameters, CheckNamesFunctionFieldAndRule) {
  Options options;
  EXPECT_NO_THROW(check(describe(options), "f"));
  options.tau = std::nan("");
  EXPECT_EQ(testing::message_of<InvalidArgument>([&] { check(describe(options), "elastic_net"); }),
            "elastic_net: tau = nan, must be finite");
}

TEST(Parameters, NumbersRoundTripThroughText) {
  EXPECT_TRUE(rc::check([] {
    Options options;
    options.free = *rc::gen::arbitrary<double>();
    RC_PRE(std::isfinite(options.free));
    const Parameters all = describe(options);
    const double before = options.free;
    const std::string text = value_text(all[1]);
    options.free = 0.0;
    set_from_text(all[1], text, "free");
    RC_ASSERT(options.free == before);
  }));
}

TEST(NearestName, SuggestsWhatWasProbablyMeant) {
  const std::vector<std::string> names = {"kmeans", "spectral", "ensc"};
  EXPECT_EQ(nearest_name("kmean", names), "kmeans");
  EXPECT_EQ(nearest_name("esnc", names), "ensc");
  EXPECT_EQ(nearest_name("zzzzzzzzzz", names), "");
  EXPECT_EQ(nearest_name("x", {}), "");
}

}  // namespace
}  // namespace subspace
