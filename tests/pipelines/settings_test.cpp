// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/settings.h>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>

#include "expect_error.h"

namespace subspace::pipelines {
namespace {

using ::subspace::testing::message_of;
using ::testing::HasSubstr;

/// Text as file names have it: letters, what TOML must escape, and more than one byte a character.
rc::Gen<std::string> arbitrary_text() {
  const auto piece =
      rc::gen::element<std::string>("a", "Z", "0", " ", "\"", "\\", "'", "#", "=", "[", "\t", "\n",
                                    "\x01", "\x7f", "/", ".", "\xc3\xa9", "\xe6\x97\xa5");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece),
                      [](const std::vector<std::string>& pieces) {
                        std::string text;
                        for (const std::string& part : pieces) text += part;
                        return text;
                      });
}

std::string arbitrary_value(const Parameter& parameter) {
  const ParameterValue value = parameter.get();
  if (std::holds_alternative<bool>(value)) return *rc::gen::element<std::string>("true", "false");
  if (std::holds_alternative<std::string>(value)) return *rc::gen::elementOf(parameter.choices);
  const double low = std::isfinite(parameter.minimum) ? parameter.minimum : -1e6;
  const double high = std::min(parameter.maximum, low + 1e6);
  const int step = *rc::gen::inRange(1, 1'000'000);
  if (std::holds_alternative<std::int64_t>(value)) {
    return std::to_string(static_cast<int>(std::min(high, low + step)));
  }
  double number = low + (high - low) * step / 1e6;
  const Parameter bound = subspace::parameter("", number, "");
  return value_text(bound);
}

RunSettings arbitrary_settings() {
  RunSettings settings;
  settings.method = *rc::gen::elementOf(method_names());
  settings.input = *arbitrary_text();
  settings.truth = *arbitrary_text();
  settings.out = *arbitrary_text();
  settings.json = *arbitrary_text();
  settings.y = *arbitrary_text();
  settings.columns_are_samples = *rc::gen::arbitrary<bool>();
  settings.seed = *rc::gen::arbitrary<std::uint64_t>();
  if (*rc::gen::arbitrary<bool>()) settings.clusters = *rc::gen::arbitrary<int>();
  settings.estimate_clusters = !settings.clusters && *rc::gen::arbitrary<bool>();
  settings.max_clusters = *rc::gen::inRange(2, 100);
  settings.start = *arbitrary_text();
  settings.confidence = *arbitrary_text();
  settings.threads = *rc::gen::inRange(0, 1000);
  settings.max_memory = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 52);
  settings.progress =
      *rc::gen::element(ProgressMode::kAuto, ProgressMode::kNever, ProgressMode::kJson);
  settings.verbosity =
      *rc::gen::element(Verbosity::kQuiet, Verbosity::kNormal, Verbosity::kVerbose);
  const Clusterer clusterer(settings.method);
  for (const MethodOption& option : clusterer.options()) {
    if (*rc::gen::arbitrary<bool>()) {
      settings.set.push_back({option.key(), arbitrary_value(option.parameter), false});
    }
  }
  return settings;
}

std::vector<KeyText> texts(RunSettings settings) {
  std::vector<KeyText> all;
  for (const Setting& setting : describe(settings)) all.emplace_back(setting.name, setting.get());
  return all;
}

RC_GTEST_PROP(Settings, PrintedConfigurationReadsBackToTheSame, ()) {
  const RunSettings settings = arbitrary_settings();
  const std::string printed = to_toml(settings);
  RunSettings read;
  apply_toml(read, printed, "printed");
  RC_ASSERT(texts(read) == texts(settings));
  RC_ASSERT(make_clusterer(read).values() == make_clusterer(settings).values());
  RC_ASSERT(to_toml(read) == printed);
}

TEST(Settings, FileThenEnvironmentThenFlagsEachOverride) {
  RunSettings settings;
  apply_toml(settings,
             "seed = 1\nthreads = 1\nmethod = 'ensc'\n[set]\nensc.gamma = 10\nensc.tau = 0.5\n",
             "f");
  apply_environment(settings,
                    {{"SUBSPACE_SEED", "2"}, {"SUBSPACE_SET_ENSC_GAMMA", "20"}, {"HOME", "x"}});
  EXPECT_EQ(settings.seed, 2u);
  EXPECT_EQ(settings.threads, 1);
  settings.set.push_back({"gamma", "30", false});
  const Clusterer clusterer = make_clusterer(settings);
  EXPECT_EQ(value_text(clusterer.find("gamma").parameter), "30");
  EXPECT_EQ(value_text(clusterer.find("tau").parameter), "0.5");
}

TEST(Settings, FlagAndVariableAreMadeFromTheName) {
  RunSettings settings;
  for (const Setting& setting : describe(settings)) {
    EXPECT_FALSE(setting.help.empty()) << setting.name;
    if (setting.name == "max_memory") {
      EXPECT_EQ(setting.flag(), "--max-memory");
      EXPECT_EQ(setting.variable(), "SUBSPACE_MAX_MEMORY");
    }
  }
}

TEST(Settings, EnvironmentNamesOptionsFullyOrBarely) {
  RunSettings settings;
  apply_environment(
      settings, {{"SUBSPACE_SET_KMEANS_MAX_ITERATIONS", "7"}, {"SUBSPACE_SET_MAX_ROUNDS", "9"}});
  const Clusterer clusterer = make_clusterer(settings);
  EXPECT_EQ(value_text(clusterer.find("kmeans.max_iterations").parameter), "7");
  EXPECT_EQ(value_text(clusterer.find("ensc.max_rounds").parameter), "9");
}

TEST(Settings, EnvironmentMayHoldOptionsOfOtherMethods) {
  RunSettings settings;
  settings.method = "kmeans";
  apply_environment(settings, {{"SUBSPACE_SET_ENSC_GAMMA", "7"},
                               {"SUBSPACE_SET_GAMMA", "8"},
                               {"SUBSPACE_SET_KMEANS_RESTARTS", "3"}});
  const Clusterer clusterer = make_clusterer(settings);
  EXPECT_EQ(value_text(clusterer.find("kmeans.restarts").parameter), "3");
}

TEST(Settings, UnknownOptionInTheEnvironmentNamesTheNearest) {
  RunSettings settings;
  apply_environment(settings, {{"SUBSPACE_SET_ENSC_GAMA", "7"}});
  EXPECT_THAT(message_of<InvalidArgument>([&] { make_clusterer(settings); }),
              HasSubstr("did you mean SUBSPACE_SET_ENSC_GAMMA?"));
}

TEST(Settings, EmptyVariableIsNotSet) {
  RunSettings settings;
  apply_environment(settings, {{"SUBSPACE_SEED", ""}, {"SUBSPACE_SET_ENSC_GAMMA", ""}});
  EXPECT_EQ(settings.seed, 0u);
  EXPECT_TRUE(settings.set.empty());
}

TEST(Settings, BadValueIsRefusedUnderTheNameOfItsSource) {
  RunSettings settings;
  EXPECT_THAT(message_of<InvalidArgument>([&] {
                apply_environment(settings, {{"SUBSPACE_THREADS", "-1"}});
              }),
              HasSubstr("SUBSPACE_THREADS = -1"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { apply_toml(settings, "seed = -1", "a.toml"); }),
              HasSubstr("a.toml: seed = '-1'"));
  EXPECT_THAT(
      message_of<InvalidArgument>([&] { apply_toml(settings, "progress = 'loud'", "a.toml"); }),
      HasSubstr("one of auto, never, json"));
}

TEST(Settings, IntegersThatFitNoTypeAreRefusedWithTheirRange) {
  const auto refusal = [](const std::string& variable, const std::string& text) {
    RunSettings settings;
    return message_of<InvalidArgument>([&] {
      apply_environment(settings, {{variable, text}});
      make_clusterer(settings);
    });
  };
  EXPECT_EQ(refusal("SUBSPACE_CLUSTERS", "99999999999"),
            "SUBSPACE_CLUSTERS = '99999999999', must be an integer from 1 to 2147483647, at most "
            "the number of points");
  EXPECT_EQ(refusal("SUBSPACE_CLUSTERS", "99999999999x"),
            "SUBSPACE_CLUSTERS = '99999999999x', must be an integer or auto");
  EXPECT_EQ(refusal("SUBSPACE_THREADS", "99999999999"),
            "SUBSPACE_THREADS = 99999999999, must satisfy 0 <= threads <= 1024");
  EXPECT_EQ(refusal("SUBSPACE_SET_KMEANS_RESTARTS", "99999999999"),
            "kmeans.restarts = 99999999999, must satisfy 1 <= restarts <= 2147483647");
  EXPECT_EQ(refusal("SUBSPACE_SEED", "18446744073709551616"),
            "SUBSPACE_SEED = '18446744073709551616', must be an integer from 0 to 2^64 - 1");
  EXPECT_EQ(refusal("SUBSPACE_MAX_MEMORY", "1e30"),
            "SUBSPACE_MAX_MEMORY = '1e30', must be less than 9.2e18 bytes");
}

TEST(Settings, MalformedTomlSaysFileAndLine) {
  RunSettings settings;
  EXPECT_THAT(message_of<InvalidArgument>(
                  [&] { apply_toml(settings, "seed = 1\nthreads = = 2\n", "a.toml"); }),
              HasSubstr("a.toml: line 2"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { apply_toml(settings, "sead = 1\n", "a.toml"); }),
              HasSubstr("a.toml: unknown key 'sead'; did you mean 'seed'?"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { apply_toml(settings, "seed = [1]\n", "a.toml"); }),
              HasSubstr("a.toml: seed"));
}

TEST(Settings, MissingFileIsAnIoError) {
  RunSettings settings;
  EXPECT_THAT(message_of<IoError>([&] { apply_toml_file(settings, "/nowhere/run.toml"); }),
              HasSubstr("/nowhere/run.toml"));
}

TEST(ParseBytes, ReadsDecimalAndBinaryUnits) {
  EXPECT_EQ(parse_bytes("4G", ""), 4'000'000'000);
  EXPECT_EQ(parse_bytes("512M", ""), 512'000'000);
  EXPECT_EQ(parse_bytes("1.5k", ""), 1500);
  EXPECT_EQ(parse_bytes("2K", ""), 2000);
  EXPECT_EQ(parse_bytes("1e9", ""), 1'000'000'000);
  EXPECT_EQ(parse_bytes("2GB", ""), 2'000'000'000);
  EXPECT_EQ(parse_bytes("2Gi", ""), std::int64_t{2} << 30);
  EXPECT_EQ(parse_bytes("1MiB", ""), 1 << 20);
  EXPECT_EQ(parse_bytes("0", ""), 0);
}

TEST(ParseBytes, RefusesTheRest) {
  for (const char* text : {"", "G", "4X", "4GG", "-1", "nan", "inf", "4 G", "1e30", "4Gx", "i",
                           "4i", "12iB", "0x10"}) {
    EXPECT_THROW(parse_bytes(text, "--max-memory"), InvalidArgument) << text;
  }
  EXPECT_THAT(message_of<InvalidArgument>([] { parse_bytes("lots", "--max-memory"); }),
              HasSubstr("--max-memory = 'lots', must be bytes"));
}

}  // namespace
}  // namespace subspace::pipelines
