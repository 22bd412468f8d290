// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <sstream>

#include "program.h"

namespace subspace::testing {
namespace {

using ::testing::HasSubstr;

class Completion : public ProgramTest, public ::testing::WithParamInterface<std::string> {};
INSTANTIATE_TEST_SUITE_P(Shells, Completion, ::testing::Values("bash", "zsh", "fish"),
                         [](const auto& shell) { return shell.param; });

bool has_shell(const std::string& shell) {
  return run_program("sh", {"-c", "command -v " + shell}).code == 0;
}

TEST_P(Completion, ScriptKnowsCommandsFlagsMethodsAndKeys) {
  const Finished run = subspace({"completion", GetParam()});
  ASSERT_EQ(run.code, 0) << run.err;
  for (const char* word :
       {"cluster", "evaluate", "max-memory", "spectral", "ensc.gamma=", "discretize.restarts="}) {
    EXPECT_THAT(run.out, HasSubstr(word));
  }
}

TEST_P(Completion, ShellAcceptsTheScript) {
  if (!has_shell(GetParam())) GTEST_SKIP() << "no " << GetParam() << " here";
  const std::string script = write("script", subspace({"completion", GetParam()}).out);
  const Finished check = run_program(GetParam(), {"-n", script});
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_EQ(check.err, "");
}

/// What bash offers when the line ends as given.
std::vector<std::string> bash_offers(const std::string& script, const Arguments& words) {
  std::string line = "compopt() { :; }; . " + script + "; COMP_WORDS=(";
  for (const std::string& word : words) line += " '" + word + "'";
  line += "); COMP_CWORD=" + std::to_string(words.size() - 1) +
          "; _subspace; printf '%s\\n' \"${COMPREPLY[@]}\"";
  const Finished run = run_program("bash", {"-c", line});
  EXPECT_EQ(run.err, "");
  std::vector<std::string> offers;
  std::istringstream lines(run.out);
  for (std::string offer; std::getline(lines, offer);) offers.push_back(offer);
  return offers;
}

TEST_F(ProgramTest, BashOffersWhatFits) {
  if (!has_shell("bash")) GTEST_SKIP() << "no bash here";
  const std::string script = write("script", subspace({"completion", "bash"}).out);
  using ::testing::Contains;
  using ::testing::ElementsAre;
  EXPECT_THAT(bash_offers(script, {"subspace", "clu"}), ElementsAre("cluster"));
  EXPECT_THAT(bash_offers(script, {"subspace", "cluster", "--method", "en"}), ElementsAre("ensc"));
  EXPECT_THAT(bash_offers(script, {"subspace", "cluster", "x.npy", "--set", "ensc.g"}),
              ElementsAre("ensc.gamma="));
  EXPECT_THAT(bash_offers(script, {"subspace", "cluster", "--max-m"}), ElementsAre("--max-memory"));
  EXPECT_THAT(bash_offers(script, {"subspace", "cluster", "--progress", ""}),
              ElementsAre("auto", "never", "json"));
  EXPECT_THAT(bash_offers(script, {"subspace", "methods", ""}), Contains("spectral"));
}

TEST_F(ProgramTest, UnknownShellIsRefused) {
  expect_refusal(subspace({"completion", "tcsh"}), 2, "must be one of bash, zsh, fish");
}

}  // namespace
}  // namespace subspace::testing
