// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/feature_job.h>

#include <nlohmann/json.hpp>

#include <subspace/core/error.h>
#include <subspace/datasets/load.h>
#include <subspace/datasets/save.h>
#include <subspace/datasets/synthetic.h>

#include "datasets/files.h"
#include "expect_error.h"

namespace subspace::pipelines {
namespace {

using ::subspace::testing::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// Features of 60 points in 10 dimensions by a plain network.
class FeatureJob : public ::testing::Test {
 protected:
  void SetUp() override {
    if (feature_learners().empty()) GTEST_SKIP() << "this build has no LibTorch";
    datasets::save_points(path("x.npy"), datasets::union_of_subspaces({.num_subspaces = 3,
                                                                       .dimension = 2,
                                                                       .ambient = 10,
                                                                       .points_per_subspace = 20,
                                                                       .seed = 5})
                                             .points.X);
  }
  std::string path(const std::string& name) const { return folder_.path(name).string(); }

  FeatureRecord train(const std::string& backbone, const std::string& noise = "0.1") const {
    return train_input({.input = path("x.npy"),
                        .method = "tcr",
                        .set = {{"steps", "4"},
                                {"backbone", backbone},
                                {"layers", "1"},
                                {"hidden", "16"},
                                {"features", "4"},
                                {"noise", noise}},
                        .save = path("run")},
                       /*resume=*/false, {}, {});
  }
  FeatureRecord embed(const ReadOut& read_out, std::uint64_t seed = 0) const {
    return embed_input(
        {.input = path("x.npy"), .model = path("run"), .out = path("z.npy"), .seed = seed},
        read_out, {});
  }

  datasets::TempFolder folder_;
};

TEST_F(FeatureJob, PlainPointsAreLearnedFromByAnMlp) {
  const FeatureRecord trained = train("mlp");
  EXPECT_FALSE(trained.input.image);
  EXPECT_EQ(trained.features.Z.cols(), 60);
  EXPECT_EQ(embed({}).features.Z, trained.features.Z);
}

TEST_F(FeatureJob, PlainPointsAreRefusedByAResidualNetwork) {
  EXPECT_THAT(message_of<DataError>([&] { train("resnet10"); }),
              AllOf(HasSubstr("features by tcr need pictures unless backbone = mlp"),
                    HasSubstr("points of 10 values")));
  EXPECT_FALSE(std::filesystem::exists(path("run")));
}

TEST_F(FeatureJob, TheFileHoldsTheLayerThatWasAskedFor) {
  train("mlp");
  const FeatureRecord hidden = embed({.layer = "pre-feature"});
  EXPECT_EQ(hidden.features.Z.rows(), 16);
  EXPECT_EQ(datasets::load_points(path("z.npy")).X, hidden.features.Z);
  // An mlp has no plane to take the mean over.
  EXPECT_EQ(embed({.layer = "pool"}).features.Z, hidden.features.Z);
}

/// Views without noise are the point itself.
TEST_F(FeatureJob, TheMeanOverEqualViewsIsTheirs) {
  train("mlp", "0");
  const Matrix clean = embed({.layer = "pre-feature"}).features.Z;
  const Matrix mean = embed({.layer = "pre-feature", .views = 3}).features.Z;
  EXPECT_LT((mean - clean).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_F(FeatureJob, ViewsAreDrawnFromTheSeedWhichTheRecordTells) {
  train("mlp");
  const FeatureRecord clean = embed({.views = 1}, 7);
  const FeatureRecord mean = embed({.views = 4}, 7);
  EXPECT_EQ(clean.features.Z, embed({}).features.Z);
  EXPECT_NE(mean.features.Z, clean.features.Z);
  EXPECT_NE(mean.features.Z, embed({.views = 4}, 8).features.Z);
  EXPECT_EQ(mean.features.Z, embed({.views = 4}, 7).features.Z);
  EXPECT_FALSE(nlohmann::json::parse(to_json(clean))["features"].contains("seed"));
  EXPECT_EQ(nlohmann::json::parse(to_json(mean))["features"]["seed"], 7);
}

TEST_F(FeatureJob, ReadOutsThatAreNoneAreRefused) {
  train("mlp");
  EXPECT_EQ(message_of<InvalidArgument>([&] { embed({.layer = "head"}); }),
            "layer = 'head', must be one of proj, pre-feature, pool");
  EXPECT_THAT(message_of<InvalidArgument>([&] { embed({.views = -2}); }),
              HasSubstr("views = -2, must satisfy views >= 0"));
  EXPECT_FALSE(std::filesystem::exists(path("z.npy")));
}

}  // namespace
}  // namespace subspace::pipelines
