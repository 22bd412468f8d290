// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/table.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include <subspace/core/error.h>
#include <subspace/core/random.h>
#include <subspace/core/sha256.h>
#include <subspace/datasets/save.h>
#include <subspace/datasets/synthetic.h>
#include <subspace/pipelines/report.h>

#include "datasets/files.h"
#include "expect_error.h"

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using ::subspace::testing::message_of;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kTop[] = "data = \"x.npy\"\ntruth = \"y.npy\"\nclusters = 3\n";
constexpr char kKMeans[] = "[[row]]\nname = \"k-means\"\nmethod = \"kmeans\"\n";
constexpr char kEnsc[] = "[[row]]\nname = \"EnSC\"\nmethod = \"ensc\"\n";
constexpr char kSpectral[] = "[[row]]\nname = \"kNN\"\nmethod = \"spectral\"\n";

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Names and bytes of the files that a folder holds.
std::map<std::string, std::string> content_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    files[entry.path().filename().string()] = text_of(entry.path());
  }
  return files;
}

/// 60 points of three subspaces in x.npy, their truth in y.npy.
class TableTest : public ::testing::Test {
 protected:
  void SetUp() override { write_points("x.npy", 3); }

  void write_points(const std::string& name, std::uint64_t seed) {
    const datasets::Generated data = datasets::union_of_subspaces({.num_subspaces = 3,
                                                                   .dimension = 3,
                                                                   .ambient = 20,
                                                                   .points_per_subspace = 20,
                                                                   .seed = seed});
    truth_ = data.truth;
    datasets::save_points(path(name), data.points.X);
    datasets::save_labels(path("y.npy"), truth_);
  }

  /// Labels that have nothing to do with the points.
  void write_noise(const std::string& name) const {
    RandomStream random = stream(7, Stream::kTest);
    Labels noise(truth_.size());
    for (int& label : noise) label = static_cast<int>(random.below(3));
    datasets::save_labels(path(name), noise);
  }

  fs::path path(const std::string& name) const { return folder_.path(name); }
  fs::path cells() const { return out_ / "cells"; }

  Recipe recipe(const std::string& text) const {
    return find_recipe(folder_.write("small.toml", text).string());
  }

  /// Runs the recipe in the folder of the test; remembers which cells were begun.
  TableResults run(const std::string& text, TableOptions options = {},
                   const Context& context = {}) {
    if (options.out.empty()) options.out = out_;
    started_.clear();
    const TableHooks hooks = {.planned = [this](const auto& rows) { planned_ = rows; },
                              .started =
                                  [this](const std::string& row, std::uint64_t seed) {
                                    started_.push_back(row + " " + std::to_string(seed));
                                  }};
    return run_table(recipe(text), options, hooks, context);
  }
  TableResults resume(const std::string& text, TableOptions options = {}) {
    options.resume = true;
    return run(text, options);
  }

  datasets::TempFolder folder_;
  const fs::path out_ = folder_.path("out");
  Labels truth_;
  std::vector<std::string> started_;
  std::vector<RowEstimate> planned_;
};

const RowResult& row_of(const TableResults& results, const std::string& name) {
  for (const RowResult& row : results.rows) {
    if (row.name == name) return row;
  }
  throw std::out_of_range("no row " + name);
}

TEST_F(TableTest, RunsEveryRowWithEverySeed) {
  const TableResults results = run(std::string("seeds = 2\n") + kTop + kKMeans + kEnsc);
  EXPECT_THAT(started_, ElementsAre("k-means 0", "k-means 1", "EnSC 0", "EnSC 1"));
  ASSERT_EQ(results.rows.size(), 2U);
  std::set<std::string> hashes;
  for (const RowResult& row : results.rows) {
    EXPECT_EQ(row.state, RowState::kDone) << row.message;
    EXPECT_EQ(row.seeds_wanted, 2);
    ASSERT_EQ(row.cells.size(), 2U);
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
      const Cell& cell = row.cells[seed];
      EXPECT_EQ(cell.record.seed, seed);
      EXPECT_EQ(cell.record.method, row.method);
      EXPECT_EQ(cell.record.outcome.labels.size(), truth_.size());
      EXPECT_GT(cell.record.outcome.seconds.total, 0.0);
      EXPECT_GT(cell.record.peak_memory, 0);
      EXPECT_GT(cell.record.threads, 0);
      ASSERT_TRUE(cell.record.metrics);
      hashes.insert(cell.hash);
    }
  }
  EXPECT_EQ(hashes.size(), 4U);
  EXPECT_EQ(row_of(results, "EnSC").cells[0].record.metrics->acc, 1.0);
  ASSERT_TRUE(row_of(results, "EnSC").figures);
  ASSERT_TRUE(row_of(results, "EnSC").figures->geometry);
  EXPECT_EQ(row_of(results, "EnSC").figures->geometry->of, "points");
  EXPECT_EQ(row_of(results, "EnSC").figures->geometry->all.points, 60);
  EXPECT_EQ(results.data.truth, truth_);
  EXPECT_EQ(results.data.input.n, 60);
}

TEST_F(TableTest, CellsAreWhatTheMethodAnswersAlone) {
  const TableResults results =
      run(kTop + std::string(kKMeans) + "set = {restarts = 1}\nseeds = 3\n");
  const Matrix X = datasets::load_points(path("x.npy")).X;
  for (const Cell& cell : results.rows[0].cells) {
    EXPECT_EQ(cell.record.outcome.labels,
              pipelines::run(X, 3, "kmeans", {{"restarts", "1"}}, cell.record.seed).labels);
  }
}

TEST_F(TableTest, TheFileHoldsWhatIsReturned) {
  const TableResults results = run(kTop + std::string(kKMeans) + kEnsc);
  EXPECT_EQ(text_of(out_ / "results.json"), to_json(results));
  EXPECT_EQ(to_json(read_results(out_)), to_json(results));
}

TEST_F(TableTest, ThePlanSaysWhatIsToBeDoneAndWhatItTakes) {
  const std::string text = std::string("seeds = 2\n") + kTop + kKMeans + kEnsc;
  run(text, {.methods = {"EnSC"}});
  resume(text);
  ASSERT_EQ(planned_.size(), 2U);
  EXPECT_EQ(planned_[0].cells, 2);
  EXPECT_EQ(planned_[0].finished, 0);
  EXPECT_GT(planned_[0].cost.seconds, 0.0);
  EXPECT_GT(planned_[0].cost.bytes, 0.0);
  EXPECT_EQ(planned_[1].cells, 0);
  EXPECT_EQ(planned_[1].finished, 2);
}

TEST_F(TableTest, AFinishedTableIsNotRunAgain) {
  const std::string text = std::string("seeds = 2\n") + kTop + kKMeans + kEnsc;
  const TableResults first = run(text);
  const auto kept = content_of(cells());
  EXPECT_EQ(to_json(resume(text)), to_json(first));
  EXPECT_THAT(started_, IsEmpty());
  EXPECT_EQ(content_of(cells()), kept);
}

TEST_F(TableTest, ResultsAreNotTouchedUnlessToGoOn) {
  const std::string text = kTop + std::string(kKMeans);
  run(text);
  const auto kept = content_of(cells());
  EXPECT_THAT(message_of<InvalidArgument>([&] { run(text); }), HasSubstr("--resume"));
  EXPECT_THAT(started_, IsEmpty());
  EXPECT_EQ(content_of(cells()), kept);
}

TEST_F(TableTest, WhateverAFolderHoldsNeedsResume) {
  const std::string text = kTop + std::string(kKMeans);
  run(text);
  fs::remove_all(cells());
  EXPECT_THAT(message_of<InvalidArgument>([&] { run(text); }), HasSubstr("holds results.json"));
  fs::remove(out_ / "results.json");
  fs::create_directories(out_ / "features" / "abc");
  EXPECT_THAT(message_of<InvalidArgument>([&] { run(text); }), HasSubstr("holds features"));
}

/// Files of a user that happen to bear a name that a table writes.
TEST_F(TableTest, ForeignFilesAreNotReplaced) {
  const std::string text = kTop + std::string(kKMeans);
  for (const char* name : {"report.html", "report.md", "results.csv", "table.tex"}) {
    fs::remove_all(out_);
    fs::create_directories(out_);
    std::ofstream(out_ / name) << "mine";
    EXPECT_THAT(message_of<InvalidArgument>([&] { run(text); }),
                AllOf(HasSubstr(out_.string()), HasSubstr(name), HasSubstr("--out")));
    EXPECT_THAT(message_of<InvalidArgument>([&] { resume(text); }),
                AllOf(HasSubstr(name), HasSubstr("no results.json")));
    EXPECT_EQ(content_of(out_), (std::map<std::string, std::string>{{name, "mine"}}));
  }
}

TEST_F(TableTest, ForeignResultsAreNotReplacedByGoingOn) {
  const std::string text = kTop + std::string(kKMeans);
  fs::create_directories(out_);
  for (const char* foreign :
       {"", "mine", "[]", "null", "3", "{}", "{\"name\": 5}", "{\"name\": \"small\"}",
        "{\"schema\": 5, \"name\": \"small\"}", "{\"schema\": \"other-1\", \"name\": \"small\"}",
        "{\"schema\": \"subspace-results-1\", \"name\": 5}",
        "{\"schema\": \"subspace-results-1\"}"}) {
    std::ofstream(out_ / "results.json") << foreign;
    EXPECT_THAT(message_of<InvalidArgument>([&] { resume(text); }),
                AllOf(HasSubstr("results.json: not the results of a table"), HasSubstr("--out")))
        << foreign;
    EXPECT_EQ(content_of(out_), (std::map<std::string, std::string>{{"results.json", foreign}}));
  }
}

TEST_F(TableTest, OurReportsAreNoForeignFiles) {
  const std::string text = kTop + std::string(kKMeans);
  run(text);
  std::ofstream(out_ / "report.html") << "of the first run";
  EXPECT_NO_THROW(resume(text));
  fs::remove(out_ / "results.json");
  fs::remove(out_ / "report.html");
  EXPECT_NO_THROW(resume(text)) << "killed before its first results.json";
  EXPECT_THAT(started_, IsEmpty());
}

TEST_F(TableTest, ATruthThatIsNotThereLeavesNoFolder) {
  EXPECT_THAT(message_of<IoError>([&] { run(kTop + std::string(kKMeans), {.truth = "none.npy"}); }),
              HasSubstr("none.npy"));
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(TableTest, CommandsNameTheTruthTheyWereEvaluatedWith) {
  write_noise("noise.npy");
  const std::string noise = path("noise.npy").string();
  const TableResults results = run(kTop + std::string(kKMeans), {.truth = noise});
  EXPECT_THAT(results.rows[0].cells[0].command, HasSubstr("--truth " + noise));
}

TEST_F(TableTest, CellsKnowTheirSourceAndLabelsMadeElsewhereNoMachine) {
  datasets::save_labels(path("theirs.npy"), truth_);
  const TableResults results =
      run(kTop + std::string(kKMeans) + "[[row]]\nname = \"theirs\"\nlabels = \"theirs.npy\"\n");
  const Record& ours = results.rows[0].cells[0].record;
  const Record& theirs = results.rows[1].cells[0].record;
  EXPECT_EQ(ours.source_commit, results.source_commit);
  EXPECT_GT(ours.threads, 0);
  EXPECT_EQ(theirs.threads, 0);
  EXPECT_EQ(theirs.peak_memory, 0);
  EXPECT_EQ(theirs.backend, "");
}

TEST_F(TableTest, AFolderOfAnotherTableIsRefused) {
  run(kTop + std::string(kKMeans));
  const Recipe other =
      find_recipe(folder_.write("other.toml", kTop + std::string(kKMeans)).string());
  EXPECT_THAT(message_of<InvalidArgument>([&] { run_table(other, {.out = out_, .resume = true}); }),
              HasSubstr("holds the table 'small', not 'other'"));
}

TEST_F(TableTest, OnlyWhatIsMissingIsRun) {
  const std::string top = std::string("seeds = 2\n") + kTop;
  run(top + kKMeans + kEnsc);
  resume(top + kKMeans + "set = {restarts = 3}\n" + kEnsc);
  EXPECT_THAT(started_, ElementsAre("k-means 0", "k-means 1")) << "an option is another";
  resume(top + kKMeans + "seeds = 3\n" + kEnsc);
  EXPECT_THAT(started_, ElementsAre("k-means 2")) << "a seed is new";
  resume(top + kKMeans + "clusters = 4\n" + kEnsc);
  EXPECT_THAT(started_, ElementsAre("k-means 0", "k-means 1")) << "k is another";
  resume(top + kKMeans + kEnsc, {.seeds = 1});
  EXPECT_THAT(started_, IsEmpty()) << "fewer seeds";
  write_points("x.npy", 4);
  resume(top + kKMeans + kEnsc);
  EXPECT_THAT(started_, ElementsAre("k-means 0", "k-means 1", "EnSC 0", "EnSC 1"))
      << "the points are others";
}

/// What a setting is called, and how its row is, changes nothing that is computed.
TEST_F(TableTest, TheNameOfARowDoesNotCount) {
  run(kTop + std::string(kKMeans));
  resume(kTop + std::string("[[row]]\nname = \"other\"\nmethod = \"kmeans\"\nnote = \"new\"\n"));
  EXPECT_THAT(started_, IsEmpty());
}

TEST_F(TableTest, ADamagedCellIsRunAgain) {
  const std::string text = std::string("seeds = 2\n") + kTop + kEnsc;
  const TableResults first = run(text);
  const fs::path file = cells() / (first.rows[0].cells[1].hash + ".json");
  const std::string whole = text_of(file);
  const auto labels_at = whole.find("\"labels\":[") + 10;
  std::string flipped = whole;
  flipped[labels_at] = flipped[labels_at] == '2' ? '1' : '2';
  std::string shorter = whole;
  shorter.erase(labels_at, 2);
  for (const std::string& damaged :
       {std::string(), whole.substr(0, 40), whole.substr(0, whole.size() / 2),
        whole.substr(0, whole.size() - 3), flipped, shorter, std::string("{}"), std::string("[1]"),
        std::string("{\"record\": 3}")}) {
    std::ofstream(file, std::ios::binary) << damaged;
    const TableResults again = resume(text);
    EXPECT_THAT(started_, ElementsAre("EnSC 1")) << damaged.substr(0, 60);
    EXPECT_EQ(again.rows[0].state, RowState::kDone);
    EXPECT_EQ(again.rows[0].cells[1].record.outcome.labels,
              first.rows[0].cells[1].record.outcome.labels);
  }
}

/// Gives the cell of the hash another source, under a checksum that is right.
void change_source(const fs::path& file, const std::string& commit) {
  auto json = nlohmann::ordered_json::parse(text_of(file));
  json.erase("sha256");
  json["record"]["source_commit"] = commit;
  const std::string text = json.dump() + "\n";
  json["sha256"] = sha256(std::as_bytes(std::span(text)));
  std::ofstream(file, std::ios::binary) << json.dump() << "\n";
}

TEST_F(TableTest, ACellOfAnotherSourceIsKeptAndSaysSo) {
  const std::string text = std::string("seeds = 2\n") + kTop + kKMeans;
  const TableResults first = run(text);
  change_source(cells() / (first.rows[0].cells[1].hash + ".json"), "0123456789ab");
  const TableResults again = resume(text);
  EXPECT_THAT(started_, IsEmpty());
  EXPECT_THAT(again.rows[0].cells[0].record.outcome.warnings, IsEmpty());
  EXPECT_THAT(
      again.rows[0].cells[1].record.outcome.warnings,
      ElementsAre(HasSubstr("computed by commit 0123456789ab, not by that of the program")));
  EXPECT_EQ(to_json(resume(text)), to_json(again)) << "the warning is not kept, and so not doubled";
}

TEST_F(TableTest, ARowThatFailsSaysWhyAndLeavesTheOthers) {
  datasets::save_points(path("short.npy"), Matrix::Random(4, 59));
  datasets::save_labels(path("short_labels.npy"), Labels(59, 0));
  const TableResults results =
      run(kTop +
          std::string("[[row]]\nname = \"absent\"\nlabels = \"absent.npy\"\n"
                      "[[row]]\nname = \"few labels\"\nlabels = \"short_labels.npy\"\n"
                      "[[row]]\nname = \"few\"\nmethod = \"kmeans\"\nfeatures = \"short.npy\"\n"
                      "[[row]]\nname = \"many\"\nmethod = \"kmeans\"\nclusters = 61\n") +
          kEnsc);
  const auto why = [&](const std::string& name) {
    EXPECT_EQ(row_of(results, name).state, RowState::kFailed) << name;
    EXPECT_THAT(row_of(results, name).cells, IsEmpty());
    return row_of(results, name).message;
  };
  EXPECT_THAT(why("absent"), HasSubstr("absent.npy"));
  EXPECT_THAT(why("few labels"), AllOf(HasSubstr("short_labels.npy"), HasSubstr("59 labels")));
  EXPECT_THAT(why("few"), AllOf(HasSubstr("short.npy"), HasSubstr("59 samples, must be 60")));
  EXPECT_THAT(why("many"), HasSubstr("61"));
  EXPECT_EQ(row_of(results, "EnSC").state, RowState::kDone);
}

/// Also when the caller wants an estimate, which such a row does not have.
TEST_F(TableTest, ARowThatNeedsPicturesAndHasNoneLeavesTheOthers) {
  const TableResults results =
      run(kTop + std::string("[[row]]\nname = \"NMCE\"\nmethod = \"nmce\"\n") + kEnsc);
  const RowResult& learned = row_of(results, "NMCE");
  if (feature_learners().empty()) {
    EXPECT_EQ(learned.state, RowState::kNotRun);
    EXPECT_THAT(learned.message, HasSubstr("LibTorch"));
  } else {
    EXPECT_EQ(learned.state, RowState::kFailed);
    EXPECT_THAT(learned.message, HasSubstr("need pictures"));
  }
  EXPECT_EQ(row_of(results, "EnSC").state, RowState::kDone);
}

TEST_F(TableTest, AnEarlierFailureIsTriedAgain) {
  const std::string text =
      kTop + std::string("[[row]]\nname = \"theirs\"\nlabels = \"theirs.npy\"\n");
  EXPECT_EQ(run(text).rows[0].state, RowState::kFailed);
  datasets::save_labels(path("theirs.npy"), truth_);
  const TableResults results = resume(text);
  EXPECT_EQ(results.rows[0].state, RowState::kDone);
  EXPECT_EQ(results.rows[0].cells[0].record.metrics->acc, 1.0);
}

constexpr char kSweep[] =
    "[[row]]\nname = \"best EnSC\"\nmethod = \"ensc\"\nprotocol = \"oracle\"\nnote = \"tuned\"\n"
    "sweep = {\"affinity.top\" = [1, 0], \"ensc.gamma\" = [50, 60]}\n";

TEST_F(TableTest, AnOracleTakesTheBestAndSaysSo) {
  const std::string text = kTop + std::string(kEnsc) + kSweep;
  const TableResults results = run(text, {.protocol = Protocol::kOracle});
  EXPECT_THAT(started_, ::testing::SizeIs(4));
  EXPECT_THAT(started_, Each(HasSubstr("best EnSC")));
  ASSERT_EQ(results.rows.size(), 1U);
  const RowResult& row = results.rows[0];
  EXPECT_EQ(row.protocol, Protocol::kOracle);
  EXPECT_EQ(row.state, RowState::kDone);
  ASSERT_EQ(row.cells.size(), 1U);
  EXPECT_EQ(row.note, "tuned");
  EXPECT_THAT(row.chosen, HasSubstr("best of 4 settings by the labels: "));
  double best = 0.0;
  for (const auto& [name, content] : content_of(cells())) {
    const Labels labels = Json::parse(content)["record"]["labels"].get<Labels>();
    best = std::max(best, evaluate_partition(labels, truth_).acc);
  }
  EXPECT_EQ(row.cells[0].record.metrics->acc, best);
  EXPECT_THAT(row.cells[0].command, HasSubstr("--set affinity.top=0"));
  EXPECT_THAT(row.chosen, HasSubstr("affinity.top = 0"));
  // What else was tried stands beside it.
  ASSERT_EQ(row.sweep.size(), 4U);
  for (const SweptSetting& setting : row.sweep) {
    EXPECT_EQ(setting.seeds, 1);
    EXPECT_GE(setting.error.value(), 100.0 * (1.0 - best) - 1e-9) << setting.settings;
    EXPECT_TRUE(setting.confidence && setting.cut) << setting.settings;
    EXPECT_EQ(setting.shown, row.chosen.find(setting.settings) != std::string::npos);
  }
  EXPECT_EQ(std::ranges::count_if(row.sweep, &SweptSetting::shown), 1);
  const std::string page = markdown_report({results});
  EXPECT_THAT(page, HasSubstr("## Every setting of the sweeps"));
  EXPECT_THAT(page, HasSubstr("ensc.gamma = 60"));
}

/// A row that stopped midway has the best of what is there, and says of how many.
TEST_F(TableTest, AnUnfinishedSweepSaysHowManySettingsItHas) {
  const std::string text = kTop + std::string(kEnsc) + kSweep;
  run(text, {.protocol = Protocol::kOracle});
  const fs::path away = path("away");
  fs::rename(cells().parent_path(), away);
  EXPECT_EQ(run(text, {.protocol = Protocol::kOracle, .budget_seconds = 1e-9}).rows[0].chosen, "");
  std::size_t kept = 0;
  for (const fs::directory_entry& cell : fs::directory_iterator(away / "cells")) {
    if (++kept <= 3) fs::copy(cell.path(), cells() / cell.path().filename());
  }
  ASSERT_EQ(kept, 4U);
  const TableResults results =
      resume(text, {.protocol = Protocol::kOracle, .budget_seconds = 1e-9});
  EXPECT_EQ(results.rows[0].state, RowState::kPartial);
  EXPECT_EQ(results.rows[0].sweep.size(), 3U);
  EXPECT_THAT(results.rows[0].chosen, HasSubstr("best of 3 of 4 settings by the labels: "));
}

TEST_F(TableTest, AnOracleWithoutTruthDoesNotClaimToHaveChosen) {
  const TableResults results = run(std::string("data = \"x.npy\"\nclusters = 3\n") + kSweep,
                                   {.protocol = Protocol::kOracle});
  EXPECT_THAT(results.rows[0].chosen,
              AllOf(HasSubstr("nothing to choose by"), Not(HasSubstr("by the labels"))));
  for (const SweptSetting& setting : results.rows[0].sweep) EXPECT_FALSE(setting.error);
}

/// The choice repeated from the kept cells, which know of no truth.
TEST_F(TableTest, ALabelFreeSweepChoosesByItsSignal) {
  for (const std::string rule : {"cut", "confidence", "agreement", "rate"}) {
    const double sign = rule == "confidence" ? 0.5 : -0.5;
    const std::string text = "data = \"x.npy\"\nclusters = 3\nseeds = 2\n[[row]]\nname = \"EnSC, " +
                             rule + "\"\nmethod = \"ensc\"\nchoose_by = \"" + rule +
                             "\"\nsweep = {\"affinity.top\" = [1, 8, 0]}\n";
    fs::remove_all(cells().parent_path());
    const RowResult row = run(text).rows[0];
    EXPECT_EQ(row.state, RowState::kDone);
    EXPECT_EQ(row.protocol, Protocol::kLabelFree);
    ASSERT_EQ(row.cells.size(), 2U);
    EXPECT_THAT(row.chosen,
                AllOf(HasSubstr("best of 3 settings by the "), Not(HasSubstr("labels"))));
    if (rule == "agreement") continue;
    std::map<std::string, double> means;
    for (const auto& [name, content] : content_of(cells())) {
      const Json record = Json::parse(content)["record"];
      means[record["options"]["affinity.top"].dump()] +=
          record["signals"][rule].get<double>() * sign;
    }
    ASSERT_EQ(means.size(), 3U);
    double chosen = 0.0, best = -std::numeric_limits<double>::infinity();
    for (const Cell& cell : row.cells) {
      const NamedValues& signals = cell.record.outcome.signals;
      const auto own = std::ranges::find(signals, rule, &NamedValues::value_type::first);
      ASSERT_NE(own, signals.end());
      chosen += std::get<double>(own->second) * sign;
    }
    for (const auto& [top, mean] : means) best = std::max(best, mean);
    EXPECT_DOUBLE_EQ(chosen, best);
  }
}

constexpr char kBest[] =
    "[[row]]\nname = \"best\"\nchoose_from = [\"k-means\", \"EnSC\"]\nchoose_by = \"rate\"\n";

double rate_of(const Cell& cell) {
  for (const auto& [name, value] : cell.record.outcome.signals) {
    if (name == "rate") return std::get<double>(value);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

TEST_F(TableTest, ARowTakesTheBestOfOthersSeedBySeed) {
  const std::string text = std::string("seeds = 3\n") + kTop + kKMeans + kEnsc + kBest;
  const TableResults results = run(text);
  EXPECT_THAT(started_, ::testing::SizeIs(6)) << "it computes nothing itself";
  EXPECT_THAT(planned_, ::testing::SizeIs(2));
  const RowResult& best = row_of(results, "best");
  EXPECT_EQ(best.state, RowState::kDone);
  EXPECT_EQ(best.method, "kmeans or ensc");
  EXPECT_TRUE(best.figures);
  ASSERT_EQ(best.cells.size(), 3U);
  for (std::size_t seed = 0; seed < 3; ++seed) {
    const Cell& kmeans = row_of(results, "k-means").cells[seed];
    const Cell& ensc = row_of(results, "EnSC").cells[seed];
    const Cell& smaller = rate_of(kmeans) < rate_of(ensc) ? kmeans : ensc;
    EXPECT_EQ(best.cells[seed].hash, smaller.hash);
    EXPECT_EQ(best.cells[seed].record.seed, seed);
  }
  EXPECT_THAT(
      best.chosen,
      AllOf(HasSubstr("of 2 rows by the smallest coding rate of the clusters, seed by seed"),
            HasSubstr("EnSC (3)"), Not(HasSubstr("k-means"))))
      << "three subspaces, which k-means does not see";
}

TEST_F(TableTest, ARowThatChoosesBringsThoseItNames) {
  const std::string text = kTop + std::string(kKMeans) + kEnsc + kSpectral + kBest;
  const TableResults results = run(text, {.methods = {"best"}});
  EXPECT_THAT(started_, ElementsAre("k-means 0", "EnSC 0"));
  EXPECT_EQ(row_of(results, "best").state, RowState::kDone);
  ASSERT_EQ(results.left_out.size(), 1U);
  EXPECT_EQ(results.left_out[0].name, "kNN");
}

TEST_F(TableTest, ARowNobodyAskedForHasTheSeedsOfThoseItNames) {
  const std::string text = std::string("seeds = 3\n") + kTop + kKMeans + kEnsc + kBest;
  const TableResults results = run(text, {.methods = {"kmeans", "ensc"}, .seeds = 2});
  EXPECT_EQ(row_of(results, "best").state, RowState::kDone);
  EXPECT_THAT(row_of(results, "best").cells, ::testing::SizeIs(2));
}

TEST_F(TableTest, FurtherSeedsJoinThoseBefore) {
  const std::string text = kTop + std::string(kKMeans) + kEnsc + kBest;
  const TableResults later = run(text, {.seeds = 2, .first_seed = 1});
  EXPECT_THAT(started_, ElementsAre("k-means 1", "k-means 2", "EnSC 1", "EnSC 2"));
  const RowResult& best = row_of(later, "best");
  EXPECT_EQ(best.state, RowState::kDone);
  ASSERT_THAT(best.cells, ::testing::SizeIs(2));
  EXPECT_EQ(best.cells[0].record.seed, 1U);
  EXPECT_TRUE(best.figures.has_value()) << "of the first of them";
  const TableResults all = resume(text, {.seeds = 3});
  EXPECT_THAT(started_, ElementsAre("k-means 0", "EnSC 0"));
  EXPECT_THAT(row_of(all, "best").cells, ::testing::SizeIs(3));
}

TEST_F(TableTest, ARowDoesNotChooseBeforeAllAreThere) {
  const std::string text = kTop + std::string(kKMeans) + kEnsc + kBest;
  const TableResults some = run(text, {.methods = {"k-means"}});
  EXPECT_EQ(some.rows.size(), 1U);
  EXPECT_THAT(some.left_out, ::testing::SizeIs(2));
  const TableResults none = run(text, {.out = folder_.path("none"), .budget_seconds = 1e-9});
  EXPECT_EQ(row_of(none, "best").state, RowState::kNotRun);
  EXPECT_THAT(row_of(none, "best").message, HasSubstr("row 'k-means': "));
}

/// k-means has no graph to cut, as cells of earlier versions have no signals that came later.
TEST_F(TableTest, ACellThatTellsNothingToChooseByIsNamed) {
  const std::string text = kTop + std::string(kKMeans) + kEnsc +
                           "[[row]]\nname = \"best\"\nchoose_from = [\"EnSC\", \"k-means\"]\n"
                           "choose_by = \"cut\"\n";
  const TableResults results = run(text);
  const RowResult& best = row_of(results, "best");
  EXPECT_EQ(best.state, RowState::kNotRun);
  EXPECT_EQ(best.message, "row 'k-means', seed 0: has no cut to choose by");
}

TEST_F(TableTest, ASweepWithNothingToChooseByIsNotDone) {
  const TableResults results = run(std::string("seeds = 2\n") + kTop +
                                   "[[row]]\nname = \"swept\"\nmethod = \"kmeans\"\nchoose_by = "
                                   "\"cut\"\nsweep = {restarts = [1, 2]}\n");
  EXPECT_EQ(results.rows[0].state, RowState::kPartial);
  EXPECT_EQ(results.rows[0].message,
            "row 'swept', seed 0: has no cut to choose by, nor have 1 more of its cells");
}

/// A sweep passes over the default as well; the row that has only the default still gets pictures.
TEST_F(TableTest, ASweepDoesNotStandInForARow) {
  const std::string text = kTop + std::string(kEnsc) +
                           "[[row]]\nname = \"best\"\nmethod = \"ensc\"\nprotocol = \"oracle\"\n"
                           "sweep = {\"ensc.gamma\" = [50, 60]}\n";
  run(text, {.protocol = Protocol::kOracle});
  EXPECT_TRUE(row_of(resume(text), "EnSC").figures);
}

TEST_F(TableTest, ProtocolsAreNeverMixed) {
  const std::string text =
      kTop + std::string(kEnsc) + kSweep +
      "[[row]]\nname = \"as published\"\nmethod = \"kmeans\"\nprotocol = \"paper\"\n";
  EXPECT_EQ(run(text).rows.size(), 1U);
  EXPECT_THAT(started_, ElementsAre("EnSC 0"));
  const TableResults paper = resume(text, {.protocol = Protocol::kPaper});
  EXPECT_THAT(started_, ElementsAre("as published 0"));
  EXPECT_EQ(paper.rows.size(), 2U) << "what is in the folder stays in the table, with its protocol";
  EXPECT_EQ(row_of(paper, "EnSC").protocol, Protocol::kLabelFree);
  EXPECT_THAT(message_of<InvalidArgument>(
                  [&] { resume(kTop + std::string(kEnsc), {.protocol = Protocol::kPaper}); }),
              HasSubstr("no such row under protocol paper"));
}

TEST_F(TableTest, ARowWithoutPublishedSettingsIsShownAndNotRun) {
  const TableResults results =
      run(kTop + std::string(kKMeans) +
              "protocol = \"paper\"\n[[row]]\nname = \"secret\"\nprotocol = \"paper\"\n"
              "settings_published = false\npublished = {error = 1.5}\n",
          {.protocol = Protocol::kPaper});
  const RowResult& secret = row_of(results, "secret");
  EXPECT_EQ(secret.state, RowState::kNoSettings);
  EXPECT_EQ(secret.published->error, 1.5);
  EXPECT_THAT(secret.cells, IsEmpty());
  EXPECT_THAT(started_, ElementsAre("k-means 0"));
}

TEST_F(TableTest, RowsAreChosenByTheirNameOrMethod) {
  const std::string text = kTop + std::string(kKMeans) + kEnsc + kSpectral;
  const TableResults some = run(text, {.methods = {"EnSC"}});
  EXPECT_THAT(started_, ElementsAre("EnSC 0"));
  ASSERT_EQ(some.left_out.size(), 2U) << "what was left out is named";
  EXPECT_EQ(some.left_out[0].name, "k-means");
  EXPECT_EQ(some.left_out[1].name, "kNN");
  EXPECT_THAT(resume(text, {.methods = {"spectral", "k-means"}}).left_out, IsEmpty());
  EXPECT_THAT(started_, ElementsAre("k-means 0", "kNN 0"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { resume(text, {.methods = {"k-mean"}}); }),
              AllOf(HasSubstr("--methods k-mean"), HasSubstr("did you mean 'k-means'?")));
}

TEST_F(TableTest, WhatIsRefusedLeavesNoFolder) {
  const std::string text = kTop + std::string(kKMeans);
  EXPECT_THROW(run(text, {.methods = {"zzz"}}), InvalidArgument);
  EXPECT_FALSE(fs::exists(out_));
  fs::remove(path("x.npy"));
  EXPECT_THROW(run(text), IoError);
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(TableTest, ABudgetLeavesRowsForLater) {
  const std::string text = kTop + std::string(kKMeans) + kEnsc;
  const TableResults nothing = run(text, {.budget_seconds = 1e-9});
  EXPECT_THAT(started_, IsEmpty());
  for (const RowResult& row : nothing.rows) {
    EXPECT_EQ(row.state, RowState::kNotRun);
    EXPECT_THAT(row.message, HasSubstr("budget"));
  }
  for (const RowResult& row : resume(text).rows) EXPECT_EQ(row.state, RowState::kDone);
}

/// A cell that is under way when the time is over is given up.
TEST_F(TableTest, ABudgetStopsALongCell) {
  const std::string text = kTop + std::string(kEnsc) +
                           "[[row]]\nname = \"endless\"\nmethod = \"kmeans\"\n"
                           "set = {restarts = 1000000000, tolerance = 0}\nclusters = 20\n";
  run(text, {.methods = {"EnSC"}});  // beforehand, for no budget is sure to suffice for it
  const TableResults results = resume(text, {.budget_seconds = 2.0});
  EXPECT_THAT(started_, ElementsAre("endless 0"));
  EXPECT_EQ(row_of(results, "EnSC").state, RowState::kDone);
  EXPECT_EQ(row_of(results, "endless").state, RowState::kNotRun);
  EXPECT_THAT(row_of(results, "endless").message, HasSubstr("budget"));
}

/// Takes away what may depend on the truth: the truth itself and the metrics.
Json without_truth(const fs::path& file) {
  Json json = Json::parse(text_of(file));
  EXPECT_TRUE(json["data"].contains("truth"));
  json["data"].erase("truth");
  for (Json& row : json["rows"]) {
    for (Json& cell : row["cells"]) EXPECT_EQ(cell["record"].erase("metrics"), 1U);
  }
  return json;
}

TEST_F(TableTest, ATruthOfNoiseChangesTheMetricsAndNothingElse) {
  const std::string text = std::string("seeds = 2\n") + kTop + kKMeans + kEnsc + kSpectral;
  const TableResults honest = run(text);
  const Json before = without_truth(out_ / "results.json");
  const auto kept = content_of(cells());
  write_noise("y.npy");
  const TableResults noisy = resume(text);
  EXPECT_THAT(started_, IsEmpty());
  EXPECT_EQ(without_truth(out_ / "results.json"), before);
  EXPECT_EQ(content_of(cells()), kept);
  EXPECT_LT(row_of(noisy, "EnSC").cells[0].record.metrics->acc,
            row_of(honest, "EnSC").cells[0].record.metrics->acc);
}

/// From nothing, where the truth could still reach a solver.
TEST_F(TableTest, ATruthOfNoiseReachesNoSolver) {
  const std::string text = std::string("seeds = 2\n") + kTop + kKMeans + kEnsc + kSpectral;
  const TableResults honest = run(text);
  write_noise("y.npy");
  const TableResults noisy = run(text, {.out = path("noisy")});
  EXPECT_THAT(started_, ::testing::SizeIs(6));
  ASSERT_EQ(noisy.rows.size(), honest.rows.size());
  EXPECT_LT(row_of(noisy, "EnSC").cells[0].record.metrics->acc, 1.0);
  for (std::size_t i = 0; i < honest.rows.size(); ++i) {
    const RowResult& a = honest.rows[i];
    const RowResult& b = noisy.rows[i];
    ASSERT_EQ(a.cells.size(), b.cells.size());
    for (std::size_t j = 0; j < a.cells.size(); ++j) {
      EXPECT_EQ(a.cells[j].hash, b.cells[j].hash);
      EXPECT_EQ(a.cells[j].command, b.cells[j].command);
      EXPECT_EQ(a.cells[j].record.outcome.labels, b.cells[j].record.outcome.labels);
      EXPECT_EQ(a.cells[j].record.outcome.certificate, b.cells[j].record.outcome.certificate);
    }
    ASSERT_EQ(a.figures.has_value(), b.figures.has_value());
    if (a.figures) {
      EXPECT_EQ(a.figures->affinity.levels, b.figures->affinity.levels);
    }
  }
}

TEST_F(TableTest, NoCellKnowsTheTruth) {
  run(kTop + std::string(kKMeans) + kEnsc);
  for (const auto& [name, content] : content_of(cells())) {
    EXPECT_THAT(content, AllOf(Not(HasSubstr("metrics")), Not(HasSubstr("truth")))) << name;
  }
}

TEST_F(TableTest, TruthMayBeGivenInsteadOfTheRecipes) {
  write_noise("noise.npy");
  const TableResults results =
      run(kTop + std::string(kEnsc), {.truth = path("noise.npy").string()});
  EXPECT_LT(results.rows[0].cells[0].record.metrics->acc, 1.0);
  EXPECT_EQ(results.data.truth_info->source, "noise.npy");
  EXPECT_THROW(resume(kTop + std::string(kEnsc), {.truth = path("absent.npy").string()}), IoError);
}

TEST_F(TableTest, ATruthOfAnotherLengthIsRefusedAndTheCellsStay) {
  datasets::save_labels(path("y.npy"), Labels(59, 0));
  const std::string text = kTop + std::string(kEnsc);
  EXPECT_THAT(message_of<DataError>([&] { run(text); }), HasSubstr("59 labels for 60 points"));
  datasets::save_labels(path("y.npy"), truth_);
  EXPECT_EQ(resume(text).rows[0].state, RowState::kDone);
  EXPECT_THAT(started_, IsEmpty());
}

TEST_F(TableTest, OneFolderIsForOneRunAtATime) {
  const std::string text = kTop + std::string(kKMeans);
  std::string second;
  const TableHooks hooks = {.started = [&](const std::string&, std::uint64_t) {
    second = message_of<InvalidArgument>(
        [&] { run_table(recipe(text), {.out = out_, .resume = true}); });
  }};
  run_table(recipe(text), {.out = out_}, hooks);
  EXPECT_THAT(second, HasSubstr("another process works in it"));
  EXPECT_NO_THROW(resume(text)) << "afterwards it is free again";
}

TEST_F(TableTest, CancellationKeepsWhatIsFinished) {
  const std::string text = std::string("seeds = 3\n") + kTop + kKMeans + kEnsc;
  CancelToken token;
  Context context;
  context.cancel = &token;
  const TableHooks hooks = {.changed = [&](const TableResults&) { token.request(); }};
  EXPECT_THROW(run_table(recipe(text), {.out = out_}, hooks, context), Cancelled);
  EXPECT_EQ(content_of(cells()).size(), 1U);
  EXPECT_EQ(read_results(out_).rows[0].state, RowState::kPartial);
  resume(text);
  EXPECT_THAT(started_, ElementsAre("k-means 1", "k-means 2", "EnSC 0", "EnSC 1", "EnSC 2"));
}

TEST_F(TableTest, LabelsMadeElsewhereAreEvaluatedSeedBySeed) {
  write_noise("theirs_0.npy");
  datasets::save_labels(path("theirs_1.npy"), truth_);
  const std::string text =
      kTop + std::string("[[row]]\nname = \"theirs\"\nlabels = \"theirs_{seed}.npy\"\nseeds = 2\n");
  const TableResults results = run(text);
  const RowResult& row = results.rows[0];
  EXPECT_EQ(row.state, RowState::kDone) << row.message;
  ASSERT_EQ(row.cells.size(), 2U);
  EXPECT_LT(row.cells[0].record.metrics->acc, 1.0);
  EXPECT_EQ(row.cells[1].record.metrics->acc, 1.0);
  EXPECT_EQ(row.cells[1].command,
            "subspace evaluate " + path("theirs_1.npy").string() + " " + path("y.npy").string());
  datasets::save_labels(path("theirs_0.npy"), truth_);
  EXPECT_EQ(resume(text).rows[0].cells[0].record.metrics->acc, 1.0) << "the file is another";
  EXPECT_THAT(started_, ElementsAre("theirs 0"));
}

TEST_F(TableTest, OneFileOfLabelsIsOneSeed) {
  datasets::save_labels(path("theirs.npy"), truth_);
  datasets::save_points(path("z.npy"), Matrix::Random(5, 60));
  const TableResults results =
      run(std::string("seeds = 3\n") + kTop +
              "[[row]]\nname = \"theirs\"\nlabels = \"theirs.npy\"\nseeds = 2\n"
              "[[row]]\nname = \"z\"\nmethod = \"kmeans\"\nfeatures = \"z.npy\"\n",
          {.seeds = 4});
  EXPECT_EQ(row_of(results, "theirs").seeds_wanted, 1);
  EXPECT_EQ(row_of(results, "theirs").cells.size(), 1U);
  EXPECT_EQ(row_of(results, "theirs").state, RowState::kDone);
  EXPECT_EQ(row_of(results, "z").cells.size(), 4U) << "seeds vary the clusterer";
}

TEST_F(TableTest, FeaturesMadeElsewhereAreClusteredSeedBySeed) {
  Matrix easy = Matrix::Zero(3, 60);
  for (Index j = 0; j < easy.cols(); ++j) {
    easy(truth_[static_cast<std::size_t>(j)], j) = 1.0 + 0.001 * static_cast<double>(j);
  }
  datasets::save_points(path("z_0.npy"), easy);
  datasets::save_points(path("z_1.npy"), Matrix::Random(5, 60));
  const TableResults results = run(
      kTop +
      std::string(
          "[[row]]\nname = \"z\"\nmethod = \"kmeans\"\nfeatures = \"z_{seed}.npy\"\nseeds = 2\n"));
  const RowResult& row = results.rows[0];
  ASSERT_EQ(row.cells.size(), 2U) << row.message;
  EXPECT_EQ(row.cells[0].record.metrics->acc, 1.0);
  EXPECT_EQ(row.cells[0].record.input.dim, 3);
  EXPECT_LT(row.cells[1].record.metrics->acc, 1.0);
  EXPECT_THAT(row.cells[1].command, HasSubstr("cluster " + path("z_1.npy").string() + " -k 3"));
}

TEST_F(TableTest, CommandsSurviveAShell) {
  fs::rename(path("x.npy"), path("it's $HOME; x.npy"));
  const TableResults results =
      run("data = \"it's $HOME; x.npy\"\ntruth = \"y.npy\"\nclusters = 3\n" + std::string(kEnsc) +
          "set = {\"ensc.gamma\" = 60}\n");
  const std::string command = results.rows[0].cells[0].command;
  EXPECT_EQ(command, "subspace cluster '" + path("it").string() +
                         "'\\''s $HOME; x.npy' -k 3 --method ensc --set ensc.gamma=60 --truth " +
                         path("y.npy").string() + " --seed 0");
}

/// Points need no pictures where the network is a plain one.
std::string learning_row(const std::string& name, const std::string& method,
                         const std::string& more) {
  return "[[row]]\nname = \"" + name + "\"\nmethod = \"" + method + "\"\n" + more +
         "[row.set.tcr]\nsteps = 6\nbackbone = \"mlp\"\nhidden = 8\nlayers = 1\nfeatures = 4\n"
         "noise = 0.1\n";
}

class TableCurveTest : public TableTest {
 protected:
  void SetUp() override {
    if (feature_learners().empty()) GTEST_SKIP() << "this build has no LibTorch";
    TableTest::SetUp();
  }
};

TEST_F(TableCurveTest, EndsWhereTheRowDoesAndStandsInTheRecord) {
  // The first row has no curve, trains for both and keeps what the second asks for.
  const std::string both = learning_row("plain", "tcr+kmeans", "") +
                           learning_row("curve", "tcr+spectral", "curve = [2, 4]\n");
  const std::string text = kTop + both;
  const TableResults results = run(text);
  EXPECT_THAT(row_of(results, "plain").cells.at(0).record.outcome.curve, IsEmpty());
  const Record& record = row_of(results, "curve").cells.at(0).record;
  const std::vector<CurvePoint>& curve = record.outcome.curve;
  ASSERT_EQ(curve.size(), 2U);
  EXPECT_EQ(curve[0].step, 2);
  EXPECT_EQ(curve[1].step, 4);
  EXPECT_LT(curve[0].seconds, record.outcome.seconds.total);
  for (const CurvePoint& point : curve) {
    ASSERT_TRUE(point.metrics);
    EXPECT_EQ(point.metrics->acc, evaluate_partition(point.labels, truth_).acc);
    EXPECT_THAT(point.signals, Not(IsEmpty()));
  }
  const TableResults read = results_from_json(to_json(results), "results");
  EXPECT_EQ(to_json(read), to_json(results));
  resume(text);
  EXPECT_THAT(started_, IsEmpty());
}

TEST_F(TableCurveTest, ARowWithFurtherStagesKeepsTheStepsToo) {
  const std::string more = "[row.set.heads]\nsteps = 2\n[row.set.tune]\nsteps = 2\n";
  const TableResults results = run(kTop + learning_row("head", "nmce-head", "") + more +
                                   learning_row("curve", "tcr+spectral", "curve = [2, 5]\n"));
  EXPECT_EQ(row_of(results, "head").state, RowState::kDone) << row_of(results, "head").message;
  const Outcome& outcome = row_of(results, "curve").cells.at(0).record.outcome;
  EXPECT_EQ(outcome.curve.size(), 2U);
  EXPECT_THAT(outcome.warnings, IsEmpty());
}

/// The choice repeated from trainings of their own, and shown with the seed that it fell on.
TEST_F(TableCurveTest, TheBestOfSeveralTrainingsHasTheSmallestLoss) {
  const TableResults apart =
      run("seeds = 3\n" + std::string(kTop) + learning_row("a", "tcr+kmeans", ""));
  const auto loss_of = [](const Cell& cell) {
    for (const auto& [name, value] : cell.record.outcome.signals) {
      if (name == "loss") return std::get<double>(value);
    }
    throw std::out_of_range("no loss");
  };
  const std::vector<Cell>& cells = row_of(apart, "a").cells;
  const Cell& best = *std::ranges::min_element(cells, {}, loss_of);
  const std::string sweep = "choose_by = \"loss\"\nsweep = {seed = [0, 1, 2]}\n";
  const RowResult row =
      run("seeds = 1\n" + std::string(kTop) + learning_row("a", "tcr+kmeans", sweep),
          {.out = folder_.path("swept")})
          .rows[0];
  ASSERT_EQ(row.cells.size(), 1U);
  EXPECT_EQ(row.cells[0].record.seed, best.record.seed);
  EXPECT_EQ(row.cells[0].record.outcome.labels, best.record.outcome.labels);
  EXPECT_THAT(row.chosen, HasSubstr("by the smallest loss"));
  EXPECT_THAT(row.cells[0].command, HasSubstr("--seed " + std::to_string(best.record.seed)));
}

TEST_F(TableCurveTest, StepsThatNobodyKeptAreSaid) {
  run(kTop + learning_row("a", "tcr+spectral", ""));
  const TableResults results = resume(kTop + learning_row("a", "tcr+spectral", "curve = [3]\n"));
  const Outcome& outcome = row_of(results, "a").cells.at(0).record.outcome;
  EXPECT_THAT(outcome.curve, IsEmpty());
  EXPECT_THAT(outcome.warnings, Contains(HasSubstr("no labels of step 3")));
}

}  // namespace
}  // namespace subspace::pipelines
