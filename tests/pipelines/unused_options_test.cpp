// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <subspace/pipelines/catalogue.h>

#include "support/random_data.h"

namespace subspace::pipelines {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> warnings_of(const std::string& method,
                                     const std::vector<KeyText>& settings) {
  Clusterer clusterer(method);
  for (const auto& [key, text] : settings) clusterer.set(key, text);
  return clusterer.run(testing::random_matrix(6, 12, 3), 2).warnings;
}

/// Every option as it is, as `--print-config` writes them.
std::vector<KeyText> all_options(const std::string& method) {
  std::vector<KeyText> settings;
  const Clusterer clusterer(method);
  for (const MethodOption& option : clusterer.options()) {
    settings.emplace_back(option.key(), value_text(option.parameter));
  }
  return settings;
}

TEST(UnusedOptions, AreWarnedOf) {
  EXPECT_THAT(warnings_of("kssc", {{"kssc.sigma", "2"}}),
              Contains("kssc.sigma = 2 has no effect: kssc.kernel = polynomial, and it counts for "
                       "gaussian"));
  EXPECT_THAT(
      warnings_of("ensc", {{"affinity.power", "8"}}),
      Contains(HasSubstr("affinity.power = 8 has no effect: affinity.kind = unit-columns")));
  EXPECT_THAT(
      warnings_of("ensc", {{"assignment.algorithm", "discretize"}, {"kmeans.restarts", "3"}}),
      Contains(HasSubstr("kmeans.restarts = 3 has no effect")));
  EXPECT_THAT(warnings_of("edsc", {{"edsc.outlier_weight", "0.1"}}),
              Contains(HasSubstr("edsc.outliers = false")));
}

TEST(UnusedOptions, ThoseThatCountAreNot) {
  const auto none = Not(Contains(HasSubstr("has no effect")));
  EXPECT_THAT(warnings_of("kssc", {{"kssc.kernel", "gaussian"}, {"kssc.sigma", "2"}}), none);
  EXPECT_THAT(warnings_of("kssc", {{"kssc.degree", "3"}}), none);
  EXPECT_THAT(warnings_of("edsc", {{"affinity.power", "8"}, {"edsc.lambda", "3"}}), none);
  EXPECT_THAT(warnings_of("kmeans", {{"kmeans.restarts", "3"}}), none);
  EXPECT_THAT(warnings_of("ensc", {{"kmeans.restarts", "3"}, {"affinity.top", "4"}}), none);
}

// A default is nobody's wish, also where a file of settings gives it.
TEST(UnusedOptions, DefaultsAreNotWarnedOf) {
  for (const std::string method : {"ensc", "ssc", "kssc", "edsc", "lsr"}) {
    const auto none = Not(Contains(HasSubstr("has no effect")));
    EXPECT_THAT(warnings_of(method, {}), none) << method;
    EXPECT_THAT(warnings_of(method, all_options(method)), none) << method;
  }
}

TEST(UnusedOptions, APostprocessingThatChangesNothingIsWarnedOf) {
  std::vector<KeyText> settings = all_options("ensc");
  settings.emplace_back("affinity.postprocess", "dsc");
  EXPECT_THAT(warnings_of("ensc", settings),
              Contains(HasSubstr("affinity.postprocess = dsc leaves as they were set: "
                                 "affinity.kind")));
  const auto none = Not(Contains(HasSubstr("leaves as they were set")));
  EXPECT_THAT(warnings_of("ensc", {{"affinity.postprocess", "dsc"}, {"affinity.power", "3"}}),
              none);
}

}  // namespace
}  // namespace subspace::pipelines
