// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
//
// libsubspace and LibTorch in one process, each with its own BLAS and LAPACK, on the same numbers.
#include <gtest/gtest.h>
#include <link.h>
#include <torch/torch.h>

#include <string>
#include <vector>

#include <subspace/neighbors/knn.h>
#include <subspace/neural/tensor_bridge.h>
#include <subspace/preprocess/pca.h>

namespace subspace {
namespace {

/// Large enough that both take their blocked, vectorised paths.
constexpr int kDimension = 120;
constexpr int kPoints = 300;
constexpr double kAgreement =
    1e-10;  // of numbers of size 1 to 100, from sums of a few hundred products

torch::Tensor random_rows() {
  torch::manual_seed(7);
  return torch::randn({kPoints, kDimension}, torch::kFloat64);
}

/// Names of the loaded libraries in the order in which the loader resolves symbols.
std::vector<std::string> load_order() {
  std::vector<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        static_cast<std::vector<std::string>*>(out)->emplace_back(info->dlpi_name);
        return 0;
      },
      &names);
  return names;
}

TEST(Coexistence, ThisProgramHasTheLinkOrderItIsNamedAfter) {
  std::string first;
  for (const std::string& name : load_order()) {
    for (const char* candidate : {"libsubspace.so", "libtorch_cpu.so"}) {
      if (first.empty() && name.find(candidate) != std::string::npos) first = candidate;
    }
  }
  EXPECT_EQ(first, EXPECTED_FIRST_LIBRARY);
}

TEST(Coexistence, EigenvaluesAgree) {
  const torch::Tensor rows = random_rows();
  const torch::Tensor moment = torch::matmul(rows.t(), rows) / kPoints;
  const Pca pca = fit_pca(neural::to_points(rows), kDimension, /*center=*/false);
  const auto [values, vectors] = torch::linalg_eigh(moment);
  const Matrix ascending = neural::to_points(values.unsqueeze(0));
  for (Index i = 0; i < kDimension; ++i) {
    EXPECT_NEAR(pca.variances(i), ascending(kDimension - 1 - i, 0), kAgreement);
  }
}

TEST(Coexistence, EachSolvesTheOthersEigenproblem) {
  const torch::Tensor rows = random_rows();
  const Matrix X = neural::to_points(rows);
  const Pca pca = fit_pca(X, kDimension, /*center=*/false);

  // Our basis, Torch's products: M V - V D = 0.
  const torch::Tensor moment = torch::matmul(rows.t(), rows) / kPoints;
  const torch::Tensor basis = neural::to_tensor(pca.basis).t();
  const torch::Tensor variances = neural::to_tensor(pca.variances).squeeze(0);
  EXPECT_LT((torch::matmul(moment, basis) - basis * variances).abs().max().item<double>(),
            kAgreement);

  // Torch's basis, Eigen's products.
  const auto [values, vectors] = torch::linalg_eigh(moment);
  const Matrix V = neural::to_points(vectors).transpose();
  const Matrix lambda = neural::to_points(values.unsqueeze(0));
  const Matrix M = X * X.transpose() / kPoints;
  EXPECT_LT((M * V - V * lambda.asDiagonal()).cwiseAbs().maxCoeff(), kAgreement);
}

TEST(Coexistence, NeighboursAgree) {
  constexpr int kNeighbors = 5;
  const torch::Tensor rows = random_rows();
  const Neighbors ours = nearest_neighbors(neural::to_points(rows), kNeighbors, Metric::kEuclidean);

  // By differences (mode 2). The other way, |x|^2 + |y|^2 - 2 x'y, is wrong by up to 6e-10 in the
  // first call of about one process in fifty on a busy machine, also where LibTorch is alone in it.
  torch::Tensor distances = torch::cdist(rows, rows, 2.0, 2);
  distances.fill_diagonal_(std::numeric_limits<double>::infinity());
  const auto [theirs, indices] = distances.topk(kNeighbors, /*dim=*/1, /*largest=*/false);
  for (int point = 0; point < kPoints; ++point) {
    for (int m = 0; m < kNeighbors; ++m) {
      const auto at = static_cast<std::size_t>(point * kNeighbors + m);
      EXPECT_EQ(ours.indices[at], indices[point][m].item<int>());
      EXPECT_NEAR(ours.distances[at], theirs[point][m].item<double>(), kAgreement);
    }
  }
}

TEST(Coexistence, TakingTurnsChangesNoBit) {
  const torch::Tensor rows = random_rows();
  const Matrix X = neural::to_points(rows);
  const torch::Tensor product_before = torch::matmul(rows.t(), rows);
  const Pca pca_before = fit_pca(X, 10, /*center=*/true);
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_TRUE(torch::equal(torch::matmul(rows.t(), rows), product_before));
    EXPECT_EQ(fit_pca(X, 10, /*center=*/true).basis, pca_before.basis);
  }
}

}  // namespace
}  // namespace subspace
