// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// Points that no method may stumble over, with the forms of the methods that are not the default.
// Those are run by EveryMethod in run_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <subspace/core/random.h>
#include <subspace/pipelines/model.h>

#include "degenerate_grid.h"

namespace subspace::pipelines {
namespace {

using ::subspace::testing::cluster_numbers;
using ::subspace::testing::degenerate_points;
using ::subspace::testing::expect_labels;
using ::subspace::testing::expect_labels_or_refusal;
using ::subspace::testing::one_thread;

using Settings = std::vector<KeyText>;

/// A method with some of its options.
struct Form {
  std::string name = {};
  std::string method = {};
  Settings settings = {};
  bool slow = false;  ///< of such, fewer points and numbers of clusters
};
void PrintTo(const Form& form, std::ostream* out) { *out << form.name; }

std::vector<Form> ssc_forms() {
  return {{"SscAffine", "ssc", {{"ssc.affine", "true"}}},
          {"SscOutliers", "ssc", {{"ssc.outliers", "true"}}},
          {"SscAffineOutliers", "ssc", {{"ssc.affine", "true"}, {"ssc.outliers", "true"}}},
          {"SscOfficial", "ssc", {{"ssc.solver", "official"}}},
          {"SscOfficialAffine", "ssc", {{"ssc.solver", "official"}, {"ssc.affine", "true"}}},
          {"SscOfficialOutliers", "ssc", {{"ssc.solver", "official"}, {"ssc.outliers", "true"}}},
          {"SscAdmm", "ssc", {{"ssc.solver", "admm"}}, true},
          {"SscAdmmAffine", "ssc", {{"ssc.solver", "admm"}, {"ssc.affine", "true"}}, true},
          {"SscAdmmOutliers", "ssc", {{"ssc.solver", "admm"}, {"ssc.outliers", "true"}}, true}};
}

std::vector<Form> kssc_forms() {
  return {{"KsscCubic", "kssc", {{"degree", "3"}, {"offset", "0"}}},
          {"KsscGaussian", "kssc", {{"kernel", "gaussian"}}},
          {"KsscGaussianAffine", "kssc", {{"kernel", "gaussian"}, {"affine", "true"}}},
          {"KsscLowRank", "kssc", {{"kernel_rank", "4"}}},
          {"KsscGaussianLowRank", "kssc", {{"kernel", "gaussian"}, {"kernel_rank", "4"}}},
          {"KsscOfficial", "kssc", {{"kssc.solver", "official"}}},
          {"KsscOfficialAffine", "kssc", {{"kssc.solver", "official"}, {"affine", "true"}}},
          {"KsscAdmmAffine", "kssc", {{"kssc.solver", "admm"}, {"affine", "true"}}, true},
          {"KsscAdmm", "kssc", {{"kssc.solver", "admm"}}, true}};
}

std::vector<Form> other_forms() {
  return {{"OmpOne", "ssc-omp", {{"max_nonzeros", "1"}}},
          {"OmpExact", "ssc-omp", {{"max_nonzeros", "100"}, {"omp.tolerance", "0"}}},
          {"EnscLasso", "ensc", {{"tau", "1"}}},
          {"Lsr2", "lsr", {{"variant", "lsr2"}}},
          {"EdscAffine", "edsc", {{"edsc.affine", "true"}}},
          {"EdscOutliers", "edsc", {{"edsc.outliers", "true"}}},
          {"LrrNoiseFree", "lrr", {{"noise_free", "true"}}},
          {"LrrPublished", "lrr", {{"schedule", "published"}}},
          {"LrrPublishedRule", "lrr", {{"schedule", "published"}, {"lrr.lambda", "0"}}},
          {"SmceTwo", "smce", {{"smce.neighbors", "2"}}},
          {"EscOne", "esc", {{"num_exemplars", "1"}}},
          {"EscAffinity", "esc", {{"affinity.neighbors", "60"}}},
          {"KSubspacesAffine", "ksubspaces", {{"affine", "true"}}},
          {"KSubspacesEnergy", "ksubspaces", {{"dimension", "20"}, {"energy", "0.9"}}},
          {"SpectralCosine", "spectral", {{"metric", "cosine"}, {"graph.power", "2"}}},
          {"SpectralAbsolute", "spectral", {{"metric", "absolute-cosine"}}},
          {"SpectralWithSelf", "spectral", {{"include_self", "true"}}}};
}

std::vector<Form> shared_stage_forms() {
  return {{"CenteredPca", "ensc", {{"center", "true"}, {"pca", "1"}}},
          {"KMeansPca", "kmeans", {{"pca", "1"}}},
          {"Discretized", "ensc", {{"assignment.algorithm", "discretize"}}},
          {"RandomWalk", "ensc", {{"embedding.scale", "random-walk"}}},
          {"Eigenvectors", "ensc", {{"embedding.scale", "none"}, {"embedding.dimensions", "9"}}},
          {"MaxColumns", "ensc", {{"affinity.kind", "max-columns"}, {"keep", "0.5"}}},
          {"Neighbors", "ensc", {{"affinity.kind", "neighbors"}}},
          {"Maximum", "ensc", {{"affinity.kind", "maximum"}}},
          {"LowRank", "ensc", {{"affinity.kind", "low-rank"}, {"affinity.dimension", "2"}}},
          {"UnitDiagonal", "edsc", {{"unit_diagonal", "true"}, {"positive", "true"}}},
          {"LoopsOfNone", "ensc", {{"affinity.loops", "true"}}},
          {"Loops", "lsr", {{"variant", "lsr2"}, {"affinity.loops", "true"}}},
          {"LowRankLoops", "edsc", {{"affinity.loops", "true"}}},
          {"UnitWalk", "ensc", {{"embedding.scale", "unit-walk"}}},
          {"FromRows", "ensc", {{"kmeans.init", "rows"}}},
          {"KMeansFromRows", "kmeans", {{"kmeans.init", "rows"}}},
          {"AppendedOne", "ensc", {{"append_one", "1"}}},
          {"AppendedOnePca", "lrr", {{"append_one", "1"}, {"pca", "1"}, {"center", "true"}}}};
}

/// Every name behind one method.
std::vector<Form> postprocess_forms() {
  std::vector<Form> all;
  for (const Postprocess& each : postprocesses()) {
    all.push_back({"Postprocess_" + each.name, "ssc-omp", {{"postprocess", each.name}}});
  }
  return all;
}

std::vector<Form> forms() {
  std::vector<Form> all = ssc_forms();
  for (const std::vector<Form>& more :
       {kssc_forms(), other_forms(), shared_stage_forms(), postprocess_forms()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
#ifdef SUBSPACE_WITH_OSQP
  all.push_back({"SscOsqp", "ssc", {{"ssc.solver", "osqp"}}, true});
  all.push_back({"SscOsqpAffine", "ssc", {{"ssc.solver", "osqp"}, {"ssc.affine", "true"}}, true});
  all.push_back({"SscOsqpOutliers", "ssc", {{"ssc.solver", "osqp"}, {"outliers", "true"}}, true});
  all.push_back({"KsscOsqp", "kssc", {{"kssc.solver", "osqp"}}, true});
  all.push_back(
      {"KsscOsqpGaussian", "kssc", {{"kssc.solver", "osqp"}, {"kernel", "gaussian"}}, true});
  all.push_back({"SmceOsqp", "smce", {{"smce.solver", "osqp"}}, true});
#endif
  return all;
}

class EveryForm : public ::testing::TestWithParam<Form> {};
INSTANTIATE_TEST_SUITE_P(Degenerate, EveryForm, ::testing::ValuesIn(forms()),
                         [](const auto& form) { return form.param.name; });

/// A number of points, and the numbers of clusters asked for.
struct Size {
  Index count = 0;
  std::vector<int> clusters = {};
};

/// The solvers do not see the number of clusters: many points are asked for few of them.
std::vector<Size> sizes(bool slow) {
  if (slow) return {{1, {1}}, {2, {-1, 0, 1, 2, 3}}, {9, {2, 9}}};
  return {{1, cluster_numbers(1)},
          {2, cluster_numbers(2)},
          {3, cluster_numbers(3)},
          {8, {2, 8, 9}},
          {50, {2, 50}}};
}

/// Lengths as they are let the scale of the points reach the solver.
TEST_P(EveryForm, LabelsDegeneratePointsOfAnyLengthOrSaysWhyNot) {
  for (const char* lengths : {"unit-columns", "none"}) {
    Settings settings = GetParam().settings;
    settings.emplace_back("normalization", lengths);
    for (const auto& [count, numbers] : sizes(GetParam().slow)) {
      for (const Index dimension : {1, 2, 9, 100}) {
        int world = 0;
        for (const Matrix& X : degenerate_points(dimension, count)) {
          SCOPED_TRACE(message("world ", world++, ", lengths ", lengths));
          for (const int k : numbers) {
            expect_labels_or_refusal(X, k, GetParam().method, settings);
          }
        }
      }
    }
  }
}

class EveryClusterer : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Degenerate, EveryClusterer,
                         ::testing::Values("kmeans", "spectral", "ensc", "ssc", "kssc", "ssc-omp",
                                           "lsr", "lrr", "edsc", "smce", "esc", "ksubspaces",
                                           "alc"),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::erase(name, '-');
                           return name;
                         });

/// The sizes between those of the other tests: 1 to 50 points of 1 to 100 dimensions in -1 to one
/// more cluster than there are points.
TEST_P(EveryClusterer, LabelsDegeneratePointsOfRandomSizesOrSaysWhyNot) {
  RandomStream random = stream(17, Stream::kTest, 0);
  const auto below = [&](Index bound) {
    return static_cast<Index>(random.below(static_cast<std::uint64_t>(bound)));
  };
  for (int draw = 0; draw < 200; ++draw) {
    const Index count = 1 + below(50);
    const std::vector<Matrix> worlds = degenerate_points(1 + below(100), count);
    const Index world = below(std::ssize(worlds));
    const Matrix& X = worlds[static_cast<std::size_t>(world)];
    const int k = static_cast<int>(below(count + 3)) - 1;
    const char* lengths = draw % 2 == 0 ? "unit-columns" : "none";
    SCOPED_TRACE(message(count, " points of ", X.rows(), " dimensions, world ", world, ", k = ", k,
                         ", lengths ", lengths));
    expect_labels_or_refusal(X, k, GetParam(), {{"normalization", lengths}});
  }
}

/// Ways from a matrix that was made elsewhere to labels.
std::vector<Form> matrix_forms() {
  std::vector<Form> all = {{"Defaults"}, {"Loops", {}, {{"affinity.loops", "true"}}}};
  for (const Postprocess& each : postprocesses()) {
    all.push_back({"Postprocess_" + each.name, {}, {{"postprocess", each.name}}});
  }
  return all;
}

class EveryMatrix : public ::testing::TestWithParam<Form> {};
INSTANTIATE_TEST_SUITE_P(Degenerate, EveryMatrix, ::testing::ValuesIn(matrix_forms()),
                         [](const auto& form) { return form.param.name; });

/// As an affinity and as coefficients.
TEST_P(EveryMatrix, IsLabelledByPrecomputedOrRefused) {
  const Settings& settings = GetParam().settings;
  Settings coefficients = settings;
  coefficients.emplace_back("precomputed.kind", "coefficients");
  for (const auto& [count, numbers] : sizes(false)) {
    int world = 0;
    for (const Matrix& C : degenerate_points(count, count)) {
      SCOPED_TRACE(message("world ", world++));
      const Matrix W = C.cwiseAbs() + C.cwiseAbs().transpose();
      for (const int k : numbers) {
        expect_labels_or_refusal(C, k, "precomputed", coefficients);
        expect_labels_or_refusal(W, k, "precomputed", settings);
      }
    }
  }
}

class EveryGraph : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Degenerate, EveryGraph,
                         ::testing::Values("spectral", "ensc", "ssc", "kssc", "ssc-omp", "lsr",
                                           "smce", "esc"),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::erase(name, '-');
                           return name;
                         });

/// The number of clusters that the graph speaks for is one that the points can form.
TEST_P(EveryGraph, TellsANumberOfClustersOfDegeneratePoints) {
  for (const char* lengths : {"unit-columns", "none"}) {
    Clusterer clusterer(GetParam());
    clusterer.set("normalization", lengths);
    for (const Index count : {1, 2, 3, 8, 50}) {
      for (const Index dimension : {1, 2, 9, 100}) {
        for (const Matrix& X : degenerate_points(dimension, count)) {
          SCOPED_TRACE(message(count, " points of ", dimension, " dimensions, lengths ", lengths));
          const auto outcome = [&] {
            return clusterer.run({X}, 0, {.estimate = ClusterCountOptions{}}, one_thread());
          };
          if (count < 2) {
            EXPECT_THROW(outcome(), DataError);
            continue;
          }
          const Outcome found = outcome();
          ASSERT_TRUE(found.cluster_count.has_value());
          EXPECT_GE(found.cluster_count->num_clusters, 1);
          EXPECT_LE(found.cluster_count->num_clusters, count);
          expect_labels(found.labels, count, found.cluster_count->num_clusters);
        }
      }
    }
  }
}

std::vector<Form> model_forms() {
  const Settings exemplars = {{"rule", "exemplars"}};
  return {{"Ensc", "ensc"},
          {"EnscExemplars", "ensc", exemplars},
          {"EnscCenteredPca", "ensc", {{"center", "true"}, {"pca", "1"}}},
          {"EnscAppendedOne", "ensc", {{"append_one", "1"}}},
          {"SscAffine", "ssc", {{"ssc.affine", "true"}}},
          {"SscFixedDimension", "ssc", {{"subspace_dimension", "3"}}},
          {"KSubspaces", "ksubspaces"},
          {"KSubspacesAffine", "ksubspaces", {{"ksubspaces.affine", "true"}}},
          {"KSubspacesExemplars", "ksubspaces", exemplars},
          {"KMeans", "kmeans"}};
}

class EveryModel : public ::testing::TestWithParam<Form> {
 protected:
  /// Labels of points that are degenerate in their own way, by the clusters of others.
  void expect_predictions(const Clusterer& clusterer, const Matrix& X, int k) const {
    const Labels labels = clusterer.run(X, k, 0, one_thread()).labels;
    const auto fitted = [&] { return clusterer.fit_model(X, labels, 0, one_thread()); };
    if (by_exemplars() && (X.array() == 0.0).all()) {
      EXPECT_THAT(fitted, ::testing::ThrowsMessage<DataError>(
                              "choose_exemplars: all points are zero, none has a direction"));
      return;
    }
    const ClusterModel model = fitted();
    for (const Matrix& fresh : degenerate_points(X.rows(), 5)) {
      const Prediction prediction = predict(model, fresh, one_thread());
      expect_labels(prediction.labels, fresh.cols(), k);
      EXPECT_TRUE(prediction.residuals.allFinite());
    }
  }

 private:
  bool by_exemplars() const {
    return std::ranges::count(GetParam().settings, KeyText{"rule", "exemplars"}) > 0;
  }
};
INSTANTIATE_TEST_SUITE_P(Degenerate, EveryModel, ::testing::ValuesIn(model_forms()),
                         [](const auto& form) { return form.param.name; });

TEST_P(EveryModel, OfDegeneratePointsLabelsDegeneratePoints) {
  for (const char* lengths : {"unit-columns", "none"}) {
    Clusterer clusterer(GetParam().method);
    for (const auto& [key, text] : GetParam().settings) clusterer.set(key, text);
    clusterer.set("normalization", lengths);
    for (const Index count : {2, 8, 50}) {
      for (const Index dimension : {1, 9, 100}) {
        int world = 0;
        for (const Matrix& X : degenerate_points(dimension, count)) {
          SCOPED_TRACE(message(count, " points of ", dimension, " dimensions, world ", world++,
                               ", lengths ", lengths));
          for (const int k : {1, 2}) expect_predictions(clusterer, X, k);
        }
      }
    }
  }
}

}  // namespace
}  // namespace subspace::pipelines
