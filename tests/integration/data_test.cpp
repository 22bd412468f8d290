// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// `subspace data`, and data sets by name.
#include <nlohmann/json.hpp>

#include <filesystem>

#include <subspace/datasets/load.h>
#include <subspace/datasets/registry.h>

#include "program.h"
#include "support/http_server.h"

namespace subspace::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Data : public ProgramTest {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name).string(); }
};

TEST_F(Data, ListNamesEverySet) {
  const Finished list = subspace({"data", "list", "--data-dir", path("")});
  EXPECT_EQ(list.code, 0) << list.err;
  const Json json = Json::parse(subspace({"data", "list", "--json"}).out);
  ASSERT_EQ(json["datasets"].size(), datasets::registry().size());
  for (const auto& set : json["datasets"]) {
    EXPECT_THAT(list.out, HasSubstr(set["name"].get<std::string>()));
  }
  EXPECT_THAT(list.out, HasSubstr("built in"));
}

TEST_F(Data, InfoTellsOriginTrapsAndVerifies) {
  const Finished info = subspace({"data", "info", "turntable", "--verify"});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_THAT(info.out, AllOf(HasSubstr("1440"), HasSubstr("mind"), HasSubstr("as registered")));
  const Finished unknown = subspace({"data", "info", "coli20"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'coil20'"));
  const Json verified =
      Json::parse(subspace({"data", "info", "turntable", "--verify", "--json"}).out);
  EXPECT_EQ(verified["datasets"][0]["verification"]["hash_known"], true);
  EXPECT_EQ(Json::parse(subspace({"data", "info", "orl", "--json"}).out)["datasets"][0]["samples"],
            400);
  EXPECT_EQ(subspace({"data"}).code, 2);
  EXPECT_THAT(subspace({"data", "lits"}).err, HasSubstr("did you mean list"));
}

TEST_F(Data, RenderedPicturesAreAnInput) {
  const std::string out = path("rendered");
  const Arguments render = {"data", "render",  "turntable", "--out",  out, "--objects",
                            "3",    "--poses", "5",         "--size", "16"};
  const Finished run = subspace(render);
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("15 pictures of 16 x 16"));
  for (const char* name :
       {"contact-sheet.png", "images.npy", "labels.npy", "pictures/obj3__4.png"}) {
    EXPECT_TRUE(fs::exists(fs::path(out) / name)) << name;
  }
  const auto pictures = datasets::load_points(fs::path(out) / "pictures");
  const auto array = datasets::load_points(fs::path(out) / "images.npy");
  EXPECT_LT((pictures.X * 255.0 - array.X).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(datasets::load_labels(fs::path(out) / "labels.npy")[14], 2);

  const Finished again = subspace(render);
  EXPECT_EQ(again.code, 3);
  EXPECT_THAT(again.err, HasSubstr("exists and is not an empty folder"));
  const Finished clustered =
      subspace({"cluster", out + "/pictures", "-k", "3", "--method", "kmeans", "--json", "-"});
  ASSERT_EQ(clustered.code, 0) << clustered.err;
  const Json json = Json::parse(clustered.out);
  EXPECT_EQ(json["input"]["image"],
            (Json{{"channels", 1}, {"height", 16}, {"width", 16}, {"white", 1.0}}));
  EXPECT_TRUE(json.contains("metrics")) << "the names tell the objects";
}

TEST_F(Data, RenderRefusesBadOptionsAndLeavesNothing) {
  const Finished run =
      subspace({"data", "render", "turntable", "--out", path("r"), "--objects", "0"});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("objects"));
  EXPECT_EQ(subspace({"data", "render", "teapot", "--out", path("r")}).code, 2);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path("")), fs::directory_iterator()), 0);
}

TEST_F(Data, TheBuiltInSetIsANameLikeOthers) {
  const Finished run =
      subspace({"cluster", "turntable@16", "-k", "20", "--method", "spectral", "--json", "-"});
  ASSERT_EQ(run.code, 0) << run.err;
  const Json json = Json::parse(run.out);
  EXPECT_EQ(json["input"]["name"], "turntable@16");
  EXPECT_EQ(json["truth"]["source"], "turntable@16");
  EXPECT_EQ(json["labels"].size(), 1440U);
  const Finished same = subspace({"cluster", "turntable", "--image-size", "16", "-k", "20",
                                  "--method", "spectral", "--json", "-"});
  EXPECT_EQ(Json::parse(same.out)["labels"], json["labels"]);
}

TEST_F(Data, GeneratedPointsAreNamesToo) {
  const Finished run =
      subspace({"cluster", "subspaces/1", "-k", "5", "--method", "ensc", "--json", "-"});
  ASSERT_EQ(run.code, 0) << run.err;
  const Json json = Json::parse(run.out);
  EXPECT_EQ(json["input"]["name"], "subspaces/1");
  EXPECT_EQ(json["truth"]["source"], "subspaces/1");
  EXPECT_EQ(json["metrics"]["acc"], 1.0);

  const Finished no_seed = subspace({"cluster", "subspaces/one", "-k", "5"});
  EXPECT_EQ(no_seed.code, 2);
  EXPECT_THAT(no_seed.err, HasSubstr("seed of subspaces = 'one', must be a whole number"));

  const Finished info = subspace({"data", "info", "double-spiral", "--verify"});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_THAT(info.out, AllOf(HasSubstr("double-spiral/SEED"), HasSubstr("2 dimensions"),
                              HasSubstr("none: the last bits of the values may differ"),
                              HasSubstr("4096 samples"), HasSubstr("none is registered")));
  EXPECT_THAT(subspace({"data", "fetch", "manifolds", "--data-dir", path("data")}).out,
              HasSubstr("is built in"));
}

TEST_F(Data, OutputsDoNotFallIntoTheInput) {
  const std::string out = path("rendered");
  ASSERT_EQ(subspace({"data", "render", "turntable", "--out", out, "--objects", "2", "--poses", "3",
                      "--size", "8"})
                .code,
            0);
  const Finished run = subspace({"cluster", out + "/pictures", "-k", "2", "--method", "kmeans",
                                 "--json", out + "/pictures/obj1__0.png"});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("is inside INPUT"));
  EXPECT_EQ(subspace({"cluster", out + "/pictures", "-k", "2", "--method", "kmeans"}).code, 0);
}

TEST_F(Data, WhatASetKnowsNeedsNoTelling) {
  for (const Arguments& more :
       {Arguments{"--x", "fea"}, Arguments{"--columns-are-samples"}, Arguments{"--y", "gnd"}}) {
    Arguments arguments = {"cluster", "turntable@8", "-k", "20", "--method", "kmeans"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Finished run = subspace(arguments);
    EXPECT_EQ(run.code, 2) << more.front();
    EXPECT_THAT(run.err, HasSubstr("leave it out"));
  }
}

TEST_F(Data, MissingSetsSayWhatToDo) {
  const Finished run = subspace({"cluster", "coil20", "-k", "20", "--data-dir", path("")},
                                {"XDG_CACHE_HOME=" + path("cache")});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.err, AllOf(HasSubstr("coil20@32: not found"), HasSubstr("coil-20-proc.zip"),
                             HasSubstr("subspace data fetch coil20")));
}

TEST_F(Data, FetchVerifiesBeforeItNames) {
  HttpServer server(offer({.body = "no archive at all"}));
  const Finished run = subspace(
      {"data", "fetch", "orl", "--url", server.url("/ORL_32x32.mat"), "--data-dir", path("data")});
  EXPECT_EQ(run.code, 3) << run.out;
  EXPECT_THAT(run.err, HasSubstr("is not orl and was removed"));
  EXPECT_FALSE(fs::exists(path("data/orl/ORL_32x32.mat")));
  const Finished nowhere = subspace({"data", "fetch", "orl", "--url",
                                     "http://127.0.0.1:" + std::to_string(unused_port()) + "/x",
                                     "--data-dir", path("data")});
  EXPECT_EQ(nowhere.code, 3);
  EXPECT_EQ(
      subspace({"data", "fetch", "orl", "--url", "file:///etc/passwd", "--data-dir", path("data")})
          .code,
      2);
}

}  // namespace
}  // namespace subspace::testing
