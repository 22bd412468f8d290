// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <subspace/core/error.h>
#include <subspace/pipelines/results.h>

#include "support/message_of.h"

namespace subspace::pipelines {
namespace {

using subspace::testing::message_of;
using ::testing::HasSubstr;

TableResults example() {
  TableResults results = {.name = "small", .title = "A <small> table", .version = "0.1.0"};
  results.recipe = "data = \"x\"\n";
  results.machine = {{"threads", std::int64_t{2}}, {"backend", std::string("mkl")}};
  results.data = {.input = {"points", 3, 4, "ab", datasets::ImageShape{1, 2, 2}},
                  .num_clusters = 2,
                  .truth = {0, 0, 1},
                  .truth_info = TruthInfo{"points", "gnd"},
                  .redistributable = true,
                  .thumbnails = ThumbnailSheet{3, 2, 2, 2, std::string("\x89PNG\0\xff", 6)}};
  RowResult row = {.name = "EnSC", .method = "ensc", .protocol = Protocol::kPaper};
  row.published = {14.83, "somewhere", "by sweep"};
  row.state = RowState::kDone;
  row.seeds_wanted = 1;
  Cell cell = {.hash = "77", .command = "subspace cluster points -k 2"};
  cell.record.command = "cluster";
  cell.record.input = results.data.input;
  cell.record.method = "ensc";
  cell.record.options = {{"ensc.gamma", 50.0}, {"affinity.top", std::int64_t{5}}};
  cell.record.seed = 18446744073709551615U;
  cell.record.outcome.labels = {1, 1, 0};
  cell.record.outcome.seconds.total = 0.5;
  cell.record.load_seconds = 0.25;
  cell.record.peak_memory = 123456789;
  cell.record.metrics = PartitionMetrics{.acc = 1.0, .ari = 0.125};
  row.cells = {cell};
  row.sweep = {{.settings = "ensc.gamma = 5", .seeds = 2, .error = 12.5, .cut = 0.25},
               {.settings = "ensc.gamma = 50", .seeds = 2, .confidence = 0.5, .shown = true}};
  row.figures = Figures{.affinity = {2, {0, 255, 7, 9}, {0.5}},
                        .eigenvalues = {0.0, 0.25},
                        .map_of = "points",
                        .map_points = {0, 2},
                        .map = {{0.25F, 0.5F}, {1.0F, 0.0F}}};
  row.figures->geometry = FeatureGeometry{
      .of = "learned features",
      .dimension = 2,
      .all = {3, {1.0, 0.5}, 1.9, {2, {255, 0, 1, 200}, {}}},
      .clusters = {{0, {1, {1.0}, 1.0, {1, {255}, {}}}, {{2}}}, {1, {2, {1.0, 0.25}, 1.6}, {}}}};
  results.rows = {row, {.name = "theirs", .state = RowState::kNoSettings}};
  results.left_out = {{"not asked for", Protocol::kOracle}};
  return results;
}

TEST(ResultsJson, ReadsBackWhatItWrote) {
  const std::string text = to_json(example());
  const TableResults again = results_from_json(text, "results.json");
  EXPECT_EQ(to_json(again), text);
  EXPECT_EQ(again.rows[0].figures->affinity.levels, (std::vector<std::uint8_t>{0, 255, 7, 9}));
  EXPECT_EQ(again.data.thumbnails->png, std::string("\x89PNG\0\xff", 6));
  EXPECT_EQ(again.rows[0].cells[0].record.seed, 18446744073709551615U);
  EXPECT_EQ(again.rows[0].cells[0].record.peak_memory, 123456789);
  EXPECT_EQ(again.rows[1].state, RowState::kNoSettings);
  ASSERT_EQ(again.left_out.size(), 1U);
  EXPECT_EQ(again.left_out[0].name, "not asked for");
  EXPECT_EQ(again.left_out[0].protocol, Protocol::kOracle);
}

TEST(ResultsJson, EarlierFilesNameNoRowsLeftOut) {
  std::string text = to_json(example());
  text.replace(text.find("\"left_out\""), 10, "\"other_key\"");
  EXPECT_TRUE(results_from_json(text, "results.json").left_out.empty());
}

TEST(ResultsJson, KeepsTheGeometry) {
  const TableResults again = results_from_json(to_json(example()), "results.json");
  ASSERT_TRUE(again.rows[0].figures->geometry);
  const FeatureGeometry& geometry = *again.rows[0].figures->geometry;
  EXPECT_EQ(geometry.of, "learned features");
  EXPECT_EQ(geometry.dimension, 2);
  EXPECT_EQ(geometry.all.points, 3);
  EXPECT_EQ(geometry.all.effective_rank, 1.9);
  EXPECT_EQ(geometry.all.covariance.levels, (std::vector<std::uint8_t>{255, 0, 1, 200}));
  ASSERT_EQ(geometry.clusters.size(), 2U);
  EXPECT_EQ(geometry.clusters[0].closest, (std::vector<std::vector<Index>>{{2}}));
  EXPECT_EQ(geometry.clusters[1].cluster, 1);
  EXPECT_EQ(geometry.clusters[1].own.singular_values, (std::vector<double>{1.0, 0.25}));
  EXPECT_EQ(geometry.clusters[1].own.covariance.side, 0);
}

TEST(ResultsJson, EarlierFilesHaveNoGeometry) {
  TableResults without = example();
  without.rows[0].figures->geometry.reset();
  const std::string text = to_json(without);
  EXPECT_THAT(text, ::testing::Not(HasSubstr("geometry")));
  const TableResults again = results_from_json(text, "results.json");
  ASSERT_TRUE(again.rows[0].figures);
  EXPECT_FALSE(again.rows[0].figures->geometry);
}

TEST(ResultsJson, WhatIsDamagedIsNamed) {
  const std::string text = to_json(example());
  for (std::size_t length = 0; length < text.size(); length += 101) {
    EXPECT_THAT(
        message_of<IoError>([&] { results_from_json(text.substr(0, length), "results.json"); }),
        HasSubstr("results.json: not the results of a table"));
  }
  EXPECT_THAT(message_of<IoError>([&] { results_from_json(R"({"schema": "other"})", "r"); }),
              HasSubstr("schema 'other', must be subspace-results-1"));
  std::string wrong = text;
  wrong.replace(wrong.find("\"paper\""), 7, "\"loose\"");
  EXPECT_THAT(message_of<IoError>([&] { results_from_json(wrong, "r"); }),
              HasSubstr("protocol = loose, must be one of label-free, paper, oracle"));
  TableResults uneven = example();
  uneven.rows[0].figures->geometry->all.covariance.side = 3;
  EXPECT_THAT(message_of<IoError>([&] { results_from_json(to_json(uneven), "r"); }),
              HasSubstr("covariance: levels and side do not agree"));
}

TEST(Spread, IsThatOfASample) {
  const Spread four = spread({2.0, 4.0, 4.0, 6.0});
  EXPECT_DOUBLE_EQ(four.mean, 4.0);
  EXPECT_DOUBLE_EQ(four.sd, std::sqrt(8.0 / 3.0));
  EXPECT_EQ(four.min, 2.0);
  EXPECT_EQ(four.max, 6.0);
  EXPECT_EQ(spread({3.0}).sd, 0.0);
  EXPECT_EQ(spread({}).count, 0);
}

}  // namespace
}  // namespace subspace::pipelines
