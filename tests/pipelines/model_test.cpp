// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/model.h>

#include <fstream>
#include <iterator>

#include <subspace/core/error.h>
#include <subspace/datasets/save.h>
#include <subspace/datasets/synthetic.h>
#include <subspace/pipelines/catalogue.h>
#include <subspace/pipelines/cluster_job.h>
#include <subspace/pipelines/predict_job.h>

#include "datasets/files.h"
#include "expect_error.h"
#include "support/measured_peak.h"

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;
using ::subspace::testing::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// Every second point is known, the others come later.
struct World {
  Matrix known = {};
  Matrix fresh = {};
  Labels known_truth = {};
  Labels fresh_truth = {};
};

World world() {
  const datasets::Generated all = datasets::union_of_subspaces(
      {.num_subspaces = 3, .dimension = 3, .ambient = 20, .points_per_subspace = 60, .seed = 2});
  World made = {.known = Matrix(20, 90), .fresh = Matrix(20, 90)};
  for (Index j = 0; j < 180; ++j) {
    (j % 2 == 0 ? made.known : made.fresh).col(j / 2) = all.points.X.col(j);
    (j % 2 == 0 ? made.known_truth : made.fresh_truth)
        .push_back(all.truth[static_cast<std::size_t>(j)]);
  }
  return made;
}

ClusterModel fitted(const World& data, const std::string& method,
                    const std::vector<KeyText>& settings = {}) {
  Clusterer clusterer(method);
  for (const auto& [key, text] : settings) clusterer.set(key, text);
  return clusterer.fit_model(data.known, data.known_truth, 7);
}

class ModelTest : public ::testing::Test {
 protected:
  fs::path folder() const { return folder_.path("model"); }
  std::string text(const char* name) const {
    std::ifstream in(folder() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string refusal() const {
    return message_of<IoError>([&] { load_model(folder()); });
  }
  datasets::TempFolder folder_;
};

TEST_F(ModelTest, PredictsNewPointsBeforeAndAfterItWasKept) {
  const World data = world();
  const std::vector<std::vector<KeyText>> settings = {
      {},
      {{"rule", "exemplars"}},
      {{"preprocess.pca", "12"}, {"preprocess.center", "true"}},
      {{"subspace_dimension", "2"}}};
  for (const auto& chosen : settings) {
    const ClusterModel made = fitted(data, "ensc", chosen);
    const NearestSubspaces before = predict(made, data.fresh);
    save_model(folder(), made);
    const ClusterModel again = load_model(folder());
    const NearestSubspaces after = predict(again, data.fresh);
    EXPECT_EQ(before.labels, after.labels);
    EXPECT_EQ(before.residuals, after.residuals);
    EXPECT_EQ(again.method, "ensc");
    EXPECT_EQ(again.options, made.options);
    EXPECT_EQ(again.seed, 7u);
    EXPECT_EQ(again.subspaces.dimensions, made.subspaces.dimensions);
    if (chosen.empty() || chosen.front().first == "rule") {
      EXPECT_EQ(after.labels, data.fresh_truth);
    }
  }
}

/// Arrays that are square, and one that a vector beside it might turn around.
TEST_F(ModelTest, ArraysOfAnyShapeComeBackAsTheyWere) {
  for (const auto& [dimension, settings] :
       {std::pair<int, std::vector<KeyText>>{
            9, {{"preprocess.pca", "9"}, {"preprocess.center", "true"}}},
        {20, {{"preprocess.pca", "20"}}},
        {3, {{"preprocess.pca", "3"}, {"preprocess.center", "true"}, {"subspace_dimension", "1"}}},
        {20, {{"preprocess.center", "true"}, {"subspace_dimension", "3"}}}}) {
    const World data = world();
    const ClusterModel made = fitted(data, "ensc", settings);
    ASSERT_EQ(made.subspaces.means.rows(), dimension);
    save_model(folder(), made);
    const ClusterModel again = load_model(folder());
    EXPECT_EQ(again.preprocessor.basis, made.preprocessor.basis);
    EXPECT_EQ(again.preprocessor.mean, made.preprocessor.mean);
    EXPECT_EQ(again.subspaces.means, made.subspaces.means);
    EXPECT_EQ(again.subspaces.bases, made.subspaces.bases);
  }
}

TEST_F(ModelTest, EqualModelsAreEqualFiles) {
  const World data = world();
  save_model(folder(), fitted(data, "ssc"));
  const std::string arrays = text("model.npz"), head = text("model.json");
  save_model(folder(), fitted(data, "ssc"));
  EXPECT_EQ(text("model.npz"), arrays);
  EXPECT_EQ(text("model.json"), head);
}

TEST_F(ModelTest, OfKMeansTheNearestCenterDecides) {
  const World data = world();
  const ClusterModel model = fitted(data, "kmeans", {{"normalization", "none"}});
  save_model(folder(), model);
  EXPECT_EQ(model.subspaces.dimensions, (std::vector<int>{0, 0, 0}));
  Matrix centers = Matrix::Zero(20, 3);
  for (Index j = 0; j < 90; ++j)
    centers.col(data.known_truth[static_cast<std::size_t>(j)]) += data.known.col(j) / 30.0;
  const NearestSubspaces found = predict(load_model(folder()), data.fresh);
  for (Index j = 0; j < 90; ++j) {
    Index nearest = 0;
    const double distance =
        (centers.colwise() - data.fresh.col(j)).colwise().norm().minCoeff(&nearest);
    EXPECT_EQ(found.labels[static_cast<std::size_t>(j)], nearest);
    EXPECT_NEAR(found.residuals[j], distance, 1e-12);
  }
}

TEST_F(ModelTest, AffineMethodsKeepAffineSubspaces) {
  const World data = world();
  const Matrix shift = Vector::Constant(20, 3.0).replicate(1, 90);
  Clusterer clusterer("ssc");
  for (const auto& [key, text] : {KeyText{"affine", "true"}, {"normalization", "none"}}) {
    clusterer.set(key, text);
  }
  const ClusterModel model = clusterer.fit_model(data.known + shift, data.known_truth);
  EXPECT_GT(model.subspaces.means.norm(), 1.0);
  EXPECT_EQ(predict(model, data.fresh + shift).labels, data.fresh_truth);
}

/// Parallel lines span the same plane; with a coordinate more each has a plane of its own, in which
/// new points lie. The values appended must be those of the model.
TEST_F(ModelTest, AnAppendedCoordinateIsAppendedToNewPoints) {
  Matrix known(2, 40);
  Matrix fresh(2, 20);
  Labels labels;
  Labels expected;
  for (Index j = 0; j < 40; ++j) {
    known.col(j) << static_cast<double>(j) - 20.0, j % 2 == 0 ? 1.0 : -2.0;
    labels.push_back(static_cast<int>(j % 2));
  }
  for (Index j = 0; j < 20; ++j) {
    fresh.col(j) << 3.7 * static_cast<double>(j) - 30.0, j % 2 == 0 ? 1.0 : -2.0;
    expected.push_back(static_cast<int>(j % 2));
  }
  for (const char* center : {"false", "true"}) {
    for (const char* pca : {"0", "2"}) {
      for (const char* normalization : {"none", "unit-columns"}) {
        Clusterer clusterer("lrr");
        clusterer.set("append_one", "0.5");
        clusterer.set("center", center);
        clusterer.set("pca", pca);
        clusterer.set("normalization", normalization);
        clusterer.set("subspace_dimension", "2");
        save_model(folder(), clusterer.fit_model(known, labels));
        const ClusterModel model = load_model(folder());
        EXPECT_EQ(model.preprocessor.appended, 0.5);
        EXPECT_EQ(model.subspaces.means.rows(), 3);
        const NearestSubspaces found = predict(model, fresh);
        EXPECT_EQ(found.labels, expected);
        EXPECT_EQ(predict(model, known).labels, labels);
      }
    }
  }
}

TEST_F(ModelTest, WhatSeesNoPointsHasNone) {
  const Clusterer precomputed("precomputed");
  EXPECT_FALSE(precomputed.has_model());
  EXPECT_THAT(message_of<InvalidArgument>([&] {
                precomputed.fit_model(Matrix::Ones(2, 2), {0, 1});
              }),
              HasSubstr("precomputed has no model"));
}

TEST_F(ModelTest, OptionsOfTheModelAreNoPartOfTheRun) {
  Clusterer clusterer("ensc");
  const NamedValues before = clusterer.values();
  clusterer.set("model.subspace_energy", "0.5");
  EXPECT_EQ(clusterer.values(), before);
  EXPECT_THAT(message_of<InvalidArgument>([&] { clusterer.set("subspace_energy", "2"); }),
              HasSubstr("model.subspace_energy = 2"));
}

TEST_F(ModelTest, DamagedFilesAreRefusedByName) {
  const World data = world();
  EXPECT_FALSE(holds_model(folder()));
  EXPECT_THAT(refusal(), HasSubstr("model.json"));
  save_model(folder(), fitted(data, "ensc"));
  EXPECT_TRUE(holds_model(folder()));
  const std::string arrays = text("model.npz"), head = text("model.json");
  const auto put = [&](const char* name, const std::string& bytes) {
    std::ofstream(folder() / name, std::ios::binary) << bytes;
  };
  put("model.npz", arrays.substr(0, arrays.size() - 1));
  EXPECT_THAT(refusal(), HasSubstr("another hash"));
  put("model.npz", arrays);
  EXPECT_NO_THROW(load_model(folder()));
  for (const auto& [word, other] :
       {std::pair<std::string, std::string>{"subspace-model-1", "x"},
        {"\"subspaces\"", "\"oracle\""},
        {"\"space\": 20", "\"space\": 21"},
        {"\"dimension\": 20", "\"dimension\": 19"},
        {"\"dimensions\": [\n      3", "\"dimensions\": [\n      -3"},
        {"\"dimensions\": [\n      3", "\"dimensions\": [\n      2147483647"},
        {"\"labels\": [\n      0", "\"labels\": [\n      1"},
        {"\"clusters\"", "\"others\""}}) {
    std::string bad = head;
    ASSERT_NE(bad.find(word), std::string::npos) << word;
    bad.replace(bad.find(word), word.size(), other);
    put("model.json", bad);
    EXPECT_THAT(refusal(), HasSubstr("model.json: ")) << word;
  }
  put("model.json", head.substr(0, head.size() / 2));
  EXPECT_THAT(refusal(), HasSubstr("no model of clusters"));
}

TEST_F(ModelTest, PointsOfAnotherDimensionAreRefused) {
  EXPECT_THAT(message_of<DataError>([] { predict(fitted(world(), "ensc"), Matrix::Ones(19, 2)); }),
              HasSubstr("points have 19 features, must have 20"));
}

/// Of points that come later many more than those that were clustered, as predicting has it.
struct LaterPoints {
  std::string name = {};
  ClusterModel model = {};
  Matrix X = {};
};

/// Each rule, with the ways before it that keep other matrices.
std::vector<LaterPoints> later_points(Index dimension, Index known, Index fresh) {
  const datasets::Generated generated =
      datasets::union_of_subspaces({.num_subspaces = 4,
                                    .dimension = 4,
                                    .ambient = static_cast<int>(dimension),
                                    .points_per_subspace = static_cast<int>(known + fresh) / 4,
                                    .noise = 0.01,
                                    .seed = 1});
  // A subspace after the other: every so many points are known, of all of them.
  const Index step = (known + fresh) / known;
  Matrix X(dimension, known);
  Labels labels;
  for (Index j = 0; j < known; ++j) {
    X.col(j) = generated.points.X.col(step * j);
    labels.push_back(generated.truth[static_cast<std::size_t>(step * j)]);
  }
  const Matrix later = generated.points.X.rightCols(fresh);
  const std::vector<std::pair<std::string, std::vector<KeyText>>> ways = {
      {"subspaces", {}},
      {"subspaces centred", {{"center", "true"}}},
      {"subspaces pca", {{"pca", "40"}, {"center", "true"}}},
      {"subspaces appended", {{"append_one", "1"}}},
      {"subspaces none", {{"normalization", "none"}, {"subspace_dimension", "2"}}},
      {"exemplars", {{"rule", "exemplars"}}},
      {"exemplars pca", {{"rule", "exemplars"}, {"pca", "40"}}},
      {"many exemplars", {{"rule", "exemplars"}, {"exemplars_per_cluster", "60"}}}};
  std::vector<LaterPoints> all;
  for (const auto& [name, settings] : ways) {
    Clusterer clusterer("ensc");
    for (const auto& [key, text] : settings) clusterer.set(key, text);
    all.push_back({name, clusterer.fit_model(X, labels), later});
  }
  return all;
}

double predicted_peak(const LaterPoints& points, const Context& context) {
  return largest_stage(predicted_memory(points.model, points.X.cols(), context)).bytes;
}

TEST(PredictionMemory, IsWhatEveryRuleTakes) {
  if (!subspace::testing::kMemoryIsMeasured) GTEST_SKIP();
  const Context two{.num_threads = 2};
  for (const LaterPoints& points : later_points(300, 400, 8000)) {
    const double measured =
        subspace::testing::measured_peak([&] { predict(points.model, points.X, two); });
    const double given = static_cast<double>(points.X.size()) * sizeof(double);
    subspace::testing::expect_predicted(measured + given, predicted_peak(points, two), points.name);
  }
}

/// Prediction and run go by one rule, and a byte less is refused before anything is copied.
TEST(PredictionMemory, ExactlyThePredictedPeakIsEnough) {
  for (const LaterPoints& points : later_points(50, 200, 600)) {
    const auto bytes = static_cast<std::int64_t>(predicted_peak(points, {.num_threads = 2}));
    EXPECT_NO_THROW(predict(points.model, points.X, {.num_threads = 2, .max_memory = bytes + 1}))
        << points.name;
    int reports = 0;
    const Context less{.num_threads = 2,
                       .progress = [&](const ProgressEvent&) { ++reports; },
                       .max_memory = bytes - 1};
    EXPECT_THAT(message_of<ResourceError>([&] { predict(points.model, points.X, less); }),
                AllOf(HasSubstr("predict, stage "), HasSubstr(": needs about 0.00"),
                      HasSubstr("allowed; "), HasSubstr("at a time")))
        << points.name;
    EXPECT_EQ(reports, 0) << points.name;
  }
}

TEST(PredictionMemory, NamesEveryStageInOrder) {
  const ClusterModel model = fitted(world(), "ensc");
  const auto names = [&](const FeatureMemory& network) {
    std::string joined;
    for (const StageMemory& stage : predicted_memory(model, 90, {}, network)) {
      EXPECT_GT(stage.bytes, 0.0) << stage.stage;
      joined += stage.stage + " ";
    }
    return joined;
  };
  EXPECT_EQ(names({}), "load preprocess assignment ");
  EXPECT_EQ(names({.given = 1e6, .embedding = 1e6}), "load features preprocess assignment ");
  EXPECT_THAT(message_of<ResourceError>([&] {
                check_peak_memory(model, 90, {.max_memory = 2'000'000},
                                  {.given = 1e6, .embedding = 1e7});
              }),
              HasSubstr("predict, stage features: needs about 0.011 GB"));
}

/// A plain network needs no pictures.
RunSettings learned_settings(const std::string& input, const std::string& folder) {
  return {.input = input,
          .clusters = 3,
          .method = "tcr+kmeans",
          .set = {{"tcr.steps", "4"},
                  {"tcr.backbone", "mlp"},
                  {"tcr.hidden", "8"},
                  {"tcr.layers", "1"},
                  {"tcr.features", "4"},
                  {"tcr.noise", "0.1"}},
          .save = folder};
}

TEST_F(ModelTest, FeaturesAreMadeOnceToClusterAndToKeep) {
  if (feature_learners().empty()) GTEST_SKIP() << "this build has no LibTorch";
  const std::string input = folder_.path("x.npy").string();
  datasets::save_points(input, world().known);
  const RunSettings settings = learned_settings(input, folder().string());
  int embeddings = 0;
  const Context counting = {.progress = [&](const ProgressEvent& event) {
    if (event.phase == "embed" && event.done == event.total) ++embeddings;
  }};
  const Record kept = cluster_input(settings, counting);
  EXPECT_EQ(embeddings, 1);
  EXPECT_EQ(kept.outcome.features.size(), 0) << "the model has what it needs of them";
  Clusterer again(settings.method);
  const ClusterModel model = load_model(folder());
  EXPECT_EQ(model.network, again.use_model(folder()).sha256);
  const Features features = again.learn({world().known}, {.run_folder = folder(), .trained = true});
  const ClusterModel expected = again.fit_model(features.Z, kept.outcome.labels, settings.seed);
  EXPECT_EQ(model.subspaces.means, expected.subspaces.means);
  EXPECT_EQ(model.options, expected.options);
}

/// The pictures count beside what is made of them, and the network is not asked before.
TEST_F(ModelTest, FeaturesThatDoNotFitAreRefusedBeforeTheyAreMade) {
  if (feature_learners().empty()) GTEST_SKIP() << "this build has no LibTorch";
  const std::string input = folder_.path("x.npy").string();
  datasets::save_points(input, world().known);
  cluster_input(learned_settings(input, folder().string()), {});
  const std::string many = folder_.path("many.npy").string();
  datasets::save_points(many, world().known.replicate(1, 200));  // 2.9 MB, and half more as float32
  int embeddings = 0;
  const Context small{.progress =
                          [&](const ProgressEvent& event) {
                            if (event.phase == "embed") ++embeddings;
                          },
                      .max_memory = 7'000'000};
  const RunSettings settings = {.input = many, .model = folder().string()};
  EXPECT_THAT(message_of<ResourceError>([&] { predict_input(settings, small); }),
              HasSubstr("predict, stage features: needs about"));
  EXPECT_EQ(embeddings, 0);
  EXPECT_NO_THROW(predict_input(settings, {.max_memory = 20'000'000}));
}

}  // namespace
}  // namespace subspace::pipelines
