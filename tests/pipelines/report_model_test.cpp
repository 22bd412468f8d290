// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include <subspace/metrics/partition.h>

#include "report/confusion.h"
#include "report/format.h"
#include "report/label_places.h"
#include "report/model.h"
#include "report/table_commands.h"
#include "support/example_results.h"

namespace subspace::pipelines::report {
namespace {

using subspace::testing::example_results;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

RowResult row_with(const std::string& name, Protocol protocol,
                   const std::vector<double>& accuracies) {
  RowResult row = {
      .name = name, .method = "kmeans", .protocol = protocol, .state = RowState::kDone};
  row.seeds_wanted = static_cast<int>(accuracies.size());
  for (const double acc : accuracies) {
    Cell cell;
    cell.record.outcome.converged = true;
    cell.record.outcome.seconds.total = 2.0;
    cell.record.metrics = PartitionMetrics{.acc = acc};
    row.cells.push_back(cell);
  }
  return row;
}

const RowSummary& find(const TableSummary& table, const std::string& name) {
  for (const ProtocolGroup& group : table.groups) {
    for (const RowSummary& row : group.rows) {
      if (row.row->name == name) return row;
    }
  }
  throw std::out_of_range(name);
}

TEST(ReportModel, ErrorIsWhatAccuracyLacks) {
  TableResults results;
  results.rows = {row_with("a", Protocol::kLabelFree, {0.9, 0.8, 0.7})};
  const TableSummary table = summarize(results);
  const Spread& error = find(table, "a").error;
  EXPECT_EQ(error.count, 3);
  EXPECT_NEAR(error.mean, 20.0, 1e-12);
  EXPECT_NEAR(error.sd, 10.0, 1e-12);
  EXPECT_NEAR(error.min, 10.0, 1e-12);
  EXPECT_NEAR(error.max, 30.0, 1e-12);
  EXPECT_EQ(mean_and_sd(error, 2, " +- "), "20.00 +- 10.00");
}

CurvePoint curve_point(std::int64_t step, double acc, double seconds) {
  return {.step = step, .seconds = seconds, .metrics = PartitionMetrics{.acc = acc}};
}

TEST(ReportModel, ACurveIsTheMeanOfItsSeedsStepByStep) {
  TableResults results;
  results.rows = {row_with("a", Protocol::kLabelFree, {0.9, 0.8})};
  results.rows[0].cells[0].record.outcome.curve = {curve_point(10, 0.6, 1.0),
                                                   curve_point(20, 0.7, 2.0)};
  results.rows[0].cells[1].record.outcome.curve = {curve_point(10, 0.4, 3.0)};
  const TableSummary table = summarize(results);
  const std::vector<CurveSummary>& curve = find(table, "a").curve;
  ASSERT_EQ(curve.size(), 2U);
  EXPECT_EQ(curve[0].step, 10);
  EXPECT_EQ(curve[0].error.count, 2);
  EXPECT_NEAR(curve[0].error.mean, 50.0, 1e-12);
  EXPECT_NEAR(curve[0].seconds.mean, 2.0, 1e-12);
  EXPECT_EQ(curve[1].error.count, 1);
  EXPECT_NEAR(curve[1].error.mean, 30.0, 1e-12);
}

TEST(ReportModel, OnlyCompleteLabelFreeRowsAreBest) {
  TableResults results;
  RowResult partial = row_with("partial", Protocol::kLabelFree, {1.0});
  partial.state = RowState::kPartial;
  partial.seeds_wanted = 10;
  results.rows = {row_with("oracle", Protocol::kOracle, {1.0}),
                  row_with("paper", Protocol::kPaper, {1.0}), partial,
                  row_with("worse", Protocol::kLabelFree, {0.5}),
                  row_with("better", Protocol::kLabelFree, {0.75})};
  const TableSummary table = summarize(results);
  for (const RowResult& row : results.rows) {
    EXPECT_EQ(find(table, row.name).best, row.name == "better") << row.name;
  }
  EXPECT_EQ(
      table.headline,
      "Lowest label-free error so far (2 of 3 rows complete): better with 25.00 % over 1 seed, "
      "in 2.0 s a seed.");
  EXPECT_EQ(find(table, "partial").state, "1 of 10 seeds");
}

TEST(ReportModel, RowsTunedOnTheLabelsDoNotCompete) {
  TableResults results;
  results.rows = {row_with("plain", Protocol::kLabelFree, {0.8}),
                  row_with("tuned", Protocol::kLabelFree, {0.9})};
  results.rows[1].tuned_on_labels = true;
  const TableSummary table = summarize(results);
  EXPECT_TRUE(find(table, "plain").best);
  EXPECT_FALSE(find(table, "tuned").best);
  EXPECT_THAT(table.headline, HasSubstr("plain with 20.00 %"));
  EXPECT_EQ(find(table, "tuned").state, "settings chosen by these labels");
}

TEST(ReportModel, WhatWasMadeElsewhereHasNoTimeAndNoMemory) {
  TableResults results;
  results.rows = {row_with("theirs", Protocol::kLabelFree, {0.9})};
  results.rows[0].method = "";
  const TableSummary table = summarize(results);
  EXPECT_EQ(seconds_text(find(table, "theirs")), kNoNumber);
  EXPECT_EQ(memory_text(find(table, "theirs")), kNoNumber);
  EXPECT_EQ(table.headline, "Lowest label-free error: theirs with 10.00 % over 1 seed.");
}

TEST(ReportModel, TheHeadlineCountsRowsThatAreMissing) {
  TableResults results;
  results.rows = {row_with("a", Protocol::kLabelFree, {0.9}),
                  row_with("b", Protocol::kLabelFree, {0.8}),
                  {.name = "secret", .state = RowState::kNoSettings}};
  EXPECT_THAT(summarize(results).headline, HasSubstr("Lowest label-free error: a with"));
  EXPECT_EQ(summarize(results).left_out, "");
  results.rows.push_back({.name = "c", .state = RowState::kNotRun});
  EXPECT_EQ(summarize(results).so_far, " so far (2 of 3 rows complete)");
  results.left_out = {{"d, too", Protocol::kLabelFree}, {"e", Protocol::kOracle}};
  const TableSummary table = summarize(results);
  EXPECT_THAT(table.headline,
              HasSubstr("Lowest label-free error so far (2 of 4 rows complete): a with"));
  EXPECT_EQ(table.left_out,
            "In the recipe but not in this table: d, too (label-free) and e (oracle).");
}

std::vector<std::string> commands_of(const TableResults& results) {
  return table_commands(summarize(results));
}

TEST(ReportCommands, OneAProtocolMakeTheTable) {
  TableResults results;
  results.rows = {row_with("best", Protocol::kOracle, {0.9}),
                  row_with("a", Protocol::kLabelFree, {0.9, 0.8})};
  EXPECT_THAT(commands_of(results), IsEmpty());
  results.command = "subspace table coil20 --protocol oracle --resume --budget=2h --out coil20";
  EXPECT_THAT(commands_of(results),
              ElementsAre("subspace table coil20 --out coil20",
                          "subspace table coil20 --out coil20 --protocol oracle --resume"));
  EXPECT_THAT(commands_title(commands_of(results)), HasSubstr("The commands"));
  results.rows.erase(results.rows.begin());
  EXPECT_THAT(commands_of(results), ElementsAre("subspace table coil20 --out coil20"));
  EXPECT_EQ(commands_title(commands_of(results)), "The command of the whole table");
}

TEST(ReportCommands, ChooseTheRowsAndSeedsThatTheTableHas) {
  TableResults results;
  results.command = "subspace table 'my table.toml' '--methods=it'\\''s, b' --seeds 1";
  results.rows = {row_with("best", Protocol::kOracle, {0.9, 0.8}),
                  row_with("a, b", Protocol::kLabelFree, {0.9}),
                  row_with("it's", Protocol::kLabelFree, {0.9})};
  results.left_out = {{"c", Protocol::kLabelFree}, {"d", Protocol::kPaper}};
  EXPECT_THAT(commands_of(results),
              ElementsAre("subspace table 'my table.toml' --protocol oracle",
                          "subspace table 'my table.toml' --methods 'a, b,it'\\''s' --seeds 1 "
                          "--resume"))
      << "a command gives rows that it does not choose the seeds of the recipe";
}

TEST(ReportCommands, NameTheFirstSeedWhereItIsAnother) {
  TableResults results;
  results.command = "subspace table t --first-seed 2";
  results.rows = {row_with("a", Protocol::kLabelFree, {0.9})};
  EXPECT_THAT(commands_of(results), ElementsAre("subspace table t"));
  results.rows[0].cells[0].record.seed = 2;
  EXPECT_THAT(commands_of(results), ElementsAre("subspace table t --first-seed 2"));
}

TEST(ReportCommands, KeepTheSeedsBesideRowsThatHaveTheirOwn) {
  TableResults results;
  results.command = "subspace table t --seeds 2 --first-seed 4";
  results.rows = {row_with("a", Protocol::kLabelFree, {0.9, 0.8}),
                  row_with("elsewhere", Protocol::kLabelFree, {0.7}),
                  row_with("swept", Protocol::kLabelFree, {0.6}),
                  {.name = "failed", .method = "ssc", .state = RowState::kFailed}};
  results.rows[0].cells[0].record.seed = 4;
  results.rows[0].cells[1].record.seed = 5;
  results.rows[1].method = "";
  results.rows[2].sweep = {{.settings = "restarts = 3, seed = 0"}, {.settings = "seed = 1"}};
  results.rows[3].seeds_wanted = 2;
  EXPECT_THAT(commands_of(results), ElementsAre("subspace table t --seeds 2 --first-seed 4"));
  // Rows of a sitting before have the seeds of the recipe.
  results.rows.push_back(row_with("early", Protocol::kLabelFree, {0.5, 0.4}));
  EXPECT_THAT(commands_of(results),
              ElementsAre("subspace table t --methods early",
                          "subspace table t --methods a,elsewhere,swept,failed --seeds 2 "
                          "--first-seed 4 --resume"));
}

TEST(ReportModel, TheSuitesVersionIsNoPartOfTheMachine) {
  const TableResults results = {
      .machine = {{"version", std::string("0.1.0")}, {"threads", std::int64_t{2}}}};
  ASSERT_EQ(machine_values(results).size(), 1U);
  EXPECT_EQ(machine_values(results)[0].first, "threads");
}

TEST(ReportModel, TiesShareTheHeadline) {
  TableResults results;
  results.rows = {row_with("a", Protocol::kLabelFree, {0.1, 0.2, 0.3}),
                  row_with("b", Protocol::kLabelFree, {0.3, 0.2, 0.1})};
  const TableSummary table = summarize(results);
  EXPECT_TRUE(find(table, "a").best);
  EXPECT_TRUE(find(table, "b").best);
  EXPECT_THAT(table.headline, HasSubstr("80.00 %, shared by a and b"));
}

TEST(ReportModel, NothingIsBestWithoutTruth) {
  TableResults results;
  results.rows = {row_with("a", Protocol::kLabelFree, {0.5})};
  results.rows[0].cells[0].record.metrics.reset();
  const TableSummary table = summarize(results);
  EXPECT_FALSE(find(table, "a").best);
  EXPECT_EQ(find(table, "a").error.count, 0);
  EXPECT_THAT(table.headline, HasSubstr("No label-free row is complete"));
}

TEST(ReportModel, ProtocolsStandApartAndInOrder) {
  const TableResults results = example_results();
  const TableSummary table = summarize(results);
  std::vector<Protocol> order;
  for (const ProtocolGroup& group : table.groups) {
    order.push_back(group.protocol);
    for (const RowSummary& row : group.rows) EXPECT_EQ(row.row->protocol, group.protocol);
  }
  EXPECT_THAT(order, ElementsAre(Protocol::kLabelFree, Protocol::kPaper, Protocol::kOracle));
}

TEST(ReportModel, StatesAreInWords) {
  const TableResults results = example_results();
  const TableSummary table = summarize(results);
  EXPECT_EQ(find(table, "S2ConvSCN").state, "no settings published");
  EXPECT_EQ(find(table, "KSSC").state, "failed: would need 9.1 GB, of 4 GB allowed");
  EXPECT_EQ(find(table, "k-means").state, "");
  TableResults other;
  other.rows = {row_with("a", Protocol::kLabelFree, {0.5, 0.5})};
  other.rows[0].cells[1].record.outcome.converged = false;
  EXPECT_EQ(find(summarize(other), "a").state, "1 of 2 seeds did not converge");
}

TEST(ReportConfusion, DiagonalIsTheAccuracy) {
  for (const RowResult& row : example_results().rows) {
    if (row.cells.empty()) continue;
    const TableResults results = example_results();
    const Labels& found = row.cells[0].record.outcome.labels;
    const auto matched = confusion(found, results.data.truth);
    ASSERT_TRUE(matched);
    std::int64_t right = 0;
    for (std::size_t k = 0; k < matched->clusters.size(); ++k) {
      if (matched->class_of[k] >= 0) {
        right += matched->counts(static_cast<Index>(k), matched->class_of[k]);
      }
    }
    const double acc = evaluate_partition(found, results.data.truth).acc;
    EXPECT_NEAR(static_cast<double>(right) / static_cast<double>(found.size()), acc, 1e-12);
    std::int64_t wrong = 0;
    for (const ConfusedPair& pair : confused_pairs(*matched, 1000, 3)) wrong += pair.count();
    EXPECT_EQ(wrong + right, std::ssize(found));
  }
}

TEST(ReportConfusion, ClustersStandInTheOrderOfTheirClasses) {
  //                 class   5  5  5  5  6  6  7  7  7
  const auto matched = confusion({2, 2, 2, 0, 0, 0, 9, 9, 4}, {5, 5, 5, 5, 6, 6, 7, 7, 7});
  ASSERT_TRUE(matched);
  EXPECT_THAT(matched->classes, ElementsAre(5, 6, 7));
  EXPECT_THAT(matched->clusters, ElementsAre(2, 0, 9, 4));
  EXPECT_THAT(matched->class_of, ElementsAre(0, 1, 2, -1));
  EXPECT_THAT(matched->placed, ElementsAre(0, 0, 0, 1, 1, 1, 2, 2, -1));
  const auto pairs = confused_pairs(*matched, 10, 10);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].one, 0);
  EXPECT_EQ(pairs[0].other, 1);
  EXPECT_EQ(pairs[0].one_as_other, 1);
  EXPECT_EQ(pairs[0].other_as_one, 0);
  EXPECT_THAT(pairs[0].examples, ElementsAre(3));
  EXPECT_EQ(pairs[1].one, 2);
  EXPECT_EQ(pairs[1].other, -1);
}

TEST(ReportConfusion, AClusterWithoutAPointOfItsClassIsUnmatched) {
  // One to one, cluster 1 is left with class 6, of which it has nothing.
  const auto matched = confusion({0, 0, 0, 1, 0}, {5, 5, 5, 5, 6});
  ASSERT_TRUE(matched);
  EXPECT_THAT(matched->class_of, ElementsAre(0, -1));
  EXPECT_THAT(matched->placed, ElementsAre(0, 0, 0, -1, 0));
}

TEST(ReportConfusion, LabelsOfOtherPointsAreNotCompared) {
  EXPECT_FALSE(confusion({0, 1}, {0, 1, 1}));
  EXPECT_FALSE(confusion({}, {}));
}

TEST(ReportFormat, NumbersAreShortAndNeverMisread) {
  EXPECT_EQ(significant(0.01234), "0.0123");
  EXPECT_EQ(significant(1234.4), "1234");
  EXPECT_EQ(significant(0.0), "0");
  EXPECT_EQ(fixed(std::nan(""), 2), kNoNumber);
  EXPECT_EQ(exact(std::nan("")), "");
  EXPECT_EQ(std::stod(exact(0.1 + 0.2)), 0.1 + 0.2);
  EXPECT_EQ(fixed(std::numeric_limits<double>::max(), 1).size(), 311U);
  EXPECT_EQ(duration(0.41), "0.41 s");
  EXPECT_EQ(duration(90.0), "90.0 s");
  EXPECT_EQ(duration(246.0), "4.1 min");
  EXPECT_EQ(duration(8280.0), "2.3 h");
  EXPECT_EQ(joined({"a", "b", "c"}), "a, b and c");
}

TEST(ReportFormat, WhatWasMeasuredHasFourDigitsAndWhatWasSetAll) {
  EXPECT_EQ(measured_text(25274.793984), "25275");
  EXPECT_EQ(measured_text(1.154333754765733e-15), "1.154e-15");
  EXPECT_EQ(measured_text(-0.9601105451583862), "-0.9601");
  EXPECT_EQ(measured_text(91.1419660312816), "91.14");
  EXPECT_EQ(measured_text(1e-6), "1e-06");
  EXPECT_EQ(measured_text(0.5), "0.5");
  EXPECT_EQ(measured_text(300.0), "300");
  EXPECT_EQ(measured_text(0.0), "0");
  EXPECT_EQ(measured_text(2.5e12), "2.5e+12");
  EXPECT_EQ(measured_text(std::nan("")), kNoNumber);
  EXPECT_EQ(measured_text(std::int64_t{123456789}), "123456789");
  EXPECT_EQ(value_text(0.123456789), "0.123456789");
}

TEST(ReportLabels, KeepOutOfEachOthersWay) {
  const Frame frame = {.left = 0.0, .top = 0.0, .width = 600.0, .height = 300.0};
  std::vector<Labelled> dots;
  for (int i = 0; i < 5; ++i) dots.push_back({300.0 + i, 150.0 + i, "a method"});
  const auto places = place_labels(dots, {}, frame);
  ASSERT_EQ(places.size(), dots.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool same_side = places[i].ends_here == places[j].ends_here;
      EXPECT_TRUE(!same_side || std::abs(places[i].y - places[j].y) >= 11.0) << i << " " << j;
    }
  }
  const auto corner = place_labels({{598.0, 2.0, "a long name"}}, {}, frame);
  EXPECT_TRUE(corner[0].ends_here);
}

TEST(ReportLabels, KeepOffTheLinesThatLeadToTheirDots) {
  const Frame frame = {.left = 0.0, .top = 0.0, .width = 600.0, .height = 300.0};
  const std::vector<Labelled> dots = {{300.0, 150.0, "a method"}};
  const std::vector<std::vector<Spot>> from_the_left = {{{100.0, 150.0}, {300.0, 150.0}}};
  const std::vector<std::vector<Spot>> from_the_right = {{{500.0, 150.0}, {300.0, 150.0}}};
  EXPECT_FALSE(place_labels(dots, from_the_left, frame)[0].ends_here);
  EXPECT_TRUE(place_labels(dots, from_the_right, frame)[0].ends_here);
}

}  // namespace
}  // namespace subspace::pipelines::report
