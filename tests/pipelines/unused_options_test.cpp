// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <subspace/pipelines/catalogue.h>

#include "support/random_data.h"

namespace subspace::pipelines {
namespace {

using ::testing::AllOf;
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

TEST(UnusedOptions, TheSideOfAThresholdThatKeepsAllIsWarnedOf) {
  EXPECT_THAT(warnings_of("edsc", {{"affinity.keep_of", "others"}}),
              Contains("affinity.keep_of = others has no effect: affinity.keep = 1, and it counts "
                       "for all but 1"));
  const auto none = Not(Contains(HasSubstr("has no effect")));
  EXPECT_THAT(warnings_of("edsc", {{"affinity.keep_of", "others"}, {"affinity.keep", "0.5"}}),
              none);
  EXPECT_THAT(warnings_of("edsc", {{"affinity.keep_of", "own"}}), none);
}

TEST(UnusedOptions, OfAnotherSolverAreWarnedOf) {
  std::vector<std::string> solvers = {"active-set", "admm", "official"};
#ifdef SUBSPACE_WITH_OSQP
  solvers.emplace_back("osqp");
#endif
  for (const std::string method : {"ssc", "kssc"}) {
    const std::string solver = method + ".solver";
    const std::string rounds = method + ".max_rounds";
    const std::string iterations = method + ".max_iterations";
    for (const std::string& name : solvers) {
      const std::vector<std::string> warnings =
          warnings_of(method, {{solver, name}, {rounds, "901"}, {iterations, "902"}});
      const std::string reason = " has no effect: " + solver + " = " + name;
      const auto rounds_idle = Contains(HasSubstr(rounds + " = 901" + reason));
      const auto iterations_idle = Contains(HasSubstr(iterations + " = 902" + reason));
      if (name == "active-set") {
        EXPECT_THAT(warnings, AllOf(Not(rounds_idle), iterations_idle)) << method;
      } else if (name == "admm") {
        EXPECT_THAT(warnings, AllOf(rounds_idle, Not(iterations_idle))) << method;
      } else {
        EXPECT_THAT(warnings, AllOf(rounds_idle, iterations_idle)) << method;
      }
    }
  }
}

TEST(UnusedOptions, OfTheOtherWaysOfLrrAreWarnedOf) {
  EXPECT_THAT(warnings_of("lrr", {{"lrr.schedule", "published"}, {"lrr.tolerance", "0.01"}}),
              Contains("lrr.tolerance = 0.01 has no effect: lrr.schedule = published, and it "
                       "counts for balanced"));
  const std::vector<std::string> closed = warnings_of(
      "lrr", {{"lrr.noise_free", "true"}, {"lrr.tolerance", "0.01"}, {"lrr.max_iterations", "50"}});
  for (const std::string key : {"lrr.tolerance = 0.01", "lrr.max_iterations = 50"}) {
    EXPECT_THAT(closed, Contains(HasSubstr(key + " has no effect: lrr.noise_free = true")));
  }
  EXPECT_THAT(warnings_of("lrr", {{"lrr.tolerance", "0.01"}, {"lrr.max_iterations", "50"}}),
              Not(Contains(HasSubstr("has no effect"))));
}

TEST(UnusedOptions, AScaleBesideAWidthIsWarnedOf) {
  const std::vector<KeyText> scaled = {{"kssc.kernel", "gaussian"}, {"kssc.sigma_scale", "3"}};
  EXPECT_THAT(warnings_of("kssc", scaled), Not(Contains(HasSubstr("has no effect"))));
  std::vector<KeyText> both = scaled;
  both.emplace_back("kssc.sigma", "2");
  EXPECT_THAT(warnings_of("kssc", both),
              Contains("kssc.sigma_scale = 3 has no effect: kssc.sigma = 2, and it counts for 0"));
}

TEST(UnusedOptions, OfTheOtherRuleOfAModelAreWarnedOf) {
  for (const std::string key : {"model.exemplars_per_cluster", "model.exemplar_weight"}) {
    EXPECT_THAT(warnings_of("ensc", {{key, "7"}}),
                Contains(HasSubstr(key + " = 7 has no effect: model.rule = subspaces")));
    EXPECT_THAT(warnings_of("ensc", {{"model.rule", "exemplars"}, {key, "7"}}),
                Not(Contains(HasSubstr("has no effect"))));
  }
  EXPECT_THAT(
      warnings_of("ensc", {{"model.subspace_energy", "0.5"}, {"model.subspace_dimension", "2"}}),
      Contains(HasSubstr("model.subspace_energy = 0.5 has no effect: "
                         "model.subspace_dimension = 2")));
  // The subspaces are kept beside the exemplars, and their dimensions stand in the record.
  EXPECT_THAT(warnings_of("ensc", {{"model.rule", "exemplars"}, {"model.subspace_energy", "0.5"}}),
              Not(Contains(HasSubstr("has no effect"))));
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
