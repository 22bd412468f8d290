// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/tensor_bridge.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <torch/torch.h>

#include <subspace/core/error.h>

namespace subspace::neural {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// d x N with entry (i, j) = 100 j + i: every entry says where it belongs.
Matrix numbered(Index d, Index n) {
  return Matrix::NullaryExpr(d, n,
                             [](Index i, Index j) { return static_cast<double>(100 * j + i); });
}

RC_GTEST_PROP(TensorBridge, PointsSurviveTheRoundTrip, ()) {
  const Matrix X = numbered(*rc::gen::inRange(0, 20), *rc::gen::inRange(0, 20));
  const torch::Tensor rows = to_tensor(X);
  RC_ASSERT(rows.size(0) == X.cols() && rows.size(1) == X.rows());
  RC_ASSERT(to_points(rows) == X);
}

TEST(TensorBridge, RowsOfTheTensorAreColumnsOfTheMatrix) {
  const torch::Tensor rows = to_tensor(numbered(3, 5));
  EXPECT_EQ(rows[4][2].item<double>(), 402.0);
  EXPECT_EQ(to_points(rows)(2, 4), 402.0);
}

TEST(TensorBridge, ViewSharesTheBytes) {
  const torch::Tensor rows = to_tensor(numbered(3, 5));
  const auto view = view_points(rows);
  EXPECT_EQ(view.data(), rows.const_data_ptr<double>());
  EXPECT_EQ(Matrix(view), numbered(3, 5));
}

TEST(TensorBridge, FloatIsWidenedExactly) {
  const torch::Tensor rows = torch::tensor({{0.1F, 0.2F}, {0.3F, 0.4F}, {0.5F, 0.6F}});
  const Matrix X = to_points(rows);
  ASSERT_EQ(X.rows(), 2);
  ASSERT_EQ(X.cols(), 3);
  EXPECT_EQ(X(1, 2), static_cast<double>(0.6F));
}

TEST(TensorBridge, FloatTensorRoundsOnce) {
  const Matrix X = Matrix::Constant(1, 1, 0.1);
  const torch::Tensor rows = to_tensor(X, torch::kFloat32);
  EXPECT_EQ(rows.scalar_type(), torch::kFloat32);
  EXPECT_EQ(rows.item<float>(), 0.1F);
}

TEST(TensorBridge, StridesAndGradientsAreFollowed) {
  const torch::Tensor transposed = to_tensor(numbered(3, 5)).t();  // 3 x 5, not contiguous
  EXPECT_EQ(to_points(transposed), numbered(3, 5).transpose());
  EXPECT_EQ(to_points(to_tensor(numbered(2, 2)).requires_grad_()), numbered(2, 2));
}

TEST(TensorBridge, StridedBlockOfAMatrixIsFollowed) {
  const Matrix X = numbered(6, 5);
  EXPECT_EQ(to_points(to_tensor(X.block(1, 2, 3, 2))), X.block(1, 2, 3, 2));
}

TEST(TensorBridge, OtherShapesAndTypesAreRefused) {
  EXPECT_THAT([] { to_points(torch::zeros({4})); },
              ThrowsMessage<DataError>(HasSubstr("has 1 dimensions, must have 2")));
  EXPECT_THAT(
      [] {
        to_points(torch::zeros({4, 2}, torch::kInt64));
      },
      ThrowsMessage<DataError>(HasSubstr("holds Long")));
  EXPECT_THAT([] { to_points(torch::Tensor()); },
              ThrowsMessage<DataError>("to_points: the tensor is undefined"));
  EXPECT_THROW(to_tensor(numbered(2, 2), torch::kInt32), InvalidArgument);
}

TEST(TensorBridge, ViewNeverCopies) {
  EXPECT_THAT(
      [] {
        view_points(torch::zeros({4, 2}, torch::kFloat32));
      },
      ThrowsMessage<DataError>(HasSubstr("must be contiguous float64 on the CPU")));
  EXPECT_THAT(
      [] {
        view_points(torch::zeros({4, 2}, torch::kFloat64).t());
      },
      ThrowsMessage<DataError>(HasSubstr("not contiguous")));
}

}  // namespace
}  // namespace subspace::neural
