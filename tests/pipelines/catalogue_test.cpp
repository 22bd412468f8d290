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
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Catalogue, ListsTheMethodsSimplestFirst) {
  EXPECT_THAT(method_names(), ElementsAre("kmeans", "spectral", "ensc"));
  for (const MethodInfo& info : methods()) {
    EXPECT_FALSE(info.summary.empty()) << info.name;
    EXPECT_FALSE(info.reference.empty()) << info.name;
  }
}

TEST(Catalogue, StagesFollowTheDatasWay) {
  EXPECT_THAT(Clusterer("kmeans").stages(), ElementsAre("preprocess", "kmeans"));
  EXPECT_THAT(Clusterer("spectral").stages(), ElementsAre("preprocess", "graph", "embedding",
                                                          "assignment", "kmeans", "discretize"));
  EXPECT_THAT(Clusterer("ensc").stages(), ElementsAre("preprocess", "ensc", "affinity", "embedding",
                                                      "assignment", "kmeans", "discretize"));
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

TEST(Catalogue, FeatureLearnersAreNamedAsAbsent) {
  EXPECT_THAT(message_of<InvalidArgument>([] { Clusterer("tcr+ensc"); }),
              HasSubstr("no feature learner named 'tcr' in this build"));
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
