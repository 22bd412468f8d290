// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/recipe.h>

#include <filesystem>
#include <fstream>

#include <subspace/core/error.h>

#include "datasets/files.h"
#include "expect_error.h"

namespace subspace::pipelines {
namespace {

using ::subspace::testing::message_of;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr char kTop[] = "data = \"x.npy\"\nclusters = 3\n";

Recipe parse(const std::string& text) { return parse_recipe(text, "mine", "mine.toml"); }

/// The recipe with one row of these lines.
Recipe parse_row(const std::string& lines) {
  return parse(kTop + std::string("[[row]]\nname = \"a\"\n") + lines);
}

std::string refusal(const std::string& text) {
  return message_of<InvalidArgument>([&] { parse(text); });
}
std::string row_refusal(const std::string& lines) {
  return message_of<InvalidArgument>([&] { parse_row(lines); });
}

TEST(Recipe, EveryKeyOfTheWholeIsRead) {
  const std::string text = R"(
title = "Small things"
note = "what to know"
data = "pictures"
truth = "y.npy"
image_size = "16x12"
color = true
clusters = 7
seeds = 4
[[row]]
name = "a"
method = "kmeans"
)";
  const Recipe recipe = parse(text);
  EXPECT_EQ(recipe.name, "mine");
  EXPECT_EQ(recipe.title, "Small things");
  EXPECT_EQ(recipe.note, "what to know");
  EXPECT_EQ(recipe.data, "pictures");
  EXPECT_EQ(recipe.truth, "y.npy");
  ASSERT_TRUE(recipe.image_size);
  EXPECT_EQ(recipe.image_size->height, 16);
  EXPECT_EQ(recipe.image_size->width, 12);
  EXPECT_TRUE(recipe.color);
  EXPECT_EQ(recipe.clusters, 7);
  EXPECT_EQ(recipe.seeds, 4);
  EXPECT_EQ(recipe.rows.size(), 1U);
  EXPECT_EQ(recipe.text, text);
}

TEST(Recipe, EveryKeyOfARowIsRead) {
  const RecipeRow row = parse_row(R"(method = "ensc"
set = {"ensc.tau" = 0.5, kmeans = {restarts = 3}}
features = "z_{seed}.npy"
protocol = "oracle"
seeds = 2
clusters = 5
sweep = {"ensc.gamma" = [10, 50.5]}
settings_published = true
note = "remark"
tuned_on_labels = true
published = {error = 12.5, source = "a paper", obtained = "somehow"}
)")
                            .rows.front();
  EXPECT_EQ(row.name, "a");
  EXPECT_EQ(row.method, "ensc");
  EXPECT_THAT(row.set, ElementsAre(Pair("ensc.tau", "0.5"), Pair("kmeans.restarts", "3")));
  EXPECT_EQ(row.features, "z_{seed}.npy");
  EXPECT_EQ(row.protocol, Protocol::kOracle);
  EXPECT_EQ(row.seeds, 2);
  EXPECT_EQ(row.clusters, 5);
  ASSERT_EQ(row.sweep.size(), 1U);
  EXPECT_EQ(row.sweep[0].key, "ensc.gamma");
  EXPECT_THAT(row.sweep[0].values, ElementsAre("10", "50.5"));
  EXPECT_TRUE(row.settings_published);
  EXPECT_EQ(row.note, "remark");
  EXPECT_TRUE(row.tuned_on_labels);
  ASSERT_TRUE(row.published);
  EXPECT_EQ(row.published->error, 12.5);
  EXPECT_EQ(row.published->source, "a paper");
  EXPECT_EQ(row.published->obtained, "somehow");
  EXPECT_EQ(parse_row("labels = \"theirs_{seed}.csv\"\n").rows[0].labels, "theirs_{seed}.csv");
}

TEST(Recipe, RowsShareOptionsThatTheirOwnOverride) {
  const Recipe recipe = parse_row(R"(method = "ensc"
shared = {ensc = "exact", kmeans = ["few", "more"]}
set = {"ensc.tau" = 0.5}

[shared.exact]
gamma = 20
tau = 1

[shared.few]
restarts = 3

[shared.more]
restarts = 8
)");
  EXPECT_THAT(
      recipe.rows.front().set,
      ElementsAre(Pair("ensc.gamma", "20"), Pair("kmeans.restarts", "8"), Pair("ensc.tau", "0.5")));
}

TEST(Recipe, SharedOptionsThatDoNotFitAreRefused) {
  const std::string row = "method = \"ensc\"\nshared = ";
  const std::string shared = "\n[shared.exact]\ntau = 1\n[shared.graph]\nneighbours = 3\n";
  EXPECT_THAT(row_refusal(row + "{ensc = \"exact\"}\n"),
              HasSubstr("shared.ensc: the recipe has no [shared]"));
  EXPECT_THAT(row_refusal(row + "{ensc = \"exakt\"}\n" + shared),
              HasSubstr("shared.ensc = exakt, must be one of exact, graph"));
  EXPECT_THAT(row_refusal(row + "{ensc = 3}\n" + shared),
              HasSubstr("shared.ensc: must be a name of [shared] or a list of them"));
  EXPECT_THAT(row_refusal(row + "\"exact\"\n" + shared), HasSubstr("shared: must be a table"));
  EXPECT_THAT(row_refusal(row + "{ensc = \"graph\"}\n" + shared), HasSubstr("neighbours"));
  EXPECT_THAT(row_refusal("method = \"ensc\"\n[shared]\nexact = 3\n"),
              HasSubstr("shared.exact: must be a table"));
}

TEST(Recipe, WhatIsNotSaidHasItsDefault) {
  const Recipe recipe = parse_row("method = \"kmeans\"\n");
  EXPECT_EQ(recipe.title, "mine");
  EXPECT_EQ(recipe.truth, "");
  EXPECT_FALSE(recipe.image_size);
  EXPECT_FALSE(recipe.color);
  EXPECT_EQ(recipe.seeds, 1);
  const RecipeRow& row = recipe.rows.front();
  EXPECT_THAT(row.set, IsEmpty());
  EXPECT_THAT(row.sweep, IsEmpty());
  EXPECT_EQ(row.protocol, Protocol::kLabelFree);
  EXPECT_FALSE(row.seeds || row.clusters || row.published);
  EXPECT_TRUE(row.settings_published);
  EXPECT_FALSE(row.tuned_on_labels);
}

TEST(Recipe, UnknownKeysAreNamedWithTheirPlaceAndTheNearest) {
  EXPECT_THAT(refusal("cluster = 3\n"),
              AllOf(HasSubstr("mine.toml: unknown key 'cluster'"), HasSubstr("'clusters'?")));
  EXPECT_THAT(row_refusal("methd = \"ensc\"\n"),
              AllOf(HasSubstr("mine.toml: row 1: unknown key 'methd'"), HasSubstr("'method'?")));
  EXPECT_THAT(
      row_refusal("method = \"ensc\"\npublished = {eror = 3}\n"),
      AllOf(HasSubstr("mine.toml: row 1: published: unknown key 'eror'"), HasSubstr("'error'?")));
  EXPECT_THAT(row_refusal("method = \"ensc\"\nprotocol = \"oracle\"\nsweep = {gama = [1]}\n"),
              AllOf(HasSubstr("mine.toml: row 'a'"), HasSubstr("did you mean 'gamma'?")));
}

TEST(Recipe, AMalformedFileIsNamedWithItsLine) {
  EXPECT_THAT(refusal("data = \"x.npy\"\nclusters = \n"), HasSubstr("mine.toml: line 2"));
}

TEST(Recipe, DataClustersAndRowsMustBeThere) {
  const std::string row = "[[row]]\nname = \"a\"\nmethod = \"kmeans\"\n";
  EXPECT_THAT(refusal("clusters = 3\n" + row), HasSubstr("mine.toml: no data given"));
  EXPECT_THAT(refusal("data = \"x.npy\"\n" + row), HasSubstr("mine.toml: no clusters given"));
  EXPECT_THAT(refusal(kTop), HasSubstr("mine.toml: no [[row]] given"));
  EXPECT_THAT(refusal(std::string(kTop) + "row = 3\n"), HasSubstr("must be [[row]] tables"));
  EXPECT_THAT(refusal(std::string(kTop) + "[[row]]\nmethod = \"kmeans\"\n"),
              HasSubstr("row 1: a row has no name"));
}

TEST(Recipe, ValuesMustFitTheirKeys) {
  const std::string row = "[[row]]\nname = \"a\"\nmethod = \"kmeans\"\n";
  for (const char* clusters : {"0", "-1", "\"many\"", "2.5"}) {
    EXPECT_THAT(refusal("data = \"x.npy\"\nclusters = " + std::string(clusters) + "\n" + row),
                HasSubstr("mine.toml: clusters"));
  }
  EXPECT_THAT(refusal(kTop + std::string("seeds = 0\n") + row), HasSubstr("mine.toml: seeds"));
  EXPECT_THAT(refusal(kTop + std::string("title = 3\n") + row), HasSubstr("title: must be text"));
  EXPECT_THAT(refusal(kTop + std::string("image_size = \"big\"\n") + row),
              HasSubstr("mine.toml: image_size"));
  EXPECT_THAT(row_refusal("method = \"kmeans\"\nprotocol = \"cheating\"\n"),
              AllOf(HasSubstr("row 1: protocol"), HasSubstr("label-free")));
  EXPECT_THAT(row_refusal("method = \"kmeans\"\nset = 3\n"), HasSubstr("set: must be a table"));
  for (const char* wrong : {"3", "[0]", "[4, 4]", "[4, 2]", "[1.5]"}) {
    EXPECT_THAT(row_refusal(std::string("method = \"tcr+ensc\"\ncurve = ") + wrong + "\n"),
                HasSubstr("curve"))
        << wrong;
  }
  EXPECT_THAT(row_refusal("method = \"ensc\"\nprotocol = \"oracle\"\nsweep = {gamma = 3}\n"),
              HasSubstr("must be a list of values"));
  EXPECT_THAT(row_refusal("method = \"ensc\"\nprotocol = \"oracle\"\nsweep = {gamma = []}\n"),
              HasSubstr("must be a list of values"));
}

/// An error left out must not stand in the table as a perfect one.
TEST(Recipe, APublishedFigureIsAPercentage) {
  EXPECT_THAT(row_refusal("method = \"kmeans\"\npublished = {source = \"a paper\"}\n"),
              HasSubstr("published: no error given"));
  for (const char* error : {"-1", "100.5", "nan", "\"few\""}) {
    EXPECT_THAT(
        row_refusal("method = \"kmeans\"\npublished = {error = " + std::string(error) + "}\n"),
        HasSubstr("row 1: published: error"))
        << error;
  }
}

TEST(Recipe, RowsHaveNamesOfTheirOwn) {
  const std::string row = "[[row]]\nname = \"twin\"\nmethod = \"kmeans\"\n";
  EXPECT_THAT(refusal(kTop + row + row), HasSubstr("mine.toml: row 'twin': the name is taken"));
}

TEST(Recipe, WrongMethodsAndOptionsAreNamedWithTheirRow) {
  EXPECT_THAT(row_refusal("method = \"enscc\"\n"),
              AllOf(HasSubstr("mine.toml: row 'a'"), HasSubstr("did you mean 'ensc'?")));
  EXPECT_THAT(row_refusal("method = \"ensc\"\nset = {gama = 3}\n"),
              AllOf(HasSubstr("mine.toml: row 'a'"), HasSubstr("did you mean 'gamma'?")));
  EXPECT_THAT(row_refusal("method = \"ensc\"\nset = {tau = 1.3}\n"),
              AllOf(HasSubstr("mine.toml: row 'a'"), HasSubstr("ensc.tau = 1.3")));
  EXPECT_THAT(row_refusal("method = \"ensc\"\nprotocol = \"oracle\"\nsweep = {tau = [0.5, 1.3]}\n"),
              AllOf(HasSubstr("mine.toml: row 'a'"), HasSubstr("ensc.tau = 1.3")));
}

TEST(Recipe, OnlyAnOracleMaySweep) {
  for (const char* protocol : {"label-free", "paper"}) {
    EXPECT_THAT(row_refusal("method = \"ensc\"\nsweep = {gamma = [1, 2]}\nprotocol = \"" +
                            std::string(protocol) + "\"\n"),
                HasSubstr("must have protocol = \"oracle\""));
  }
}

TEST(Recipe, ASweepMayBeChosenWithoutLabels) {
  const std::string sweep = "method = \"ensc\"\nsweep = {gamma = [1, 2]}\n";
  EXPECT_NO_THROW(parse_row(sweep + "choose_by = \"cut\"\n"));
  EXPECT_THAT(row_refusal(sweep + "choose_by = \"luck\"\n"), HasSubstr("choose_by = luck"));
  EXPECT_THAT(row_refusal(sweep + "choose_by = \"cut\"\nprotocol = \"oracle\"\n"),
              HasSubstr("choose_by is for the sweep"));
  EXPECT_THAT(row_refusal("method = \"ensc\"\nchoose_by = \"cut\"\n"),
              HasSubstr("choose_by is for the sweep"));
}

/// Rows a, b and c, then one that chooses.
std::string choosing(const std::string& keys, const std::string& of_b = "") {
  return "data = \"x.npy\"\nclusters = 3\n[[row]]\nname = \"a\"\nmethod = \"ensc\"\n"
         "[[row]]\nname = \"b\"\nmethod = \"kmeans\"\n" +
         of_b + "[[row]]\nname = \"best\"\n" + keys;
}

TEST(Recipe, ARowMayChooseAmongOthers) {
  const std::string from = "choose_from = [\"a\", \"b\"]\n";
  const std::string by = "choose_by = \"rate\"\n";
  const Recipe recipe = parse_recipe(choosing(from + by), "r", "r");
  EXPECT_EQ(recipe.rows[2].choose_from, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(recipe.rows[2].chosen_by, ChosenBy::kRate);
  const auto refusal = [](const std::string& text) {
    return message_of<InvalidArgument>([&] { parse_recipe(text, "r", "r"); });
  };
  EXPECT_THAT(refusal(choosing(from)), HasSubstr("must be rate, confidence or cut"));
  EXPECT_THAT(refusal(choosing(from + "choose_by = \"loss\"\n")),
              HasSubstr("must be rate, confidence or cut"));
  EXPECT_THAT(refusal(choosing(from + by + "protocol = \"oracle\"\n")), HasSubstr("oracle"));
  EXPECT_THAT(refusal(choosing(from + by + "method = \"ensc\"\n")), HasSubstr("leave out method"));
  EXPECT_THAT(refusal(choosing(from + by + "seeds = 2\n")), HasSubstr("leave out"));
  EXPECT_THAT(refusal(choosing(by + "choose_from = [\"a\", \"z\"]\n")),
              HasSubstr("row 'best': choose_from 'z': no row above has this name"));
  EXPECT_THAT(refusal(choosing(by + "choose_from = [\"a\", \"best\"]\n")),
              HasSubstr("no row above"));
  for (const std::string few : {"[]", "[\"a\"]", "[\"a\", \"b\", \"a\"]"}) {
    EXPECT_THAT(refusal(choosing(by + "choose_from = " + few + "\n")),
                HasSubstr("choose_from: must be two or more different rows"));
  }
  EXPECT_THAT(refusal(choosing(from + by + "protocol = \"paper\"\nsettings_published = false\n")),
              HasSubstr("exclude each other"));
  EXPECT_THAT(refusal(choosing(from + by, "features = \"z.npy\"\n")),
              HasSubstr("choose_from 'b': must have the points of 'a'"));
  EXPECT_NO_THROW(parse_recipe(
      choosing(from + "choose_by = \"confidence\"\n", "features = \"z.npy\"\n"), "r", "r"));
  EXPECT_NO_THROW(parse_recipe(choosing(from + by, "clusters = 3\nseeds = 1\n"), "r", "r"))
      << "those of the table, said again";
  EXPECT_THAT(refusal(choosing(from + by, "seeds = 2\n")),
              HasSubstr("must have the seeds and clusters of 'a'"));
  EXPECT_THAT(refusal(choosing(from + by, "protocol = \"paper\"\n")),
              HasSubstr("has another protocol"));
  EXPECT_THAT(refusal(choosing(from + by, "choose_by = \"cut\"\nsweep = {restarts = [1, 2]}\n")),
              HasSubstr("without a sweep"));
}

TEST(Recipe, ARowHasOneSourceOfItsLabels) {
  EXPECT_THAT(row_refusal("method = \"ensc\"\nlabels = \"y.npy\"\n"), HasSubstr("and not both"));
  EXPECT_THAT(row_refusal("note = \"nothing\"\n"), HasSubstr("must have a method, or labels"));
  EXPECT_THAT(row_refusal("labels = \"y.npy\"\nfeatures = \"z.npy\"\n"),
              HasSubstr("features need a method"));
  EXPECT_THAT(row_refusal("labels = \"y.npy\"\nset = {nonsense = 3}\n"),
              HasSubstr("labels made elsewhere have no options"));
  for (const char* method : {"nmce", "tcr+kmeans"}) {
    EXPECT_THAT(row_refusal("features = \"z.npy\"\nmethod = \"" + std::string(method) + "\"\n"),
                AllOf(HasSubstr("row 'a'"), HasSubstr("learns features itself")));
  }
}

TEST(Recipe, ARowWithoutPublishedSettingsNeedsNoMethod) {
  const std::string secret = "settings_published = false\npublished = {error = 9}\n";
  EXPECT_THAT(row_refusal(secret), HasSubstr("is for protocol = \"paper\""));
  const Recipe recipe = parse_row("protocol = \"paper\"\n" + secret);
  EXPECT_FALSE(recipe.rows[0].settings_published);
  EXPECT_EQ(recipe.rows[0].published->error, 9.0);
}

/// Also in a build that cannot run them.
TEST(Recipe, RowsThatLearnAreReadInEveryBuild) {
  EXPECT_EQ(parse_row("method = \"nmce\"\nset = {\"tcr.steps\" = 5}\n").rows[0].method, "nmce");
  EXPECT_EQ(parse_row("method = \"tcr+kmeans\"\n").rows[0].method, "tcr+kmeans");
}

TEST(Recipe, ALearnerAloneIsNoMethodOfARow) {
  if (feature_learners().empty()) GTEST_SKIP() << "no LibTorch in this build";
  EXPECT_THAT(row_refusal("method = \"tcr\"\n"),
              AllOf(HasSubstr("row 'a'"), HasSubstr("must be tcr+CLUSTERER")));
}

TEST(Recipe, BuiltInRecipesAllParse) {
  EXPECT_THAT(recipe_names(), ::testing::Contains("turntable"));
  for (const std::string& name : recipe_names()) {
    const Recipe recipe = find_recipe(name);
    EXPECT_EQ(recipe.name, name);
    EXPECT_NE(recipe.title, name) << "a title for people";
    EXPECT_FALSE(recipe.rows.empty()) << name;
  }
}

TEST(Recipe, FilesAreReadAndTheirNamesStartFromTheirFolder) {
  const datasets::TempFolder folder;
  folder.write("x.npy", "there, which is all that is looked at");
  const auto file = folder.write(
      "small.toml", kTop + std::string("[[row]]\nname = \"a\"\nmethod = \"kmeans\"\n"));
  const Recipe recipe = find_recipe(file.string());
  EXPECT_EQ(recipe.name, "small");
  EXPECT_EQ(recipe.folder, file.parent_path());
  EXPECT_EQ(recipe.data, folder.path("x.npy").string());
}

TEST(Recipe, ARegisteredNameIsNoFileBesideTheRecipe) {
  const datasets::TempFolder folder;
  folder.write("turntable", "");
  const auto file = folder.write(
      "small.toml",
      "data = \"turntable\"\nclusters = 2\n[[row]]\nname = \"a\"\nmethod = \"kmeans\"\n");
  EXPECT_EQ(find_recipe(file.string()).data, "turntable");
}

TEST(Recipe, WhatIsNotThereIsSaid) {
  EXPECT_THAT(message_of<IoError>([] { find_recipe("absent.toml"); }),
              AllOf(HasSubstr("absent.toml: no such file"), HasSubstr("turntable")));
  const datasets::TempFolder folder;
  EXPECT_THROW(find_recipe(folder.path("").string()), IoError);
}

TEST(Recipe, ACurveIsOfOneTrainingAndOfStepsBeforeItsLast) {
  EXPECT_THAT(row_refusal("method = \"ensc\"\ncurve = [2]\n"),
              AllOf(HasSubstr("curve"), HasSubstr("one training")));
  EXPECT_THAT(row_refusal("labels = \"y.npy\"\ncurve = [2]\n"), HasSubstr("leave out"));
  if (feature_learners().empty()) return;
  EXPECT_THAT(row_refusal("method = \"nmce-head\"\ncurve = [2]\n"), HasSubstr("one training"));
  EXPECT_THAT(row_refusal("method = \"tcr+ensc\"\ncurve = [2, 8]\nset = {\"tcr.steps\" = 8}\n"),
              HasSubstr("step 8, must be before the last, 8"));
}

/// A training that collapses has the smallest rate of all.
TEST(Recipe, RatesOfDifferentTrainingsAreNotCompared) {
  if (feature_learners().empty()) GTEST_SKIP() << "this build has no LibTorch";
  const std::string top = "method = \"tcr+ensc\"\nchoose_by = \"rate\"\n";
  EXPECT_NO_THROW(parse_row(top + "sweep = {\"ensc.gamma\" = [1, 2]}\n"));
  EXPECT_THAT(row_refusal(top + "sweep = {\"tcr.similarity\" = [1, 2]}\n"),
              HasSubstr("tcr.similarity changes the training"));
  EXPECT_THAT(row_refusal(top + "sweep = {seed = [0, 1]}\n"),
              HasSubstr("seed changes the training"));
  const auto rows = [](const std::string& steps) {
    return "data = \"x.npy\"\nclusters = 3\n[[row]]\nname = \"a\"\nmethod = \"tcr+ensc\"\n"
           "[[row]]\nname = \"b\"\nmethod = \"tcr+spectral\"\nset = {\"tcr.steps\" = " +
           steps +
           "}\n[[row]]\nname = \"best\"\nchoose_from = [\"a\", \"b\"]\nchoose_by = \"rate\"\n";
  };
  EXPECT_NO_THROW(parse_recipe(rows("2000"), "r", "r"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { parse_recipe(rows("10"), "r", "r"); }),
              HasSubstr("must have the points of 'a'"));
}

TEST(Recipe, SeedsAreSweptAndLossesAreOfTrainings) {
  EXPECT_THAT(row_refusal("method = \"ensc\"\nchoose_by = \"loss\"\nsweep = {seed = [0, 1]}\n"),
              HasSubstr("has no training"));
  EXPECT_THAT(row_refusal("method = \"ensc\"\nchoose_by = \"cut\"\nsweep = {seed = [-1]}\n"),
              HasSubstr("seed"));
  EXPECT_THAT(
      row_refusal("method = \"ensc\"\nseeds = 2\nchoose_by = \"cut\"\nsweep = {seed = [0, 1]}\n"),
      HasSubstr("leave out seeds"));
}

/// A training as published: a line of the table of hyper-parameters of [Li22], or what the released
/// script has instead.
struct PublishedTraining {
  std::string recipe = {};
  std::string row = {};
  std::string stage = {};
  double learning_rate = 0.0;
  double weight_decay = 0.0;
  double distortion = 0.0;
  double features = 0.0;
  double similarity = 0.0;
  double batch = 0.0;  ///< 0: the whole set
  double steps = 0.0;
};

const std::vector<PublishedTraining>& published_trainings() {
  // Full batches of 1024 in an epoch of 50 000 and of 13 000 pictures.
  constexpr double kCifar = 48.0;
  constexpr double kStl = 12.0;
  const std::string released = "NMCE, ResNet-18, as released";
  const std::string paper18 = "NMCE, ResNet-18, as the paper says";
  const std::string paper34 = "NMCE, ResNet-34, as the paper says";
  const std::string by_paper = "NMCE as the paper says";
  static const std::vector<PublishedTraining> all = {
      {"double-spiral", by_paper, "tune", 1e-3, 1e-6, 0.01, 6, 4000, 0, 30000},
      {"double-spiral", "NMCE as released", "tune", 1e-3, 1e-5, 0.01, 6, 4000, 0, 30000},
      {"coil20", by_paper, "tcr", 1e-3, 1e-6, 0.01, 40, 20, 0, 2000},
      {"coil20", "NMCE as released", "tcr", 1e-3, 1e-5, 0.01, 40, 20, 0, 2000},
      {"coil20", "NMCE as released, bfloat16", "tcr", 1e-3, 1e-5, 0.01, 40, 20, 0, 2000},
      {"coil100", "NMCE as released, 94 clusters", "tcr", 1e-3, 1e-5, 0.001, 200, 20, 0, 10000},
      {"coil100", "NMCE as released, 100 clusters", "tcr", 1e-3, 1e-5, 0.001, 200, 20, 0, 10000},
      {"coil100", by_paper + ", 94 clusters", "tcr", 1e-3, 1e-6, 0.001, 200, 20, 0, 10000},
      {"cifar10", released, "tcr", 0.3, 1e-4, 0.2, 128, 30, 1024, 600 * kCifar},
      {"cifar10", released, "heads", 0.3, 5e-3, 0.2, 128, 0, 1024, 100 * kCifar},
      {"cifar10", released, "tune", 0.003, 1e-4, 0.2, 128, 0, 1024, 100 * kCifar},
      {"cifar10", paper18, "tcr", 1, 1e-6, 0.2, 128, 50, 1024, 600 * kCifar},
      {"cifar10", paper18, "heads", 0.5, 0.005, 0.2, 128, 50, 1024, 100 * kCifar},
      {"cifar10", paper18, "tune", 0.003, 0.005, 0.2, 128, 50, 1024, 100 * kCifar},
      {"cifar10", paper34, "tcr", 1, 1e-6, 0.2, 128, 50, 1024, 1000 * kCifar},
      {"cifar10", paper34, "heads", 0.5, 0.001, 0.2, 128, 0, 1024, 100 * kCifar},
      {"cifar10", paper34, "tune", 0.003, 0.001, 0.2, 128, 0, 1024, 100 * kCifar},
      {"cifar20", "NMCE, ResNet-18", "tcr", 1, 1e-6, 0.2, 128, 50, 1024, 600 * kCifar},
      {"cifar20", "NMCE, ResNet-18", "heads", 0.5, 0.001, 0.2, 128, 0, 1024, 100 * kCifar},
      {"cifar20", "NMCE, ResNet-18", "tune", 0.003, 0.001, 0.2, 128, 0, 1024, 100 * kCifar},
      {"cifar20", "NMCE, ResNet-34", "tcr", 1, 1e-6, 0.2, 128, 50, 1024, 1000 * kCifar},
      {"cifar20", "NMCE, ResNet-34", "heads", 0.5, 0.002, 0.2, 128, 0, 1024, 100 * kCifar},
      {"cifar20", "NMCE, ResNet-34", "tune", 0.003, 0.002, 0.2, 128, 0, 1024, 100 * kCifar},
      {"stl10", "NMCE, ResNet-18", "tcr", 1, 1e-6, 0.2, 128, 30, 1024, 1000 * kStl},
      {"stl10", "NMCE, ResNet-18", "heads", 0.5, 0.002, 0.2, 128, 0, 1024, 400 * kStl},
      {"stl10", "NMCE, ResNet-18", "tune", 0.0005, 0.002, 0.2, 128, 30, 1024, 400 * kStl},
      {"stl10", "NMCE, ResNet-34", "tcr", 1, 1e-6, 0.2, 128, 30, 1024, 2000 * kStl},
      {"stl10", "NMCE, ResNet-34", "heads", 0.5, 0.002, 0.2, 128, 0, 1024, 400 * kStl},
      {"stl10", "NMCE, ResNet-34", "tune", 0.0005, 0.002, 0.2, 128, 30, 1024, 400 * kStl}};
  return all;
}

/// The options of a row, its defaults included.
Clusterer clusterer_of(const std::string& recipe, const std::string& name) {
  for (const RecipeRow& row : find_recipe(recipe).rows) {
    if (row.name != name) continue;
    Clusterer clusterer(row.method);
    for (const auto& [key, text] : row.set) clusterer.set(key, text);
    return clusterer;
  }
  throw std::out_of_range("no row " + name + " of " + recipe);
}

double value_of(const Clusterer& clusterer, const std::string& key) {
  return std::stod(value_text(clusterer.find(key).parameter));
}

TEST(Recipe, PublishedTrainingsHaveThePublishedHyperParameters) {
  if (feature_learners().empty()) GTEST_SKIP() << "this build has no LibTorch";
  for (const PublishedTraining& wanted : published_trainings()) {
    SCOPED_TRACE(wanted.recipe + ": " + wanted.row + ", " + wanted.stage);
    const Clusterer found = clusterer_of(wanted.recipe, wanted.row);
    const auto of_stage = [&](const char* key) {
      return value_of(found, wanted.stage + "." + key);
    };
    EXPECT_EQ(of_stage("learning_rate"), wanted.learning_rate);
    EXPECT_EQ(of_stage("weight_decay"), wanted.weight_decay);
    EXPECT_EQ(of_stage("distortion"), wanted.distortion);
    EXPECT_EQ(value_of(found, "tcr.features"), wanted.features);
    EXPECT_EQ(of_stage("similarity"), wanted.similarity);
    EXPECT_EQ(of_stage("batch"), wanted.batch);
    EXPECT_EQ(of_stage("steps"), wanted.steps);
  }
}

// The paper's table has 3000 steps and does not say where it divides them.
TEST(Recipe, TheSyntheticExperimentHasThePublishedHyperParameters) {
  if (feature_learners().empty()) GTEST_SKIP() << "this build has no LibTorch";
  for (const char* recipe : {"manifolds", "manifolds-unbiased"}) {
    const Clusterer found = clusterer_of(recipe, "NMCE");
    for (const std::string stage : {"tcr.", "tune."}) {
      EXPECT_EQ(value_of(found, stage + "learning_rate"), 1e-3);
      EXPECT_EQ(value_of(found, stage + "weight_decay"), 1e-6);
      EXPECT_EQ(value_of(found, stage + "distortion"), 0.01);
      EXPECT_EQ(value_of(found, stage + "similarity"), 100);
      EXPECT_EQ(value_of(found, stage + "batch"), 0);
    }
    EXPECT_EQ(value_of(found, "tcr.features"), 12);
    EXPECT_EQ(value_of(found, "heads.steps"), 0);
    EXPECT_EQ(value_of(found, "tcr.steps") + value_of(found, "tune.steps"), 3000);
  }
}

}  // namespace
}  // namespace subspace::pipelines
