// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <signal.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include <subspace/backend.h>
#include <subspace/classify/linear_svm.h>
#include <subspace/datasets/load.h>

#include "program.h"

namespace subspace::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Arguments set_flags(const std::vector<std::string>& settings) {
  Arguments arguments;
  for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--set", setting});
  return arguments;
}

/// A network so small that it learns in a second.
Arguments small_network(const char* steps) {
  return set_flags({std::string("tcr.steps=") + steps, "tcr.backbone=resnet10", "tcr.filters=4",
                    "tcr.hidden=32", "tcr.features=8", "tcr.batch=12", "tcr.distortion=0.1"});
}

/// One that takes points of any kind.
Arguments plain_network() {
  return set_flags({"steps=4", "backbone=mlp", "layers=1", "hidden=16", "features=8", "noise=0.1",
                    "distortion=0.1"});
}

Arguments joined(Arguments first, const Arguments& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Json without_seconds(const std::string& text) {
  Json json = Json::parse(text);
  json.erase("seconds");
  return json;
}

/// Learns features of 24 pictures, 16 x 16, of three objects.
class FeatureCommands : public ProgramTest {
 protected:
  void SetUp() override { write_pictures("pictures", 3, 8); }

  Arguments training(const std::string& out, const char* steps, const Arguments& more = {}) const {
    return joined(joined({"train", path("pictures"), "--out", path(out), "--threads", "1"},
                         small_network(steps)),
                  more);
  }
  Finished train(const std::string& out, const Arguments& more = {}) const {
    return subspace(training(out, "4", more));
  }
  Finished embed(const std::string& model, const Arguments& more = {}) const {
    return subspace(
        joined({"embed", path("pictures"), "--model", path(model), "--out", path("z.npy")}, more));
  }
  /// Of a linear SVM on the clean features of a layer of "run", every fourth picture held out.
  double svm_accuracy(const std::string& layer) const {
    EXPECT_EQ(embed("run", {"--layer", layer, "-q"}).code, 0);
    const Matrix Z = datasets::load_points(path("z.npy")).X;
    const Labels truth = datasets::load_labels(path("pictures"));
    std::vector<Index> learned;
    Labels learned_truth;
    for (Index j = 0; j < Z.cols(); ++j) {
      if (j % 4 == 3) continue;
      learned.push_back(j);
      learned_truth.push_back(truth[static_cast<std::size_t>(j)]);
    }
    const LinearSvm model = fit_linear_svm(Z(Eigen::all, learned), learned_truth);
    const Labels found = predict(model, Z);
    int right = 0;
    for (std::size_t j = 3; j < found.size(); j += 4) right += found[j] == truth[j] ? 1 : 0;
    return right / (static_cast<double>(found.size()) / 4.0);
  }
  /// Labels of a clustering with three clusters.
  Labels cluster(const std::string& input, const Arguments& more) const {
    const Finished run =
        subspace(joined({"cluster", input, "-k", "3", "--out", path("labels.npy"), "-q"}, more));
    EXPECT_EQ(run.code, 0) << run.err;
    return run.code == 0 ? datasets::load_labels(path("labels.npy")) : Labels{};
  }
};

TEST_F(FeatureCommands, StepsThatAreKeptServeAsModels) {
  ASSERT_EQ(train("run", {"--keep", "2,3"}).code, 0);
  EXPECT_EQ(embed("run/step-2").code, 0);
  EXPECT_THAT(embed("run/step-3").out, HasSubstr("tcr.steps  3"));
  expect_refusal(train("other", {"--keep", "9"}), 2, "keep = 9", "1 to 4");
  // A step that the run has passed is said; what follows the list is not taken for a step.
  const Finished again = subspace(joined({"train", "--keep", "1,3", path("pictures"), "--out",
                                          path("run"), "--threads", "1", "--resume"},
                                         small_network("4")));
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("step 1 is not kept"));
  EXPECT_THAT(again.err, Not(HasSubstr("step 3 is")));
}

TEST_F(FeatureCommands, EmbeddingIsWhatClusteringUses) {
  const Finished trained = train("run");
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_THAT(trained.out, AllOf(HasSubstr("24 pictures"), HasSubstr("8 features each"),
                                 HasSubstr("tcr.steps  4"), HasSubstr(path("run"))));
  ASSERT_TRUE(exists("run/checkpoint.zip"));
  const std::string before = read("run/checkpoint.zip");
  const Finished embedded = embed("run");
  ASSERT_EQ(embedded.code, 0) << embedded.err;
  EXPECT_THAT(embedded.out, AllOf(HasSubstr("embedded in"), Not(HasSubstr("trained in"))));
  const Matrix Z = datasets::load_points(path("z.npy")).X;
  EXPECT_EQ(Z.rows(), 8);
  EXPECT_EQ(Z.cols(), 24);
  for (Index j = 0; j < Z.cols(); ++j) EXPECT_NEAR(Z.col(j).norm(), 1.0, 1e-5);
  EXPECT_EQ(cluster(path("pictures"), {"--method", "tcr+kmeans", "--model", path("run")}),
            cluster(path("z.npy"), {"--method", "kmeans"}));
  EXPECT_EQ(read("run/checkpoint.zip"), before) << "a model is only read";
}

TEST_F(FeatureCommands, PredictTakesTheFeaturesOfTheNetworkBesideTheClusters) {
  const Labels found =
      cluster(path("pictures"),
              joined(joined({"--method", "tcr+kmeans", "--save", path("run")}, small_network("4")),
                     {"--threads", "1"}));
  const Finished run =
      subspace({"predict", path("pictures"), "--model", path("run"), "--out", path("p.npy"), "-q"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(datasets::load_labels(path("p.npy")), found);
}

TEST_F(FeatureCommands, ATrainedFolderIsNotTrainedOver) {
  ASSERT_EQ(train("run", {"-q"}).code, 0);
  const std::string before = read("run/checkpoint.zip");
  expect_refusal(train("run"), 2, path("run"), "resume");
  EXPECT_EQ(read("run/checkpoint.zip"), before);
  const Finished again = train("run", {"--resume"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(read("run/checkpoint.zip"), before) << "there was nothing left to do";
}

TEST_F(FeatureCommands, AnInterruptedTrainingEndsInTheSameBytes) {
  const char* steps = "200";
  ASSERT_EQ(subspace(training("whole", steps, {"-q"})).code, 0);
  Process process(SUBSPACE_PROGRAM, training("parts", steps, {"--progress", "json"}));
  while (process.error_so_far().find("\"train\"") == std::string::npos && process.running()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  process.send(SIGINT);
  const Finished stopped = process.wait();
  EXPECT_EQ(stopped.code, 130) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("stopping; a training keeps its step first"));
  ASSERT_TRUE(exists("parts/checkpoint.zip"));
  EXPECT_NE(read("parts/checkpoint.zip"), read("whole/checkpoint.zip"));
  const Finished resumed = subspace(training("parts", steps, {"--resume", "-q"}));
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(read("parts/checkpoint.zip"), read("whole/checkpoint.zip"));
}

TEST_F(FeatureCommands, AnotherRunIsNotMixedIn) {
  ASSERT_EQ(train("run", {"-q"}).code, 0);
  const std::string before = read("run/checkpoint.zip");
  for (const Arguments& other :
       {Arguments{"--set", "tcr.filters=8"}, Arguments{"--set", "tcr.similarity=3"},
        Arguments{"--seed", "5"}}) {
    expect_refusal(train("run", joined({"--resume"}, other)), 2, "holds another run");
  }
  fs::remove(path("pictures/obj1__0.png"));
  expect_refusal(train("run", {"--resume"}), 2, "holds another run");
  EXPECT_EQ(read("run/checkpoint.zip"), before);
}

TEST_F(FeatureCommands, ClusteringKeepsTheNetworkItTrains) {
  const Arguments method = joined({"--method", "tcr+kmeans", "--threads", "1"}, small_network("4"));
  const Labels trained = cluster(path("pictures"), joined(method, {"--save", path("run")}));
  EXPECT_TRUE(exists("run/checkpoint.zip"));
  EXPECT_EQ(cluster(path("pictures"), {"--method", "tcr+kmeans", "--model", path("run")}), trained);
  EXPECT_EQ(cluster(path("pictures"), method), trained) << "with a folder that does not stay";
}

TEST_F(FeatureCommands, RecordsAreWrittenWhereAsked) {
  ASSERT_EQ(train("run", {"-q", "--json", path("train.json")}).code, 0);
  const Json trained = Json::parse(read("train.json"));
  EXPECT_EQ(trained["command"], "train");
  EXPECT_EQ(trained["method"], "tcr");
  EXPECT_EQ(trained["options"]["tcr.steps"], 4);
  EXPECT_EQ(trained["features"], (Json{{"n", 24}, {"dim", 8}, {"layer", "proj"}, {"views", 0}}));
  ASSERT_EQ(embed("run", {"-q", "--json", path("embed.json")}).code, 0);
  const Json embedded = Json::parse(read("embed.json"));
  EXPECT_EQ(embedded["command"], "embed");
  for (const char* same : {"method", "options", "seed", "model"}) {
    EXPECT_EQ(embedded[same], trained[same]) << same;
  }
  EXPECT_EQ(Json::parse(embed("run", {"--json", "-"}).out)["input"]["n"], 24);
  expect_refusal(train("other", {"--json", path("absent/train.json")}), 3, "there is no folder");
  EXPECT_FALSE(exists("other"));
}

/// The part of an object whose keys begin so.
Json keys_of(const Json& object, const std::string& stage) {
  Json part = Json::object();
  for (const auto& [key, value] : object.items()) {
    if (key.starts_with(stage)) part[key] = value;
  }
  return part;
}

TEST_F(FeatureCommands, TheRecordOfAModelIsThatOfItsTraining) {
  ASSERT_EQ(train("run", {"-q", "--seed", "3", "--json", path("train.json")}).code, 0);
  const Json trained = Json::parse(read("train.json"));
  const Arguments use = {"cluster", path("pictures"), "-k",     "3", "--method", "tcr+kmeans",
                         "--model", path("run"),      "--json", "-", "--set",    "restarts=2"};
  const Finished used = subspace(use);
  ASSERT_EQ(used.code, 0) << used.err;
  const Json record = Json::parse(used.out);
  EXPECT_EQ(keys_of(record["options"], "tcr."), trained["options"]);
  EXPECT_EQ(record["options"]["tcr.filters"], 4);
  EXPECT_EQ(record["options"]["kmeans.restarts"], 2);
  EXPECT_EQ(record["model"], trained["model"]);
  EXPECT_EQ(record["model"]["folder"], path("run"));
  EXPECT_EQ(record["model"]["step"], 4);
  EXPECT_EQ(record["model"]["sha256"].get<std::string>().size(), 64U);
  for (const char* set : {"tcr.filters=8", "steps=2000"}) {
    expect_refusal(subspace(joined(use, {"--set", set})), 2, "tcr.", "together with --model",
                   "must not be set");
  }
  expect_refusal(subspace(use, {"SUBSPACE_SET_TCR_FILTERS=8"}), 2, "tcr.filters");
  expect_refusal(subspace({"cluster", path("pictures"), "-k", "3", "--method", "vicreg+kmeans",
                           "--model", path("run")}),
                 2, path("run"), "trained by tcr, must be by vicreg");
}

TEST_F(FeatureCommands, ThePrintedSettingsOfAModelCanBeReadBack) {
  ASSERT_EQ(train("run", {"-q"}).code, 0);
  const Finished printed = subspace({"cluster", path("pictures"), "-k", "3", "--method",
                                     "tcr+kmeans", "--model", path("run"), "--print-config"});
  ASSERT_EQ(printed.code, 0) << printed.err;
  const Finished again = subspace({"cluster", "--config", write("run.toml", printed.out), "-q"});
  EXPECT_EQ(again.code, 0) << again.err;
}

/// Stages in folders of their own: one that was left out has 0 steps.
TEST_F(FeatureCommands, TheRecordOfAClusterHeadIsThatOfItsStages) {
  const Arguments head = {"cluster",  path("pictures"), "-k",     "3",
                          "--method", "nmce-head",      "--json", "-"};
  const Finished trained =
      subspace(joined(joined(head, small_network("3")),
                      {"--save", path("run"), "--threads", "1", "--set", "heads.steps=0", "--set",
                       "tune.steps=2", "--set", "tune.batch=12", "--set", "tune.similarity=7"}));
  ASSERT_EQ(trained.code, 0) << trained.err;
  const Finished used = subspace(joined(head, {"--model", path("run")}));
  ASSERT_EQ(used.code, 0) << used.err;
  const Json first = Json::parse(trained.out);
  const Json second = Json::parse(used.out);
  EXPECT_EQ(second["labels"], first["labels"]);
  for (const char* stage : {"tcr.", "tune."}) {
    EXPECT_EQ(keys_of(second["options"], stage), keys_of(first["options"], stage));
  }
  EXPECT_EQ(second["options"]["heads.steps"], 0);
  EXPECT_EQ(second["model"]["folder"], path("run/tune"));
  EXPECT_EQ(second["model"]["step"], 2);
  EXPECT_FALSE(first.contains("model"));
  expect_refusal(subspace(joined(head, {"--model", path("run"), "--set", "tune.steps=9"})), 2,
                 "tune.steps together with --model");
  expect_refusal(subspace(joined(head, {"--model", path("run/tcr")})), 3, path("run/tcr"),
                 "holds no network of nmce-head");
}

TEST_F(FeatureCommands, ATrainingThatBreaksDownIsNotConverged) {
  expect_refusal(train("run", {"--set", "tcr.learning_rate=1e30"}), 4, "not finite",
                 "learning_rate");
  EXPECT_FALSE(exists("run/checkpoint.zip"));
  for (int pose = 0; pose < 24; ++pose) {
    fs::create_directories(path("same"));
    fs::copy(path("pictures/obj1__0.png"), path("same/obj1__" + std::to_string(pose) + ".png"));
  }
  Arguments collapse = joined({"train", path("same"), "--out", path("same_run"), "--threads", "1"},
                              small_network("50"));
  for (const char* view : {"flip=0", "perspective=0", "brightness=0", "contrast=0"}) {
    collapse.insert(collapse.end(), {"--set", view});
  }
  expect_refusal(subspace(collapse), 4, "collapse");
}

/// The time for a checkpoint is taken only where there will be one.
TEST_F(FeatureCommands, WithoutATrainingAnInterruptSpeaksOfNone) {
  ASSERT_EQ(train("run", {"-q"}).code, 0);
  const std::string recipe =
      write("clusterings.toml",
            "data = \"pictures\"\nclusters = 3\n[[row]]\nname = \"a\"\nmethod = \"tcr+kmeans\"\n"
            "[row.set.tcr]\nsteps = 2\nbackbone = \"resnet10\"\nfilters = 4\nhidden = 32\n"
            "features = 8\ndistortion = 0.1\n[row.set.kmeans]\nrestarts = 1000000000\n"
            "tolerance = 0\n");
  Process process(SUBSPACE_PROGRAM, {"table", recipe, "--out", path("out"), "--progress", "json"});
  while (process.error_so_far().find("\"phase\":\"kmeans\"") == std::string::npos &&
         process.running()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  process.send(SIGINT);
  const Finished stopped = process.wait();
  EXPECT_EQ(stopped.code, 130) << stopped.err;
  EXPECT_THAT(stopped.err, Not(HasSubstr("a training keeps its step")));
}

TEST_F(FeatureCommands, ARecipeSaysWhatToTrain) {
  const std::string row =
      "method = \"nmce\"\n[row.set.tcr]\nsteps = 3\nbackbone = \"resnet10\"\nfilters = 4\n"
      "hidden = 32\nfeatures = 8\ndistortion = 0.1\n[row.set.ensc]\ngamma = 7\n";
  const std::string top = "data = \"pictures\"\nclusters = 3\n";
  const std::string one = write("one.toml", top + "[[row]]\nname = \"a\"\n" + row);
  const Finished run =
      subspace({"train", "--recipe", one, "--out", path("run"), "--json", "-", "-q"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(Json::parse(run.out)["options"]["tcr.steps"], 3);
  EXPECT_FALSE(Json::parse(run.out)["options"].contains("ensc.gamma"));

  const std::string two =
      write("two.toml", top + "[[row]]\nname = \"a\"\n" + row + "[[row]]\nname = \"b\"\n" + row);
  expect_refusal(subspace({"train", "--recipe", two, "--out", path("two")}), 2,
                 "--row must be one of 'a', 'b'");
  EXPECT_EQ(subspace({"train", "--recipe", two, "--row", "b", "--out", path("two"), "-q"}).code, 0);
  std::string staged = top + "[[row]]\nname = \"a\"\n" + row.substr(0, row.find("[row.set.ensc]"));
  staged.replace(staged.find("\"nmce\""), 6, "\"nmce-head\"");
  const Finished first_stage =
      subspace({"train", "--recipe", write("staged.toml", staged), "--out", path("staged")});
  ASSERT_EQ(first_stage.code, 0) << first_stage.err;
  EXPECT_THAT(first_stage.err, HasSubstr("row 'a' is trained in its stage tcr alone"));
  const std::string none = write("none.toml", top + "[[row]]\nname = \"a\"\nmethod = \"kmeans\"\n");
  expect_refusal(subspace({"train", "--recipe", none, "--out", path("none")}), 2, "no row learns");
  EXPECT_FALSE(exists("none"));
}

TEST_F(FeatureCommands, WhatHoldsNoPicturesIsRefused) {
  fs::create_directories(path("empty"));
  fs::create_directories(path("texts"));
  write("texts/a.txt", "no picture");
  write("texts/b.png", "no picture either");
  for (const char* input : {"empty", "texts", "absent"}) {
    expect_refusal(subspace({"train", path(input), "--out", path("run")}), 3, input);
    EXPECT_FALSE(exists("run")) << input;
  }
}

TEST_F(FeatureCommands, AnMlpLearnsFromPointsThatAreNoPictures) {
  write_union();
  const Finished trained = subspace(
      joined({"train", path("x.npy"), "--out", path("run"), "--threads", "1"}, plain_network()));
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("90 points, 8 features each"));
  const Finished embedded =
      subspace({"embed", path("x.npy"), "--model", path("run"), "--out", path("z.npy"), "-q"});
  ASSERT_EQ(embedded.code, 0) << embedded.err;
  EXPECT_EQ(cluster(path("x.npy"), {"--method", "tcr+kmeans", "--model", path("run")}),
            cluster(path("z.npy"), {"--method", "kmeans"}));
  const Finished probed = subspace({"probe", path("x.npy"), "--truth", path("y.npy"), "--model",
                                    path("run"), "--views", "2", "--json", "-"});
  ASSERT_EQ(probed.code, 0) << probed.err;
  EXPECT_EQ(Json::parse(probed.out)["layers"].size(), 6U);
}

TEST_F(FeatureCommands, AResidualNetworkNeedsPictures) {
  write_union();
  const char* rule = "need pictures unless backbone = mlp";
  expect_refusal(subspace({"train", path("x.npy"), "--out", path("run")}), 3, rule,
                 "points of 20 values");
  EXPECT_FALSE(exists("run"));
  ASSERT_EQ(train("run", {"-q"}).code, 0);
  expect_refusal(subspace({"embed", path("x.npy"), "--model", path("run"), "--out", path("z.npy")}),
                 3, rule);
  expect_refusal(
      subspace({"probe", path("x.npy"), "--truth", path("y.npy"), "--model", path("run")}), 3,
      rule);
}

/// A column that holds the labels must not be learned from, and it is said that it is not.
TEST_F(FeatureCommands, LabelsBesidePointsAreNotLearnedFrom) {
  std::string text = "a,b,class\n";
  for (int i = 0; i < 30; ++i) {
    text +=
        std::to_string(i % 7) + "," + std::to_string(i % 5) + "," + std::to_string(i % 2) + "\n";
  }
  const Finished trained = subspace(joined(
      {"train", write("x.csv", text), "--out", path("run"), "--json", "-", "-q"}, plain_network()));
  ASSERT_EQ(trained.code, 0) << trained.err;
  const Json record = Json::parse(trained.out);
  EXPECT_EQ(record["input"]["dim"], 2);
  EXPECT_THAT(record["warnings"][0].get<std::string>(), HasSubstr("'class'"));
}

TEST_F(FeatureCommands, EmbeddingsAreOfTheLayerAndTheViewsAskedFor) {
  ASSERT_EQ(train("run", {"-q"}).code, 0);
  const auto embedded = [&](const Arguments& more) {
    const Finished run = embed("run", joined({"-q", "--json", path("z.json")}, more));
    EXPECT_EQ(run.code, 0) << run.err;
    return datasets::load_points(path("z.npy")).X;
  };
  const Matrix clean = embedded({});
  EXPECT_EQ(embedded({"--layer", "proj", "--views", "1"}), clean);
  const Matrix mean = embedded({"--views", "4", "--seed", "3"});
  EXPECT_NE(mean, clean);
  for (Index j = 0; j < mean.cols(); ++j) EXPECT_NEAR(mean.col(j).norm(), 1.0, 1e-5);
  EXPECT_NE(embedded({"--views", "4", "--seed", "4"}), mean);
  EXPECT_EQ(embedded({"--views", "4", "--seed", "3"}), mean);
  EXPECT_EQ(embedded({"--layer", "pool"}).rows(), 32);
  EXPECT_EQ(embedded({"--layer", "pre-feature", "--views", "4", "--seed", "3"}).rows(), 32);
  EXPECT_EQ(Json::parse(read("z.json"))["features"],
            (Json{{"n", 24}, {"dim", 32}, {"layer", "pre-feature"}, {"views", 4}, {"seed", 3}}));
  EXPECT_EQ(cluster(path("z.npy"), {"--method", "kmeans"}).size(), 24U);
}

TEST_F(FeatureCommands, LayersAndViewsThatAreNoneAreUsageErrors) {
  ASSERT_EQ(train("run", {"-q"}).code, 0);
  expect_refusal(embed("run", {"--layer", "pre"}), 2,
                 "layer = 'pre', must be one of proj, pre-feature, pool");
  for (const char* command : {"embed", "probe"}) {
    for (const char* views : {"-1", "many", "1.5"}) {
      expect_refusal(
          subspace({command, path("pictures"), "--model", path("run"), "--views", views}), 2,
          "--views", views, "must");
    }
  }
  EXPECT_FALSE(exists("z.npy"));
}

TEST_F(FeatureCommands, AModelMustBeThereAndFit) {
  fs::create_directories(path("hollow"));
  expect_refusal(embed("hollow"), 3, path("hollow"), "holds no checkpoint");
  expect_refusal(embed("absent"), 3, path("absent"));
  expect_refusal(subspace({"cluster", path("pictures"), "-k", "3", "--method", "tcr+kmeans",
                           "--model", path("hollow")}),
                 3, path("hollow"), "holds no checkpoint");
  ASSERT_EQ(train("run", {"-q"}).code, 0);
  expect_refusal(embed("run", {"--image-size", "8x8"}), 3, "1 x 8 x 8");
  EXPECT_FALSE(exists("z.npy"));
}

TEST_F(FeatureCommands, ADamagedModelIsRefused) {
  ASSERT_EQ(train("run", {"-q"}).code, 0);
  std::string bytes = read("run/checkpoint.zip");
  write("run/checkpoint.zip", bytes.substr(0, bytes.size() / 2));
  expect_refusal(embed("run"), 3, "checkpoint.zip");
  bytes[bytes.size() / 2] ^= 1;
  write("run/checkpoint.zip", bytes);
  expect_refusal(embed("run"), 3, "checkpoint.zip");
  EXPECT_FALSE(exists("z.npy"));
}

TEST_F(FeatureCommands, WordsThatMeanNothingAreUsageErrors) {
  const Arguments classical = {"cluster", path("pictures"), "-k", "3", "--method", "kmeans"};
  expect_refusal(subspace(joined(classical, {"--model", path("run")})), 2, "--model",
                 "trains no network");
  expect_refusal(subspace({"cluster", path("pictures"), "-k", "3", "--method", "nmce", "--save",
                           path("run"), "--model", path("run")}),
                 2, "--save and --model");
  expect_refusal(subspace({"cluster", path("pictures"), "-k", "3", "--method", "tcr"}), 2,
                 "must be tcr+CLUSTERER");
  expect_refusal(train("run", {"--set", "tcr.step=3"}), 2, "did you mean 'tcr.steps'?");
  expect_refusal(train("run", {"--set", "tcr.steps=0"}), 2, "tcr.steps = 0");
  expect_refusal(subspace({"train", path("pictures")}), 2, "--out");
  for (const char* method : {"ensc", "kmeans"}) {
    expect_refusal(train("run", {"--method", method}), 2,
                   std::string("method ") + method + " learns no features, must be one of tcr, ");
  }
  expect_refusal(subspace({"embed", path("pictures"), "--out", path("z.npy")}), 2, "--model");
  EXPECT_FALSE(exists("run"));
}

TEST_F(FeatureCommands, ADeviceThatIsNotThereIsAUsageError) {
  expect_refusal(train("run", {"--device", "cuda:99"}), 2, "cuda:99");
  expect_refusal(train("run", {"--device", "gpu"}), 2, "device");
  EXPECT_FALSE(exists("run/checkpoint.zip"));
  if (!fs::exists("/dev/nvidia0")) {
    expect_refusal(train("run", {"--device", "cuda"}), 2, "no CUDA device");
  }
}

TEST_F(FeatureCommands, ProbeTellsWhatLabelsSayOfEveryLayer) {
  ASSERT_EQ(train("run").code, 0);
  const Arguments probe = {
      "probe", path("pictures"), "--model", path("run"), "--views", "2", "--labels",
      "3,6",   "--hold-out",     "4",       "--json",    "-"};
  const Finished run = subspace(probe);
  ASSERT_EQ(run.code, 0) << run.err;
  const Json json = Json::parse(run.out);
  EXPECT_EQ(json["num_train"], 18);
  EXPECT_EQ(json["num_test"], 6);
  ASSERT_EQ(json["layers"].size(), 6U);  // three layers, clean and averaged
  const std::vector<int> dimensions = {8, 32, 32, 8, 32, 32};
  for (std::size_t i = 0; i < 6; ++i) {
    const Json& layer = json["layers"][i];
    EXPECT_EQ(layer["dim"], dimensions[i]) << layer;
    for (const auto& [name, accuracy] : layer["accuracy"].items()) {
      EXPECT_GE(accuracy.get<double>(), 0.0) << name;
      EXPECT_LE(accuracy.get<double>(), 1.0) << name;
    }
    if (layer["views"] == 0) {
      EXPECT_EQ(layer["accuracy"]["svm"], svm_accuracy(layer["layer"])) << layer;
    }
    EXPECT_EQ(layer["few_labels"].size(), 2U);
    EXPECT_EQ(layer["few_labels"][0]["samplings"], 10);
  }
  EXPECT_EQ(without_seconds(subspace(probe).out), without_seconds(run.out));
  Arguments released = probe;
  for (const char* word : {"--neighbors", "1", "--subspace-dimension", "2"}) {
    released.emplace_back(word);
  }
  const Json record = Json::parse(subspace(released).out);
  EXPECT_EQ(record["neighbors"], 1);
  EXPECT_EQ(record["subspace_dimension"], 2);
  released.back() = "-1";
  expect_refusal(subspace(released), 2, "dimension = -1");
  expect_refusal(subspace({"probe", path("pictures")}), 2, "no --model given");
  expect_refusal(subspace({"probe", path("pictures"), "--model", path("run"), "--layers", "projj"}),
                 2, "layer = 'projj', must be one of proj, pre-feature, pool");
}

TEST_F(FeatureCommands, AProbeTellsWhatItRanOnAndHowLong) {
  ASSERT_EQ(train("run", {"-q"}).code, 0);
  const Finished run = subspace({"probe", path("pictures"), "--model", path("run"), "--views", "0",
                                 "--threads", "1", "--json", path("probe.json"), "-q"});
  ASSERT_EQ(run.code, 0) << run.err;
  const Json json = Json::parse(read("probe.json"));
  EXPECT_EQ(json["threads"], 1);
  EXPECT_EQ(json["backend"], backend_name());
  const Finished path_run = subspace(
      {"path", path("pictures"), "--method", "lsr", "-k", "3", "--values", "1", "--json", "-"});
  EXPECT_EQ(json.value("source_commit", ""), Json::parse(path_run.out).value("source_commit", ""));
  EXPECT_GT(json["seconds"]["load"], 0.0);
  EXPECT_GT(json["seconds"]["total"], json["seconds"]["load"]);
}

TEST_F(FeatureCommands, TheWholeObjectiveLabelsByItsHead) {
  Arguments arguments = {"cluster",  path("pictures"), "-k",        "3",
                         "--method", "nmce-head",      "--threads", "1",
                         "--save",   path("run"),      "--json",    "-"};
  for (const char* set : {"tcr.steps=2", "tcr.backbone=resnet10", "tcr.filters=4", "tcr.hidden=32",
                          "tcr.features=8", "tcr.distortion=0.1", "heads.steps=2",
                          "heads.distortion=0.1", "tune.steps=2", "tune.distortion=0.1"}) {
    arguments.insert(arguments.end(), {"--set", set});
  }
  const Finished run = subspace(arguments);
  ASSERT_EQ(run.code, 0) << run.err;
  const Json json = Json::parse(run.out);
  EXPECT_EQ(json["labels"].size(), 24U);
  EXPECT_EQ(json["certificate"]["tune.steps"], 2);
  for (const char* stage : {"tcr", "heads", "tune"}) {
    EXPECT_TRUE(exists(std::string("run/") + stage + "/checkpoint.zip")) << stage;
  }
  // Finished stages are not trained again.
  const Finished again = subspace(arguments);
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(Json::parse(again.out)["labels"], json["labels"]);
  for (const char* bad : {"heads.steps=0", "tune.steps=0"}) {
    arguments.insert(arguments.end(), {"--set", bad});
  }
  expect_refusal(subspace(arguments), 2, "one must train the cluster head");
}

TEST_F(FeatureCommands, RowsOfATableShareTheStagesTheyHaveInCommon) {
  const std::string first =
      "[row.set.tcr]\nsteps = 2\nbackbone = \"resnet10\"\nfilters = 4\nhidden = 32\nfeatures = 8\n"
      "distortion = 0.1\n";
  const std::string stages =
      first + "[row.set.heads]\nsteps = 2\ndistortion = 0.1\n[row.set.tune]\ndistortion = 0.1\n";
  const std::string recipe =
      write("stages.toml",
            "data = \"pictures\"\nclusters = 3\nseeds = 1\n"
            "[[row]]\nname = \"features\"\nmethod = \"tcr+kmeans\"\n" +
                first + "[[row]]\nname = \"two stages\"\nmethod = \"nmce-head\"\n" + stages +
                "steps = 0\n" + "[[row]]\nname = \"three\"\nmethod = \"nmce-head\"\n" + stages +
                "steps = 2\n");
  const Finished run = subspace({"table", recipe, "--out", path("out"), "--threads", "1", "-q"});
  ASSERT_EQ(run.code, 0) << run.err;
  std::size_t networks = 0;
  for (const auto& entry : fs::directory_iterator(path("out/features"))) {
    networks += fs::exists(entry.path() / "checkpoint.zip") ? 1 : 0;
  }
  EXPECT_EQ(networks, 3U);

  const Finished alone = subspace({"cluster",
                                   path("pictures"),
                                   "-k",
                                   "3",
                                   "--method",
                                   "nmce-head",
                                   "--threads",
                                   "1",
                                   "--json",
                                   "-",
                                   "-q",
                                   "--set",
                                   "tcr.steps=2",
                                   "--set",
                                   "tcr.backbone=resnet10",
                                   "--set",
                                   "tcr.filters=4",
                                   "--set",
                                   "tcr.hidden=32",
                                   "--set",
                                   "tcr.features=8",
                                   "--set",
                                   "tcr.distortion=0.1",
                                   "--set",
                                   "heads.steps=2",
                                   "--set",
                                   "heads.distortion=0.1",
                                   "--set",
                                   "tune.steps=2",
                                   "--set",
                                   "tune.distortion=0.1"});
  ASSERT_EQ(alone.code, 0) << alone.err;
  std::ifstream in(path("out/results.json"));
  const Json results = Json::parse(in);
  EXPECT_EQ(results["rows"][2]["cells"][0]["record"]["labels"], Json::parse(alone.out)["labels"]);
}

}  // namespace
}  // namespace subspace::testing
