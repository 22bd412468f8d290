// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/catalogue.h>

#include <nlohmann/json.hpp>
#include <set>

#include <subspace/core/error.h>

#include "expect_error.h"

namespace subspace::pipelines {
namespace {

using ::subspace::testing::message_of;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Ne;

/// Whether this build has LibTorch.
bool learns_here() { return !feature_learners().empty(); }

TEST(Catalogue, ListsTheMethodsSimplestFirst) {
  std::vector<std::string> expected = {"kmeans",  "spectral",   "ensc", "ssc",        "kssc",
                                       "ssc-omp", "lsr",        "edsc", "lrr",        "smce",
                                       "esc",     "ksubspaces", "alc",  "precomputed"};
  if (learns_here()) expected.insert(expected.end(), {"nmce", "nmce-head"});
  EXPECT_EQ(method_names(), expected);
  for (const MethodInfo& info : methods()) {
    EXPECT_FALSE(info.summary.empty()) << info.name;
    EXPECT_FALSE(info.reference.empty()) << info.name;
  }
}

TEST(Catalogue, StagesFollowTheDatasWay) {
  EXPECT_THAT(Clusterer("kmeans").stages(), ElementsAre("preprocess", "kmeans"));
  EXPECT_THAT(Clusterer("spectral").stages(),
              ElementsAre("preprocess", "graph", "embedding", "assignment", "kmeans", "discretize",
                          "model"));
  EXPECT_THAT(Clusterer("ensc").stages(),
              ElementsAre("preprocess", "ensc", "affinity", "embedding", "assignment", "kmeans",
                          "discretize", "model"));
}

TEST(Catalogue, EveryKeyIsUniqueDescribedAndFoundUnderItsFullName) {
  for (const std::string& name : method_names()) {
    const Clusterer clusterer(name);
    std::set<std::string> keys;
    for (const MethodOption& option : clusterer.options()) {
      EXPECT_TRUE(keys.insert(option.key()).second) << option.key();
      EXPECT_FALSE(option.parameter.help.empty()) << option.key();
      EXPECT_EQ(clusterer.find(option.key()).key(), option.key());
    }
  }
}

TEST(Catalogue, EveryDefaultReadsBackToItself) {
  for (const std::string& name : method_names()) {
    Clusterer clusterer(name);
    const NamedValues before = clusterer.values();
    for (const MethodOption& option : clusterer.options()) {
      clusterer.set(option.key(), value_text(option.parameter));
    }
    EXPECT_EQ(clusterer.values(), before) << name;
  }
}

TEST(Catalogue, SpectralDefaultsAreScikitLearns) {
  const Clusterer spectral("spectral");
  EXPECT_EQ(value_text(spectral.find("graph.neighbors").parameter), "5");
  EXPECT_EQ(value_text(spectral.find("graph.include_self").parameter), "true");
  EXPECT_EQ(value_text(spectral.find("embedding.scale").parameter), "random-walk");
  EXPECT_EQ(value_text(Clusterer("ensc").find("embedding.scale").parameter), "unit-points");
}

TEST(Catalogue, BareNameWorksWhenOneStageHasIt) {
  Clusterer ensc("ensc");
  ensc.set("gamma", "12.5");
  EXPECT_EQ(std::get<double>(ensc.find("ensc.gamma").parameter.get()), 12.5);
  EXPECT_EQ(ensc.find("algorithm").key(), "assignment.algorithm");
}

TEST(Catalogue, BareNameOfKMeansIsNotAmbiguousWhereOnlyKMeansHasIt) {
  EXPECT_EQ(Clusterer("kmeans").find("restarts").key(), "kmeans.restarts");
}

TEST(Catalogue, AmbiguousNameListsTheCandidates) {
  const Clusterer ensc("ensc");
  const std::string text = message_of<InvalidArgument>([&] { ensc.find("tolerance"); });
  EXPECT_THAT(text, HasSubstr("'tolerance' of method ensc is ambiguous"));
  EXPECT_THAT(text, HasSubstr("ensc.tolerance, embedding.tolerance, kmeans.tolerance"));
}

TEST(Catalogue, UnknownKeyNamesTheNearest) {
  const Clusterer ensc("ensc");
  EXPECT_THAT(message_of<InvalidArgument>([&] { ensc.find("gama"); }),
              HasSubstr("method ensc has no option 'gama'; did you mean 'gamma'?"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { ensc.find("ensc.gama"); }),
              HasSubstr("did you mean 'ensc.gamma'?"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { ensc.find("qqqqqqqqqqqqqqq"); }),
              HasSubstr("must be one of"));
}

TEST(Catalogue, OptionOfAnotherMethodIsRefused) {
  const std::string text =
      message_of<InvalidArgument>([] { Clusterer("kmeans").find("ensc.gamma"); });
  EXPECT_THAT(text, HasSubstr("method kmeans has no option 'ensc.gamma'"));
}

/// `--set k=20` must not quietly change the number of neighbours.
TEST(Catalogue, NumberOfClustersIsNoOptionOfAMethod) {
  for (const std::string& name : method_names()) {
    EXPECT_THROW(Clusterer(name).find("k"), InvalidArgument) << name;
  }
}

TEST(Catalogue, UnknownMethodNamesTheNearest) {
  EXPECT_THAT(message_of<InvalidArgument>([] { Clusterer("enscc"); }),
              HasSubstr("unknown method 'enscc'; did you mean 'ensc'?"));
  EXPECT_THAT(message_of<InvalidArgument>([] { Clusterer("zzzzzzzzzzz"); }),
              HasSubstr("must be one of kmeans, spectral, ensc"));
  EXPECT_THROW(Clusterer(""), InvalidArgument);
}

TEST(Catalogue, WithoutLibTorchWhatLearnsSaysWhatIsMissing) {
  if (learns_here()) GTEST_SKIP() << "this build has LibTorch";
  for (const char* method : {"tcr+ensc", "nmce", "nmce-head", "anything+kmeans"}) {
    EXPECT_THAT(message_of<InvalidArgument>([&] { Clusterer clusterer(method); }),
                AllOf(HasSubstr(method), HasSubstr("it has no LibTorch")));
  }
}

TEST(Catalogue, KnowsWhatAsksForLearningInEveryBuild) {
  for (const char* method : {"nmce", "nmce-head", "tcr+ensc", "unknown+kmeans"}) {
    EXPECT_TRUE(asks_for_learning(method)) << method;
  }
  for (const char* method : {"kmeans", "spectral", "ensc", ""}) {
    EXPECT_FALSE(asks_for_learning(method)) << method;
  }
}

/// Needs LibTorch.
class Learners : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!learns_here()) GTEST_SKIP() << "no LibTorch in this build";
  }
  static Points pictures(const Matrix& X) {
    return {X, datasets::ImageShape{.channels = 1, .height = 16, .width = 16}};
  }
};

TEST_F(Learners, ComeFirstAmongTheStages) {
  EXPECT_EQ(feature_learners().front().name, "tcr");
  EXPECT_THAT(Clusterer("tcr").stages(), ElementsAre("tcr"));
  EXPECT_THAT(Clusterer("tcr+kmeans").stages(), ElementsAre("tcr", "preprocess", "kmeans"));
  EXPECT_EQ(Clusterer("nmce").stages(), Clusterer("tcr+ensc").stages());
  EXPECT_EQ(Clusterer("nmce").values(), Clusterer("tcr+ensc").values());
  EXPECT_TRUE(Clusterer("nmce").learns());
  EXPECT_FALSE(Clusterer("ensc").learns());
}

TEST_F(Learners, AloneLearnButDoNotCluster) {
  EXPECT_TRUE(Clusterer("tcr").learns());
  EXPECT_THAT(message_of<InvalidArgument>([] { Clusterer("tcr").run(Matrix::Ones(256, 4), 2); }),
              HasSubstr("must be tcr+CLUSTERER"));
}

TEST_F(Learners, ClusterersDoNotLearn) {
  const Matrix X = Matrix::Ones(256, 4);
  EXPECT_THAT(message_of<InvalidArgument>([&] { Clusterer("ensc").learn(pictures(X), {}); }),
              AllOf(HasSubstr("method ensc learns no features, must be one of tcr, "),
                    HasSubstr("or one of them before +ensc")));
}

TEST_F(Learners, UnknownPartsGetTheNearest) {
  EXPECT_THAT(message_of<InvalidArgument>([] { Clusterer("tcrr+ensc"); }),
              AllOf(HasSubstr("unknown feature learner 'tcrr'"), HasSubstr("mean 'tcr'?")));
  EXPECT_THAT(message_of<InvalidArgument>([] { Clusterer("tcr+enscc"); }),
              AllOf(HasSubstr("unknown clusterer 'enscc'"), HasSubstr("mean 'ensc'?")));
  for (const char* method : {"+", "tcr+", "+ensc", "tcr+nmce", "tcr+ensc+kmeans"}) {
    EXPECT_THROW(Clusterer clusterer(method), InvalidArgument) << method;
  }
}

TEST_F(Learners, FeaturesDependOnTheLearnersOptionsOnly) {
  Clusterer nmce("nmce");
  const std::vector<std::string> before = nmce.training_keys(3);
  EXPECT_EQ(before.size(), 1);
  EXPECT_EQ(before, Clusterer("tcr+kmeans").training_keys(3));
  nmce.set("ensc.gamma", "7");
  EXPECT_EQ(nmce.training_keys(3), before);
  for (const auto& [key, text] :
       {std::pair("tcr.steps", "7"), std::pair("tcr.filters", "4"), std::pair("tcr.batch", "9")}) {
    Clusterer changed("nmce");
    changed.set(key, text);
    EXPECT_NE(changed.training_keys(3), before) << key;
  }
  EXPECT_THAT(Clusterer("ensc").training_keys(3), IsEmpty());
}

TEST_F(Learners, StagesShareWhatComesBeforeThem) {
  const auto keys = [](const char* tune_steps, const char* heads_rate) {
    Clusterer head("nmce-head");
    head.set("tune.steps", tune_steps);
    head.set("heads.learning_rate", heads_rate);
    return head.training_keys(3);
  };
  const std::vector<std::string> whole = keys("500", "0.001");
  ASSERT_EQ(whole.size(), 3);
  EXPECT_EQ(whole[0], Clusterer("tcr+ensc").training_keys(3)[0]);
  EXPECT_THAT(keys("0", "0.001"), ElementsAre(whole[0], whole[1]));
  EXPECT_THAT(keys("500", "0.1"), ElementsAre(whole[0], Ne(whole[1]), Ne(whole[2])));
  EXPECT_THAT(Clusterer("nmce-head").training_keys(4),
              ElementsAre(whole[0], Ne(whole[1]), Ne(whole[2])));
}

TEST_F(Learners, CostGrowsWithTheSteps) {
  const Matrix X = Matrix::Ones(256, 50);
  Clusterer nmce("nmce");
  const auto seconds = [&](const char* steps) {
    nmce.set("tcr.steps", steps);
    return nmce.cost(pictures(X), 3).seconds;
  };
  const double few = seconds("10");
  EXPECT_GT(few, 0.0);
  EXPECT_GT(seconds("1000"), 10.0 * few);
  EXPECT_GT(nmce.cost(pictures(X), 3).bytes, 0.0);
}

TEST_F(Learners, NeedPictures) {
  const Matrix X = Matrix::Ones(256, 50);
  EXPECT_THAT(message_of<DataError>([&] { Clusterer("nmce").run(X, 3); }),
              HasSubstr("need pictures"));
}

TEST(Catalogue, CostIsPositiveAndGrowsWithThePoints) {
  for (const char* method : {"kmeans", "spectral", "ensc"}) {
    const Clusterer clusterer(method);
    const Matrix few = Matrix::Ones(20, 100), many = Matrix::Ones(20, 2000);
    const Cost small = clusterer.cost({few}, 3), large = clusterer.cost({many}, 3);
    EXPECT_GT(small.seconds, 0.0) << method;
    EXPECT_GT(small.bytes, 0.0) << method;
    EXPECT_GT(large.seconds, small.seconds) << method;
    EXPECT_GE(large.bytes, small.bytes) << method;
  }
}

TEST(Catalogue, CostOfLossyCodingCountsTheRounds) {
  const Matrix X = Matrix::Zero(400, 5000);
  const auto seconds = [&](int num_clusters, const char* rounds, const char* pca) {
    Clusterer clusterer("alc");
    clusterer.set("rounds", rounds);
    clusterer.set("pca", pca);
    return clusterer.cost({X}, num_clusters).seconds;
  };
  EXPECT_LT(10.0 * seconds(10, "0", "0"), seconds(10, "24", "0"));
  EXPECT_EQ(seconds(1, "0", "0"), seconds(1, "24", "0")) << "one cluster has no rounds";
  EXPECT_LT(10.0 * seconds(10, "24", "40"), seconds(10, "24", "0"));
}

/// Clusters of many points in many dimensions: their subspaces cost more than the distances from
/// them.
TEST(Catalogue, CostOfKSubspacesCountsTheFits) {
  const Matrix X = Matrix::Zero(784, 10000);
  const Matrix few = X.leftCols(200);
  const auto seconds = [](const Matrix& points, const char* restarts) {
    Clusterer clusterer("ksubspaces");
    clusterer.set("restarts", restarts);
    return clusterer.cost({points}, 10).seconds;
  };
  // As many centres as directions: the same products in each of fewer rounds, and no subspaces.
  Clusterer centers("kmeans");
  centers.set("restarts", "10");
  const double distances = centers.cost({X}, 50).seconds;
  EXPECT_GT(seconds(X, "10"), 5.0 * distances);
  EXPECT_GT(seconds(X, "10"), 5.0 * seconds(X, "1"));
  EXPECT_GT(seconds(X, "10"), 10.0 * seconds(few, "10"));
}

struct RecordedRow {
  std::string method = {};
  std::vector<KeyText> settings = {};
  Index dimension = 0;
  Index num_points = 0;
  int num_clusters = 0;
  double seconds_by_ensc = 0.0;  // seconds of the row by those of EnSC beside it
};

/// Of docs/results: COIL-20, sequences of Hopkins 155, MNIST and ten subjects of Extended Yale B.
/// Only ratios do not depend on the machine.
TEST(Catalogue, CostsAreThoseOfTheRecordsToTheOrderOfMagnitude) {
  const std::vector<RecordedRow> recorded = {
      {"kmeans", {}, 1024, 1440, 20, 4.27 / 0.228},
      {"spectral", {}, 1024, 1440, 20, 0.335 / 0.228},
      {"ssc", {}, 1024, 1440, 20, 0.399 / 0.228},
      {"kssc", {}, 1024, 1440, 20, 0.165 / 0.228},
      {"ssc-omp", {}, 1024, 1440, 20, 0.537 / 0.228},
      {"lsr", {}, 1024, 1440, 20, 1.21 / 0.228},
      {"edsc", {}, 1024, 1440, 20, 5.42 / 0.228},
      {"smce", {}, 1024, 1440, 20, 0.535 / 0.228},
      {"esc", {}, 1024, 1440, 20, 0.807 / 0.228},
      {"lrr", {}, 1024, 1440, 20, 16.5 / 0.228},
      {"ksubspaces", {}, 1024, 1440, 20, 7.65 / 0.228},
      {"ssc", {{"solver", "official"}, {"affine", "true"}}, 58, 296, 2, 161 / 10.7},
      {"ssc", {{"affine", "true"}}, 58, 296, 2, 27.9 / 10.7},
      {"edsc", {{"affine", "true"}}, 58, 296, 2, 35.0 / 10.7},
      {"lrr", {}, 58, 296, 2, 107 / 10.7},
      {"lrr", {}, 784, 10000, 10, 42.1 / 11.6},
      {"ssc", {{"solver", "official"}, {"outliers", "true"}}, 2016, 640, 10, 116 / 0.628},
      {"edsc", {{"outliers", "true"}}, 2016, 640, 10, 192 / 0.628},
  };
  for (const RecordedRow& row : recorded) {
    const Matrix X = Matrix::Zero(row.dimension, row.num_points);
    Clusterer clusterer(row.method);
    for (const auto& [key, text] : row.settings) clusterer.set(key, text);
    const double ratio = clusterer.cost({X}, row.num_clusters).seconds /
                         Clusterer("ensc").cost({X}, row.num_clusters).seconds;
    EXPECT_GT(ratio, 0.1 * row.seconds_by_ensc) << row.method << ", " << row.num_points;
    EXPECT_LT(ratio, 10.0 * row.seconds_by_ensc) << row.method << ", " << row.num_points;
  }
}

TEST(Catalogue, ValueOutOfRangeIsRefusedUnderItsKeyAndLeavesTheOption) {
  Clusterer ensc("ensc");
  const std::string text = message_of<InvalidArgument>([&] { ensc.set("tau", "1.3"); });
  EXPECT_THAT(text, HasSubstr("ensc.tau = 1.3"));
  EXPECT_THAT(text, HasSubstr("0 < tau <= 1"));
  EXPECT_EQ(std::get<double>(ensc.find("tau").parameter.get()), 0.9);
  EXPECT_THROW(ensc.set("gamma", "many"), InvalidArgument);
  EXPECT_THROW(ensc.set("gamma", ""), InvalidArgument);
  EXPECT_THROW(ensc.set("algorithm", "ward"), InvalidArgument);
}

TEST(Catalogue, ClusterersDoNotShareOptions) {
  Clusterer first("ensc");
  const Clusterer second("ensc");
  first.set("gamma", "7");
  Clusterer moved = std::move(first);
  EXPECT_EQ(value_text(moved.find("gamma").parameter), "7");
  EXPECT_EQ(value_text(second.find("gamma").parameter), "50");
}

TEST(Catalogue, JsonHasEveryOption) {
  const auto json = nlohmann::json::parse(catalogue_json());
  ASSERT_EQ(json["methods"].size(), methods().size());
  for (const auto& method : json["methods"]) {
    const Clusterer clusterer(method["name"].get<std::string>());
    ASSERT_EQ(method["options"].size(), clusterer.options().size());
    for (std::size_t i = 0; i < clusterer.options().size(); ++i) {
      EXPECT_EQ(method["options"][i]["key"], clusterer.options()[i].key());
    }
  }
  EXPECT_EQ(nlohmann::json::parse(catalogue_json({"ensc"}))["methods"].size(), 1u);
  EXPECT_THROW(catalogue_json({"nope"}), InvalidArgument);
}

}  // namespace
}  // namespace subspace::pipelines
