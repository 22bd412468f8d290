// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <nlohmann/json.hpp>

#include <subspace/core/version.h>
#include <subspace/pipelines/catalogue.h>

#include "program.h"

namespace subspace::testing {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

using Commands = ProgramTest;

TEST_F(Commands, VersionAndHelp) {
  EXPECT_EQ(subspace({"--version"}).out, "subspace " SUBSPACE_VERSION "\n");
  const Finished help = subspace({"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* command : {"demo", "cluster", "train", "embed", "path", "evaluate", "table",
                              "report", "data", "methods", "info", "completion"}) {
    EXPECT_THAT(help.out, HasSubstr(command));
    EXPECT_EQ(subspace({command, "--help"}).code, 0) << command;
  }
  EXPECT_THAT(subspace({"cluster", "--help"}).out, HasSubstr("SUBSPACE_SET_ENSC_GAMMA"));
}

TEST_F(Commands, EvaluateComparesPartitionsWhateverTheNames) {
  const std::string labels = write("labels.csv", "0\n0\n1\n1\n2\n2\n");
  const std::string truth = write("truth.csv", "7\n7\n9\n9\n8\n8\n");
  const Finished run = subspace({"evaluate", labels, truth, "--json", "-"});
  ASSERT_EQ(run.code, 0) << run.err;
  const Json json = Json::parse(run.out);
  EXPECT_EQ(json["command"], "evaluate");
  EXPECT_EQ(json["truth"], (Json{{"source", "truth.csv"}, {"variable", nullptr}}));
  for (const char* name : {"acc", "acc_greedy", "nmi_arithmetic", "nmi_geometric", "nmi_max", "ami",
                           "ari", "purity"}) {
    EXPECT_DOUBLE_EQ(json["metrics"][name].get<double>(), 1.0) << name;
  }
  EXPECT_THAT(subspace({"evaluate", labels, truth}).out, HasSubstr("acc             1.000000"));
}

TEST_F(Commands, EvaluateRefusesOtherLengthsAndMissingFiles) {
  const std::string labels = write("labels.csv", "0\n0\n1\n");
  const std::string truth = write("truth.csv", "0\n1\n");
  expect_refusal(subspace({"evaluate", labels, truth}), 3, "has 3 labels",
                 "has 2, must be as many");
  expect_refusal(subspace({"evaluate", labels, path("absent.csv")}), 3, "absent.csv");
  expect_refusal(subspace({"evaluate", labels}), 2);
  expect_refusal(subspace({"evaluate", labels, truth, "--json", labels}), 2, "is also LABELS,");
  expect_refusal(subspace({"evaluate", labels, truth, "--json", truth}), 2, "is also TRUTH,");
}

TEST_F(Commands, MethodsListsAndDescribes) {
  const Finished list = subspace({"methods"});
  EXPECT_EQ(list.code, 0);
  for (const std::string& name : pipelines::method_names()) EXPECT_THAT(list.out, HasSubstr(name));
  const Finished ensc = subspace({"methods", "ensc"});
  EXPECT_THAT(ensc.out, HasSubstr("ensc.gamma=50"));
  EXPECT_THAT(ensc.out, HasSubstr("CVPR 2016"));
  EXPECT_EQ(Json::parse(subspace({"methods", "--json"}).out)["methods"].size(),
            pipelines::methods().size());
  EXPECT_EQ(Json::parse(subspace({"methods", "ensc", "--json"}).out)["methods"][0]["name"], "ensc");
  expect_refusal(subspace({"methods", "kmean"}), 2, "did you mean 'kmeans'?");
}

TEST_F(Commands, InfoSaysWhatIsThere) {
  const Finished text = subspace({"info"});
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("backend"));
  const Json json = Json::parse(subspace({"info", "--json"}).out);
  EXPECT_EQ(json["version"], SUBSPACE_VERSION);
  EXPECT_GE(json["threads"], 1);
  EXPECT_GT(json["memory_mb"], 0.0);
  EXPECT_TRUE(json.contains("libtorch"));
}

/// What the demo runs takes minutes; the table command that it stands for has tests of its own.
TEST_F(Commands, DemoSaysWhatItDoes) {
  const Finished help = subspace({"demo", "--help"});
  EXPECT_EQ(help.code, 0) << help.err;
  EXPECT_THAT(help.out, HasSubstr("subspace table turntable --resume"));
  EXPECT_THAT(help.out, HasSubstr("--out"));
  expect_refusal(subspace({"demo", "--ot", "x"}), 2, "--ot");
}

TEST_F(Commands, FullDeviceIsAnErrorNotSilence) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  const Finished run =
      run_program("sh", {"-c", std::string(SUBSPACE_PROGRAM) + " methods > /dev/full"});
  expect_refusal(run, 3, "standard output cannot be written");
}

}  // namespace
}  // namespace subspace::testing
