// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>
#include <linear.h>

#include <memory>
#include <vector>

#include <subspace/classify/linear_svm.h>

#include "support/random_data.h"

namespace subspace {
namespace {

struct FreeModel {
  void operator()(model* trained) const { free_and_destroy_model(&trained); }
};

/// K x (D + 1) weights of liblinear's L2-regularised L2-loss SVC, classes increasing, bias 1.
Matrix liblinear_weights(const Matrix& X, const Labels& labels, const Labels& classes,
                         int solver_type, double penalty) {
  const Index n = X.cols();
  const Index dimension = X.rows();
  std::vector<std::vector<feature_node>> nodes(static_cast<std::size_t>(n));
  std::vector<feature_node*> rows;
  std::vector<double> targets(labels.begin(), labels.end());
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < dimension; ++i) nodes[j].push_back({static_cast<int>(i) + 1, X(i, j)});
    nodes[j].push_back({static_cast<int>(dimension) + 1, 1.0});
    nodes[j].push_back({-1, 0.0});
    rows.push_back(nodes[j].data());
  }
  problem data = {};
  data.l = static_cast<int>(n);
  data.n = static_cast<int>(dimension) + 1;
  data.y = targets.data();
  data.x = rows.data();
  data.bias = 1.0;
  ::parameter settings = {};
  settings.solver_type = solver_type;
  settings.eps = 1e-10;
  settings.C = penalty;
  set_print_string_function([](const char*) {});
  const std::unique_ptr<model, FreeModel> trained(train(&data, &settings));

  Matrix weights(static_cast<Index>(classes.size()), dimension + 1);
  for (int c = 0; c < trained->nr_class; ++c) {
    Index row = 0;
    while (classes[row] != trained->label[c]) ++row;
    for (Index i = 0; i < dimension; ++i) {
      weights(row, i) = get_decfun_coef(trained.get(), static_cast<int>(i) + 1, c);
    }
    weights(row, dimension) = get_decfun_bias(trained.get(), c);
  }
  return weights;
}

/// The largest difference of a weight between the two programs.
double difference(int num_classes, int solver_type, double penalty, std::uint64_t seed) {
  const auto world = testing::blobs(10, num_classes, 50, 1.5, seed);
  const LinearSvm ours = fit_linear_svm(world.points, world.labels, {.penalty = penalty});
  const Matrix theirs =
      liblinear_weights(world.points, world.labels, ours.classes, solver_type, penalty);
  return (ours.weights - theirs).cwiseAbs().maxCoeff();
}

TEST(LinearSvmAgainstLiblinear, WeightsAgreeWithItsTrustRegionNewtonMethod) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    EXPECT_LE(difference(2 + static_cast<int>(seed % 4), L2R_L2LOSS_SVC, 1.0, seed), 1e-7);
  }
}

TEST(LinearSvmAgainstLiblinear, WeightsAgreeWithItsDualCoordinateDescent) {
  for (std::uint64_t seed = 10; seed < 20; ++seed) {
    EXPECT_LE(difference(2 + static_cast<int>(seed % 4), L2R_L2LOSS_SVC_DUAL, 0.1, seed), 1e-7);
  }
}

}  // namespace
}  // namespace subspace
