// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// The turntable pictures stand in for COIL-20, so methods that see no labels must find them about
// as hard. On COIL-20 k-means has an accuracy of .60 to .68, the 5-NN graph .82, EnSC .76; the
// pictures were settled to be within .10 of these before any network saw them.
#include <gtest/gtest.h>

#include <subspace/datasets/turntable.h>
#include <subspace/metrics/partition.h>
#include <subspace/pipelines/catalogue.h>

namespace subspace::pipelines {
namespace {

class TurntableClustering : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const datasets::ImageStack images = datasets::render_turntable();
    ASSERT_EQ(datasets::pixel_sha256(images),
              "a8f6c7435c5b63fb351ec2c6e962952ab10c5ef7ecb2cfa32304dd080288be30");
    X_ = datasets::to_points(images);
  }
  static void TearDownTestSuite() { X_.resize(0, 0); }

  static double accuracy(const std::string& method, const std::vector<KeyText>& set = {}) {
    const Outcome outcome = run(X_, 20, method, set);
    return evaluate_partition(outcome.labels, datasets::turntable_truth()).acc;
  }

  static inline Matrix X_ = {};
};

TEST_F(TurntableClustering, KMeansFindsThemAsHardAsCoil20) {
  const double found = accuracy("kmeans");
  EXPECT_GE(found, 0.60 - 0.10);
  EXPECT_LE(found, 0.68 + 0.10);
}

TEST_F(TurntableClustering, NeighbourGraphFindsThemAsHardAsCoil20) {
  EXPECT_NEAR(accuracy("spectral"), 0.82, 0.10);
}

TEST_F(TurntableClustering, ElasticNetFindsThemAsHardAsCoil20) {
  EXPECT_NEAR(accuracy("ensc", {{"gamma", "50"}, {"tau", "0.9"}}), 0.76, 0.10);
}

}  // namespace
}  // namespace subspace::pipelines
