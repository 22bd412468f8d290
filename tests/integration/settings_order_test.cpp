// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <nlohmann/json.hpp>

#include "program.h"

namespace subspace::testing {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

using SettingsOrder = ProgramTest;

TEST_F(SettingsOrder, DefaultsThenFileThenEnvironmentThenFlags) {
  const std::string config =
      write("run.toml", "seed = 1\nthreads = 1\nmax_memory = '1G'\nset.ensc.gamma = 10\n");
  const std::string defaults = subspace({"cluster", "--print-config"}).out;
  EXPECT_THAT(defaults, HasSubstr("\nseed = 0\n"));
  EXPECT_THAT(defaults, HasSubstr("\ngamma = 50\n"));
  const std::string file = subspace({"cluster", "--print-config", "--config", config}).out;
  EXPECT_THAT(file, HasSubstr("\nseed = 1\n"));
  EXPECT_THAT(file, HasSubstr("\ngamma = 10\n"));
  const Arguments environment = {"SUBSPACE_SEED=2", "SUBSPACE_THREADS=2",
                                 "SUBSPACE_SET_ENSC_GAMMA=20"};
  const std::string variables =
      subspace({"cluster", "--print-config", "--config", config}, environment).out;
  EXPECT_THAT(variables, HasSubstr("\nseed = 2\n"));
  EXPECT_THAT(variables, HasSubstr("\ngamma = 20\n"));
  const std::string flags = subspace({"cluster", "--print-config", "--config", config, "--seed",
                                      "3", "--set", "gamma=30"},
                                     environment)
                                .out;
  EXPECT_THAT(flags, HasSubstr("\nseed = 3\n"));
  EXPECT_THAT(flags, HasSubstr("\ngamma = 30\n"));
  EXPECT_THAT(flags, HasSubstr("\nthreads = 2\n"));
  EXPECT_THAT(flags, HasSubstr("\nmax_memory = \"1000000000\"\n"));
}

TEST_F(SettingsOrder, PrintedConfigurationRepeatsTheRun) {
  write_union();
  const Arguments flags = {"cluster", path("x.npy"), "-k",      "3",      "--seed",
                           "4",       "--set",       "tau=0.7", "--json", "-"};
  Arguments print = flags;
  print.push_back("--print-config");
  const Finished printed = subspace(print);
  ASSERT_EQ(printed.code, 0) << printed.err;
  const std::string config = write("run.toml", printed.out);
  EXPECT_EQ(subspace({"cluster", "--config", config, "--print-config"}).out, printed.out);
  const Json direct = Json::parse(subspace(flags).out);
  const Json repeated = Json::parse(subspace({"cluster", "--config", config}).out);
  for (const char* key : {"labels", "options", "seed", "input", "method"})
    EXPECT_EQ(direct[key], repeated[key]) << key;
}

TEST_F(SettingsOrder, LastFlagWins) {
  EXPECT_THAT(subspace({"cluster", "--seed", "3", "--seed", "9", "--print-config"}).out,
              HasSubstr("\nseed = 9\n"));
}

}  // namespace
}  // namespace subspace::testing
