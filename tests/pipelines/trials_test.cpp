// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/trials.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include <subspace/core/error.h>
#include <subspace/core/sha256.h>
#include <subspace/datasets/synthetic.h>
#include <subspace/pipeline/peak_memory.h>

#include "datasets/files.h"
#include "expect_error.h"

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using ::subspace::testing::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kRecipe[] = R"(
title = "Small worlds"
trials = "hopkins155"
[[row]]
name = "EnSC"
method = "ensc"
published = {groups = {"2 planes" = 1.5, "all" = 2.5}, source = "nowhere"}
[[row]]
name = "k-means, 3k"
method = "kmeans"
groups = ["3 planes"]
set = {"preprocess.pca" = "3k"}
)";

/// Two or three planes in ten dimensions; the world of number i has 2 + i % 2 of them.
TrialFamily small_worlds(int count) {
  TrialFamily family = {
      .name = "small worlds", .groups = {"2 planes", "3 planes"}, .together = "all"};
  const auto world = [](std::size_t trial) {
    return datasets::union_of_subspaces({.num_subspaces = 2 + static_cast<int>(trial % 2),
                                         .dimension = 2,
                                         .ambient = 10,
                                         .points_per_subspace = 15,
                                         .seed = trial});
  };
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const Matrix X = world(i).points.X;
    const int planes = 2 + static_cast<int>(i % 2);
    family.trials.push_back({.name = message("world ", i),
                             .group = message(planes, " planes"),
                             .num_clusters = planes,
                             .num_points = X.cols(),
                             .dimension = X.rows(),
                             .hash = content_sha256(X)});
  }
  family.points = [world](std::size_t trial) { return world(trial).points.X; };
  family.truth = [world](std::size_t trial) { return world(trial).truth; };
  return family;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<double> errors_of(const TrialsRow& row) {
  std::vector<double> errors;
  for (const auto& outcome : row.outcomes) errors.push_back(outcome ? outcome->error : -1.0);
  return errors;
}

class TrialsTest : public ::testing::Test {
 protected:
  TrialsResults run(const TableOptions& options, const Context& context = {}) {
    const PlanHook hook = [this](const auto& rows) { planned_ = rows; };
    return run_trials(recipe_, family_, options, hook, context);
  }
  fs::path out(const std::string& name = "out") const { return folder_.path(name); }
  std::size_t num_lines() const {
    const std::string text = text_of(out() / "trials.jsonl");
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
  }

  datasets::TempFolder folder_;
  Recipe recipe_ = parse_recipe(kRecipe, "small", "small.toml");
  TrialFamily family_ = small_worlds(6);
  std::vector<RowEstimate> planned_;
};

TEST_F(TrialsTest, EveryRowIsRunOnTheTrialsOfItsGroups) {
  const TrialsResults results = run({.out = out()});
  ASSERT_THAT(results.rows, SizeIs(2));
  EXPECT_EQ(results.rows[0].state, RowState::kDone);
  const std::vector<GroupSummary> all = summarize(results, results.rows[0]);
  ASSERT_THAT(all, SizeIs(3));
  EXPECT_EQ(all[0].done, 3);
  EXPECT_EQ(all[1].done, 3);
  EXPECT_EQ(all[2].group, "all");
  EXPECT_EQ(all[2].done, 6);
  EXPECT_EQ(all[0].published, 1.5);
  EXPECT_FALSE(all[1].published);
  EXPECT_DOUBLE_EQ(all[2].mean, 0.5 * (all[0].mean + all[1].mean));
  const std::vector<GroupSummary> some = summarize(results, results.rows[1]);
  ASSERT_THAT(some, SizeIs(1));
  EXPECT_EQ(some[0].group, "3 planes");
  EXPECT_FALSE(results.rows[1].outcomes[0]);
  EXPECT_TRUE(results.rows[1].outcomes[1]);
}

TEST_F(TrialsTest, SummariesAreMeanMedianAndLargest) {
  TrialsResults results = {.groups = {"a"}};
  TrialsRow row = {.groups = {"a"}};
  for (const double error : {4.0, 0.0, 1.0, 7.0}) {
    results.trials.push_back({.name = "t", .group = "a"});
    row.outcomes.push_back(TrialOutcome{.error = error, .seconds = 0.5, .converged = error > 0.0});
  }
  results.trials.push_back({.name = "not run", .group = "a"});
  row.outcomes.emplace_back();
  const GroupSummary summary = summarize(results, row).front();
  EXPECT_EQ(summary.wanted, 5);
  EXPECT_EQ(summary.done, 4);
  EXPECT_DOUBLE_EQ(summary.mean, 3.0);
  EXPECT_DOUBLE_EQ(summary.median, 2.5);
  EXPECT_DOUBLE_EQ(summary.max, 7.0);
  EXPECT_DOUBLE_EQ(summary.seconds, 2.0);
  EXPECT_EQ(summary.unconverged, 1);
}

TEST_F(TrialsTest, ResultsDoNotDependOnThreads) {
  const TrialsResults one = run({.out = out("one")}, {.num_threads = 1});
  const TrialsResults three = run({.out = out("three")}, {.num_threads = 3});
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    EXPECT_EQ(errors_of(one.rows[i]), errors_of(three.rows[i]));
  }
}

/// Room for the largest trial, but not for two of them.
TEST_F(TrialsTest, ResultsDoNotDependOnThreadsWhereMemoryIsShort) {
  PipelineOptions largest;
  largest.num_clusters = 3;
  const double peak = predicted_peak_memory(largest, 10, 45, {.num_threads = 1}).bytes;
  const auto limit = static_cast<std::int64_t>(1.1 * peak);
  const TrialsResults one = run({.out = out("one")}, {.num_threads = 1, .max_memory = limit});
  const TrialsResults three = run({.out = out("three")}, {.num_threads = 3, .max_memory = limit});
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    EXPECT_EQ(one.rows[i].state, RowState::kDone) << one.rows[i].message;
    EXPECT_EQ(three.rows[i].state, RowState::kDone) << three.rows[i].message;
    EXPECT_EQ(errors_of(one.rows[i]), errors_of(three.rows[i]));
  }
}

TEST_F(TrialsTest, GoesOnAfterAnInterruption) {
  const TrialsResults whole = run({.out = out("whole")});
  CancelToken token;
  TrialFamily stopping = family_;
  stopping.points = [&](std::size_t trial) {
    if (trial == 4) token.request();  // the fourth in turn
    return family_.points(trial);
  };
  EXPECT_THROW(
      run_trials(recipe_, stopping, {.out = out()}, {}, {.num_threads = 1, .cancel = &token}),
      Cancelled);
  EXPECT_EQ(num_lines(), 3U);
  EXPECT_EQ(Json::parse(text_of(out() / "results.json")).at("rows").at(0).at("state"), "partial");
  // As a killed process leaves it: the last line is not whole.
  std::ofstream(out() / "trials.jsonl", std::ios::app) << R"({"hash":"12)";
  std::set<std::size_t> asked;
  TrialFamily watched = family_;
  watched.points = [&](std::size_t trial) {
    asked.insert(trial);
    return family_.points(trial);
  };
  const TrialsResults rest =
      run_trials(recipe_, watched, {.out = out(), .resume = true, .methods = {"EnSC"}}, {},
                 {.num_threads = 1});
  EXPECT_THAT(asked, ElementsAre(1, 3, 4));
  EXPECT_EQ(errors_of(rest.rows[0]), errors_of(whole.rows[0]));
  ASSERT_THAT(rest.left_out, SizeIs(1));
  EXPECT_EQ(rest.left_out[0].name, "k-means, 3k");
  asked.clear();
  run_trials(recipe_, watched, {.out = out(), .resume = true});
  EXPECT_THAT(asked, ElementsAre(1, 3, 5)) << "the second row alone, after the broken line";
}

TEST_F(TrialsTest, ThePlanSaysWhatIsToBeDoneAndWhatItTakes) {
  run({.out = out(), .methods = {"EnSC"}});
  ASSERT_THAT(planned_, SizeIs(1)) << "rows that are not chosen have no part in it";
  EXPECT_EQ(planned_[0].name, "EnSC");
  EXPECT_EQ(planned_[0].cells, 6);
  EXPECT_EQ(planned_[0].finished, 0);
  EXPECT_GT(planned_[0].cost.seconds, 0.0);
  EXPECT_GT(planned_[0].cost.bytes, 0.0);
  run({.out = out(), .resume = true});
  ASSERT_THAT(planned_, SizeIs(2));
  EXPECT_EQ(planned_[0].cells, 0);
  EXPECT_EQ(planned_[0].finished, 6);
  EXPECT_EQ(planned_[0].cost.seconds, 0.0);
  EXPECT_EQ(planned_[1].cells, 3) << "the trials of its group";
}

/// One thread takes as long for all as two do for twice as many, and holds half as much.
TEST_F(TrialsTest, ThePlanKnowsHowManyTrialsRunSideBySide) {
  run({.out = out("one"), .budget_seconds = 1e-9}, {.num_threads = 1});
  const std::vector<RowEstimate> one = planned_;
  run({.out = out("two"), .budget_seconds = 1e-9}, {.num_threads = 2});
  EXPECT_NEAR(one[0].cost.seconds, 2.0 * planned_[0].cost.seconds, 1e-9 * one[0].cost.seconds);
  EXPECT_GT(planned_[0].cost.bytes, one[0].cost.bytes);
}

TEST_F(TrialsTest, OtherSettingsAreNotTakenForThese) {
  run({.out = out()});
  recipe_ = parse_recipe(std::string(kRecipe) + "[[row]]\nname = \"again\"\nmethod = \"ensc\"\n" +
                             "[[row]]\nname = \"other\"\nmethod = \"ensc\"\nset = {gamma = 7}\n",
                         "small", "small.toml");
  const std::size_t before = num_lines();
  const TrialsResults results = run({.out = out(), .resume = true});
  EXPECT_EQ(num_lines(), before + 6) << "the same settings under another name are the same";
  EXPECT_EQ(errors_of(results.rows[2]), errors_of(results.rows[0]));
}

TEST_F(TrialsTest, BudgetLeavesTheRest) {
  const TrialsResults results = run({.out = out(), .budget_seconds = 1e-9});
  EXPECT_EQ(results.rows[0].state, RowState::kNotRun);
  EXPECT_EQ(results.rows[0].message, "the budget of time was used up");
  EXPECT_TRUE(std::isnan(summarize(results, results.rows[0])[0].mean));
}

TEST_F(TrialsTest, ATrialThatFailsIsNamedAndTheOthersAreRun) {
  recipe_.rows[1].set = {{"preprocess.pca", "4k"}};  // 12 of 10 dimensions
  const TrialsResults results = run({.out = out()});
  EXPECT_EQ(results.rows[0].state, RowState::kDone);
  EXPECT_EQ(results.rows[1].state, RowState::kFailed);
  EXPECT_THAT(results.rows[1].message, HasSubstr("trial world "));
  EXPECT_THAT(results.rows[1].message, HasSubstr("pca = 12"));
}

TEST_F(TrialsTest, RefusesFoldersOfOthers) {
  run({.out = out()});
  EXPECT_THAT(message_of<InvalidArgument>([&] { run({.out = out()}); }),
              HasSubstr("holds trials.jsonl, which a table writes: use --resume"));
  recipe_.name = "other";
  EXPECT_THAT(message_of<InvalidArgument>([&] { run({.out = out(), .resume = true}); }),
              HasSubstr("holds the table 'small', not 'other'"));
  fs::create_directory(out("table"));
  std::ofstream(out("table") / "results.json") << R"({"schema":"subspace-results-1","name":"x"})";
  EXPECT_THAT(message_of<InvalidArgument>([&] { run({.out = out("table"), .resume = true}); }),
              HasSubstr("not the results of a table (schema subspace-trials-1)"));
}

TEST_F(TrialsTest, RefusesWhatTrialsDoNotHave) {
  EXPECT_EQ(message_of<InvalidArgument>([&] { run({.out = out(), .seeds = 3}); }),
            "--seeds: every trial is run with seed 0, must be left out");
  EXPECT_EQ(message_of<InvalidArgument>([&] { run({.out = out(), .first_seed = 3}); }),
            "--first-seed: every trial is run with seed 0, must be left out");
  EXPECT_EQ(message_of<InvalidArgument>([&] { run({.out = out(), .truth = "y.npy"}); }),
            "--truth y.npy: trials have truths of their own, must be left out");
  recipe_.rows[0].groups = {"2 plane"};
  EXPECT_EQ(message_of<InvalidArgument>([&] { run({.out = out()}); }),
            "row 'EnSC': groups '2 plane': trials small worlds have no such group; did you mean "
            "'2 planes'?");
  EXPECT_FALSE(fs::exists(out()));
  EXPECT_EQ(message_of<InvalidArgument>([&] { run_table(recipe_, {.out = out()}); }),
            "table small: is of trials, see run_trials()");
}

TEST_F(TrialsTest, ReportsShowTheSameNumbers) {
  TrialsResults results = run({.out = out(), .command = "subspace table small"});
  results.rows[0].name = "a|b <i>";
  const GroupSummary together = summarize(results, results.rows[0]).back();
  const std::string mean = std::to_string(together.mean).substr(0, 4);
  for (const std::string& report : {markdown_report(results), html_report(results),
                                    text_report(results), latex_report(results)}) {
    EXPECT_THAT(report, HasSubstr(mean));
    EXPECT_THAT(report, HasSubstr("2.50"));
    EXPECT_THAT(report, HasSubstr("3 planes"));
  }
  EXPECT_THAT(markdown_report(results), HasSubstr("a\\|b &lt;i\\>"));
  EXPECT_THAT(html_report(results), HasSubstr("a|b &lt;i&gt;"));
  EXPECT_THAT(latex_report(results), HasSubstr("\n & 3 planes & "));
  EXPECT_THAT(latex_report(results), HasSubstr("a\\textbar{}b \\textless{}i\\textgreater{}"));
  const std::string csv = csv_report(results);
  EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + 6 + 3);
  const Json json = Json::parse(to_json(results));
  EXPECT_EQ(json.at("schema"), "subspace-trials-1");
  EXPECT_THAT(json.at("trials"), SizeIs(6));
  EXPECT_THAT(json.at("rows").at(1).at("errors"), SizeIs(6));
  EXPECT_TRUE(json.at("rows").at(1).at("errors").at(0).is_null());
}

/// Times are kept to the thousandth of a second, so it is the text that comes back.
TEST_F(TrialsTest, ResultsAreReadBack) {
  const TrialsResults results = run({.out = out(), .command = "subspace table small"});
  EXPECT_TRUE(holds_trials(out()));
  const TrialsResults read = read_trials(out());
  EXPECT_EQ(to_json(read), to_json(trials_from_json(to_json(read), "again")));
  ASSERT_EQ(read.rows.size(), results.rows.size());
  for (std::size_t i = 0; i < read.rows.size(); ++i) {
    const auto before = summarize(results, results.rows[i]);
    const auto after = summarize(read, read.rows[i]);
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t g = 0; g < after.size(); ++g) {
      EXPECT_EQ(after[g].group, before[g].group);
      EXPECT_EQ(after[g].mean, before[g].mean);
      EXPECT_EQ(after[g].published, before[g].published);
      EXPECT_EQ(after[g].unconverged, before[g].unconverged);
    }
  }
  for (const char* other : {"{}", "{\"schema\": 1}", "nothing"}) {
    std::ofstream(out() / "results.json") << other;
    EXPECT_FALSE(holds_trials(out())) << other;
  }
  EXPECT_THAT(message_of<IoError>([&] { read_trials(out()); }),
              HasSubstr("not the results of a table"));
}

TEST(Trials, ChoicesOfSubjectsAreThoseOfTheProtocol) {
  const auto count = [](int subjects) { return yaleb_choices(subjects).size(); };
  EXPECT_EQ(count(2), 163U);
  EXPECT_EQ(count(3), 416U);
  EXPECT_EQ(count(5), 812U);
  EXPECT_EQ(count(8), 136U);
  EXPECT_EQ(count(10), 3U);
  EXPECT_EQ(count(11), 0U);
  const auto triples = yaleb_choices(3);
  EXPECT_THAT(triples.front(), ElementsAre(1, 2, 3));
  EXPECT_THAT(triples.back(), ElementsAre(36, 37, 38));
  EXPECT_EQ(std::set(triples.begin(), triples.end()).size(), triples.size());
}

TEST(Trials, RecipesAreChecked) {
  const auto refusal = [](const std::string& text) {
    return message_of<InvalidArgument>([&] { parse_recipe(text, "t", "t.toml"); });
  };
  const std::string row = "[[row]]\nname = \"a\"\nmethod = \"ensc\"\n";
  EXPECT_EQ(refusal("trials = \"hopkins\"\n" + row),
            "t.toml: trials = hopkins, must be one of hopkins155, yaleb-subjects");
  EXPECT_EQ(refusal("trials = \"hopkins155\"\nclusters = 3\n" + row),
            "t.toml: clusters together with trials, must be left out");
  EXPECT_THAT(refusal("trials = \"hopkins155\"\n" + row + "seeds = 2\n"),
              HasSubstr("every trial has seed 0 and its own number of clusters"));
  EXPECT_THAT(refusal("trials = \"hopkins155\"\n" + row + "published = {error = 2}\n"),
              HasSubstr("published: no groups given, the table is of trials"));
  EXPECT_THAT(refusal("data = \"x.npy\"\nclusters = 2\n" + row + "groups = [\"a\"]\n"),
              HasSubstr("groups are of a table of trials"));
  EXPECT_THAT(refusal("data = \"x.npy\"\nclusters = 2\n" + row + "set = {pca = \"4k\"}\n"),
              HasSubstr("pca"));
}

TEST(Trials, BuiltInTablesOfTrialsParse) {
  EXPECT_EQ(find_recipe("hopkins155").trials, "hopkins155");
  EXPECT_EQ(find_recipe("yaleb").trials, "yaleb-subjects");
}

}  // namespace
}  // namespace subspace::pipelines
