// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <limits>

#include <subspace/pipelines/catalogue.h>

#include "program.h"

namespace subspace::testing {
namespace {

/// Each test gives the outputs as well and sees that none appeared.
class BadInput : public ProgramTest {
 protected:
  Finished cluster(const std::string& input, const std::string& k, Arguments more = {}) {
    Arguments arguments = {
        "cluster", input, "-k", k, "--out", path("labels.npy"), "--json", path("record.json")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return subspace(arguments);
  }
  void TearDown() override {
    EXPECT_FALSE(exists("labels.npy"));
    EXPECT_FALSE(exists("record.json"));
  }
};

TEST_F(BadInput, NanIsNamedWithItsCoordinates) {
  Matrix X = Matrix::Random(4, 10);
  X(2, 7) = std::numeric_limits<double>::quiet_NaN();
  expect_refusal(cluster(write_points("nan.npy", X), "2"), 3, "nan.npy",
                 "sample 7, feature 2 (counted from 0) is nan");
}

TEST_F(BadInput, EmptyFiles) {
  expect_refusal(cluster(write("empty.npy", ""), "2"), 3, "empty.npy");
  expect_refusal(cluster(write("empty.csv", ""), "2"), 3, "empty.csv");
  expect_refusal(cluster(write_points("none.npy", Matrix(3, 0)), "2"), 3);
}

TEST_F(BadInput, MissingFile) {
  expect_refusal(cluster(path("absent.npy"), "2"), 3, "absent.npy: no such file");
}

TEST_F(BadInput, TruncatedFile) {
  write_points("whole.npy", Matrix::Random(5, 20));
  const std::string whole = read("whole.npy");
  for (const std::size_t kept :
       {std::size_t{3}, std::size_t{40}, whole.size() / 2, whole.size() - 1}) {
    expect_refusal(cluster(write("cut.npy", whole.substr(0, kept)), "2"), 3, "cut.npy");
  }
}

TEST_F(BadInput, OneSample) {
  expect_refusal(cluster(write_points("one.npy", Matrix::Random(5, 1)), "1"), 3);
}

TEST_F(BadInput, NumberOfClustersOutsideTheData) {
  const std::string x = write_points("x.npy", Matrix::Random(5, 10));
  for (const char* method : {"kmeans", "spectral", "ensc"}) {
    for (const char* k : {"0", "-1", "11"}) expect_refusal(cluster(x, k, {"--method", method}), 3);
  }
  expect_refusal(cluster(x, "two"), 2, "-k = 'two', must be an integer");
  expect_refusal(cluster(x, "99999999999"), 2,
                 "-k = '99999999999', must be an integer from 1 to 2147483647");
  expect_refusal(subspace({"cluster", x}), 2, "no number of clusters given");
}

TEST_F(BadInput, TruthThatIsNotThere) {
  write_union();
  expect_refusal(cluster(path("x.npy"), "3", {"--truth", path("absent.npy")}), 3,
                 "absent.npy: no such file");
}

TEST_F(BadInput, NamesThatCanMeanNothing) {
  write_union();
  const std::string x = path("x.npy");
  expect_refusal(cluster(x, "3", {"--x", "fea"}), 3, "x.npy: option x = 'fea'",
                 "no arrays with names");
  // Before the work: the points have no way to be clustered here, and it does not come to that.
  for (const Arguments& truth : {Arguments{}, Arguments{"--truth", path("y.npy")}}) {
    Arguments arguments = {"--y", "gnd", "--max-memory", "1k"};
    arguments.insert(arguments.end(), truth.begin(), truth.end());
    expect_refusal(cluster(x, "3", arguments), 3, "option y = 'gnd'", "no arrays with names");
  }
}

TEST_F(BadInput, UnknownNamesGetTheNearest) {
  write_union();
  const std::string x = path("x.npy");
  expect_refusal(cluster(x, "3", {"--method", "enscc"}), 2,
                 "unknown method 'enscc'; did you mean 'ensc'?");
  expect_refusal(cluster(x, "3", {"--set", "gama=3"}), 2,
                 "has no option 'gama'; did you mean 'gamma'?");
  expect_refusal(cluster(x, "3", {"--set", "tolerance=3"}), 2, "ambiguous", "kmeans.tolerance");
  expect_refusal(cluster(x, "3", {"--methd", "ensc"}), 2, "--methd", "did you mean --method?");
  expect_refusal(subspace({"clutser", x}), 2, "clutser", "did you mean cluster?");
  const bool learns = !pipelines::feature_learners().empty();
  expect_refusal(cluster(x, "3", {"--method", "tcrr+ensc"}), 2,
                 learns ? "unknown feature learner 'tcrr'; did you mean 'tcr'?" : "no LibTorch");
}

TEST_F(BadInput, FeaturesAreLearnedOfPicturesOnly) {
  write_union();
  const bool learns = !pipelines::feature_learners().empty();
  expect_refusal(cluster(path("x.npy"), "3", {"--method", "tcr+ensc"}), learns ? 3 : 2,
                 learns ? "need pictures" : "no LibTorch");
}

TEST_F(BadInput, OptionsOutOfRange) {
  write_union();
  const std::string x = path("x.npy");
  expect_refusal(cluster(x, "3", {"--set", "tau=1.3"}), 2, "ensc.tau = 1.3", "0 < tau <= 1");
  expect_refusal(cluster(x, "3", {"--set", "tau"}), 2, "--set 'tau', must be key=value");
  expect_refusal(cluster(x, "3", {"--set", "tau="}), 2, "ensc.tau");
  expect_refusal(cluster(x, "3", {"--threads", "-1"}), 2, "--threads = -1", "0 <= threads <= 1024");
  expect_refusal(cluster(x, "3", {"--threads", "many"}), 2, "--threads = 'many'");
  expect_refusal(cluster(x, "3", {"--seed", "-1"}), 2, "--seed = '-1'");
  expect_refusal(cluster(x, "3", {"--max-memory", "lots"}), 2, "--max-memory = 'lots'");
  expect_refusal(cluster(x, "3", {"--progress", "loud"}), 2, "one of auto, never, json");
  expect_refusal(cluster(x, "3", {"--seed"}), 2, "seed");
}

TEST_F(BadInput, OutputsThatCannotBeWritten) {
  write_union();
  const std::string x = path("x.npy");
  expect_refusal(subspace({"cluster", x, "-k", "3", "--out", path("absent/labels.npy")}), 3,
                 "there is no folder");
  expect_refusal(subspace({"cluster", x, "-k", "3", "--json", path("absent/record.json")}), 3,
                 "there is no folder");
  expect_refusal(subspace({"cluster", x, "-k", "3", "--out", "/proc/labels.npy"}), 3, "/proc");
  expect_refusal(
      subspace({"cluster", x, "-k", "3", "--out", path("a.csv"), "--json", path("a.csv")}), 2,
      "is also --out");
  expect_refusal(subspace({"cluster", x, "-k", "3", "--out", path("labels.xlsx")}), 2,
                 "must end in");
  expect_refusal(subspace({"cluster", x, "-k", "3", "--out", x}), 2, "is also INPUT");
  EXPECT_FALSE(exists("a.csv"));
}

TEST_F(BadInput, ConfigurationFiles) {
  write_union();
  const std::string x = path("x.npy");
  expect_refusal(cluster(x, "3", {"--config", path("absent.toml")}), 3, "absent.toml");
  expect_refusal(cluster(x, "3", {"--config", write("bad.toml", "seed = \n")}), 2,
                 "bad.toml: line 1");
  expect_refusal(cluster(x, "3", {"--config", write("key.toml", "sead = 1\n")}), 2,
                 "did you mean 'seed'?");
  expect_refusal(cluster(x, "3", {"--config", write("option.toml", "set.ensc.tau = 3\n")}), 2,
                 "ensc.tau = 3");
}

TEST_F(BadInput, NothingToDo) {
  expect_refusal(subspace({}), 2);
  expect_refusal(subspace({"cluster", "-k", "3"}), 2, "no INPUT given");
}

}  // namespace
}  // namespace subspace::testing
