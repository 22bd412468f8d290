// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <nlohmann/json.hpp>

#include <subspace/datasets/load.h>
#include <subspace/datasets/save.h>

#include "program.h"

namespace subspace::testing {
namespace {

using Json = nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// A union of three subspaces as x.npy, and commands about it.
class PredictCommand : public ProgramTest {
 protected:
  void SetUp() override { write_union(); }
  Finished cluster(Arguments more) const {
    more.insert(more.begin(), {"cluster", path("x.npy")});
    return subspace(more);
  }
  Finished predict(const std::string& model, Arguments more = {}) const {
    more.insert(more.begin(), {"predict", path("x.npy"), "--model", path(model)});
    return subspace(more);
  }
};

TEST_F(PredictCommand, GivesTheClustersThatWereKept) {
  const Finished kept = cluster({"-k", "3", "--save", path("m"), "--out", path("a.npy")});
  ASSERT_EQ(kept.code, 0) << kept.err;
  EXPECT_THAT(kept.out, AllOf(HasSubstr("dimensions"), HasSubstr(path("m"))));
  const Finished run = predict("m", {"--out", path("b.npy"), "--truth", path("y.npy"), "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(datasets::load_labels(path("a.npy")), datasets::load_labels(path("b.npy")));
  const Json record = Json::parse(run.out);
  EXPECT_EQ(record["command"], "predict");
  EXPECT_EQ(record["method"], "ensc");
  EXPECT_EQ(record["metrics"]["acc"], 1.0);
  EXPECT_EQ(record["clusters"]["dimensions"].size(), 3u);
}

TEST_F(PredictCommand, ATruthThatDoesNotFitCostsTheMetricsAlone) {
  const std::string few = write("few.csv", "0\n1\n");
  expect_refusal(cluster({"-k", "3", "--save", path("m"), "--truth", few, "-q"}), 3,
                 "few.csv: 2 labels for 90 points", "the result is written");
  const Finished run = predict("m", {"--out", path("b.npy"), "--truth", few, "-q"});
  expect_refusal(run, 3, "few.csv: 2 labels for 90 points", "the result is written");
  EXPECT_EQ(datasets::load_labels(path("b.npy")).size(), truth_.size());
}

TEST_F(PredictCommand, WorksOnOnePointAlone) {
  ASSERT_EQ(cluster({"-k", "3", "--save", path("m"), "--out", path("a.npy"), "-q"}).code, 0);
  const Matrix X = datasets::load_points(path("x.npy")).X;
  write_points("one.npy", X.col(5));
  ASSERT_EQ(subspace({"predict", path("one.npy"), "--model", path("m"), "--out", path("b.npy"),
                      "--confidence", path("c.npy"), "-q"})
                .code,
            0);
  EXPECT_EQ(datasets::load_labels(path("b.npy")).front(),
            datasets::load_labels(path("a.npy")).at(5));
  EXPECT_GT(datasets::load_points(path("c.npy")).X(0, 0), 0.5);
}

TEST_F(PredictCommand, RefusesWhatIsNoModel) {
  expect_refusal(predict("absent"), 3, "--model", "holds no clusters");
  expect_refusal(subspace({"predict", path("x.npy")}), 2, "no --model given");
  ASSERT_EQ(cluster({"-k", "3", "--save", path("m"), "-q"}).code, 0);
  write_points("flat.npy", Matrix::Ones(4, 3));
  expect_refusal(subspace({"predict", path("flat.npy"), "--model", path("m")}), 3,
                 "points have 4 features, must have 20");
  write("m/model.npz", "x");
  expect_refusal(predict("m"), 3, "model.json", "another hash");
}

/// Ten thousand times a point of the three subspaces: 1.6 MB, of which one copy would fit.
TEST_F(PredictCommand, TooLittleMemoryIsRefusedBeforeAnythingIsCopied) {
  ASSERT_EQ(cluster({"-k", "3", "--save", path("m"), "-q"}).code, 0);
  ASSERT_EQ(cluster({"-k", "3", "--set", "model.rule=exemplars", "--save", path("e"), "-q"}).code,
            0);
  const Matrix X = datasets::load_points(path("x.npy")).X;
  write_points("x.npy", X.col(5).replicate(1, 10000));
  const auto with_limit = [&](const char* model, const char* limit) {
    return predict(model, {"--threads", "1", "--max-memory", limit, "--out", path("p.npy")});
  };
  expect_refusal(with_limit("m", "3M"), 5, "predict, stage ", "needs about 0.0", "0.003 GB allowed",
                 "at a time");
  expect_refusal(with_limit("e", "5M"), 5, "predict, stage assignment: needs about",
                 "0.005 GB allowed", "predict fewer points at a time or use fewer threads");
  EXPECT_FALSE(exists("p.npy"));
  for (const char* model : {"m", "e"}) {
    EXPECT_EQ(with_limit(model, "30M").code, 0) << model;
  }
}

TEST_F(PredictCommand, PrecomputedHasNothingToKeep) {
  expect_refusal(cluster({"-k", "3", "--method", "precomputed", "--save", path("m")}), 2, "--save",
                 "sees no points");
  EXPECT_FALSE(exists("m"));
}

TEST_F(PredictCommand, NothingIsWrittenOverWhatIsReadOrKept) {
  ASSERT_EQ(cluster({"-k", "3", "--save", path("m"), "--out", path("a.npy"), "-q"}).code, 0);
  expect_refusal(predict("m", {"--json", path("m/model.json")}), 2, "--json", "a file of --model");
  expect_refusal(cluster({"-k", "3", "--save", path("n"), "--json", path("n/model.json")}), 2,
                 "--json", "a file of --save");
  expect_refusal(
      cluster({"--method", "ksubspaces", "--start", path("a.npy"), "--out", path("a.npy")}), 2,
      "--out", "--start");
  EXPECT_FALSE(exists("n"));
}

TEST_F(PredictCommand, AFolderThatCannotBeIsRefusedBeforeTheWork) {
  expect_refusal(cluster({"-k", "3", "--save", path("x.npy")}), 3, "--save", "x.npy");
  expect_refusal(cluster({"-k", "3", "--save", path("x.npy/m")}), 3, "--save", "x.npy");
}

TEST_F(PredictCommand, TheNumberOfClustersIsEstimated) {
  const Finished run = cluster({"-k", "auto", "--truth", path("y.npy"), "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const Json record = Json::parse(run.out);
  EXPECT_EQ(record["options"]["num_clusters"], 3);
  EXPECT_EQ(record["cluster_count"]["estimated"], 3);
  EXPECT_GT(record["cluster_count"]["clarity"], 0.5);
  EXPECT_EQ(record["cluster_count"]["laplacian_eigenvalues"].size(), 21u);
  EXPECT_EQ(record["metrics"]["acc"], 1.0);
  EXPECT_THAT(cluster({"-k", "auto"}).out, HasSubstr("3 by the eigengap"));
  expect_refusal(cluster({"-k", "auto", "--method", "kmeans"}), 2, "kmeans makes no graph");
  expect_refusal(cluster({"-k", "auto", "--max-clusters", "1"}), 2, "--max-clusters");
  EXPECT_THAT(cluster({"-k", "auto", "--method", "lrr"}).out, HasSubstr("by the eigengap"));
  expect_refusal(cluster({"-k", "auto", "--method", "edsc"}), 2, "affinity: dimension = 10",
                 "must be 0 where the number of clusters is estimated",
                 "set affinity.dimension = 0");
  EXPECT_THAT(cluster({"-k", "auto", "--method", "edsc", "--set", "affinity.dimension=0"}).out,
              HasSubstr("by the eigengap"));
}

TEST_F(PredictCommand, ConfidenceIsOneNumberAPoint) {
  ASSERT_EQ(cluster({"-k", "3", "-q", "--confidence", path("c.npy")}).code, 0);
  const Matrix confidence = datasets::load_points(path("c.npy")).X;
  EXPECT_EQ(confidence.size(), 90);
  EXPECT_GE(confidence.minCoeff(), 0.0);
  EXPECT_LE(confidence.maxCoeff(), 1.0);
  expect_refusal(cluster({"-k", "3", "--confidence", path("c.txt")}), 2, "must end in .npy");
}

TEST_F(PredictCommand, AnyLabelingIsImproved) {
  Labels spoiled = truth_;
  for (const int j : {0, 40, 80}) spoiled[static_cast<std::size_t>(j)] = 1;
  datasets::save_labels(path("s.npy"), spoiled);
  const Arguments refine = {"--method",    "ksubspaces", "--set",       "dimension=3", "--start",
                            path("s.npy"), "--truth",    path("y.npy"), "--json"};
  const Finished run = cluster(refine);
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(Json::parse(run.out)["metrics"]["acc"], 1.0);
  expect_refusal(cluster({"-k", "4", "--method", "ksubspaces", "--start", path("s.npy")}), 2,
                 "-k 4", "has 3 clusters");
  expect_refusal(cluster({"--method", "ensc", "--start", path("s.npy")}), 2,
                 "does not start from labels");
  datasets::save_labels(path("s.npy"), {0, 1});
  expect_refusal(cluster({"--method", "ksubspaces", "--start", path("s.npy")}), 3,
                 "2 for 90 samples");
}

TEST_F(PredictCommand, SparseMatricesAreForPrecomputed) {
  write("w.mtx", "%%MatrixMarket matrix coordinate real symmetric\n4 4 2\n2 1 1.0\n4 3 2.0\n");
  const Finished run =
      subspace({"cluster", path("w.mtx"), "-k", "2", "--method", "precomputed", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const Labels labels = Json::parse(run.out)["labels"].get<Labels>();
  EXPECT_EQ(labels[0], labels[1]);
  EXPECT_EQ(labels[2], labels[3]);
  EXPECT_NE(labels[0], labels[2]);
  expect_refusal(subspace({"cluster", path("w.mtx"), "-k", "2"}), 2, "a sparse matrix",
                 "precomputed");
}

}  // namespace
}  // namespace subspace::testing
