// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
//
// Learns features of images without labels and clusters them: the way of NMCE on COIL, in small.
#include <cmath>
#include <filesystem>
#include <iostream>

#include <subspace/neural/embed.h>
#include <subspace/neural/training.h>
#include <subspace/subspace.h>

int main() {
  using namespace subspace;
  // Stripes in two directions, 16 phases each; a column an image, values in [0, 1].
  const neural::ImageShape shape = {.channels = 1, .height = 16, .width = 16};
  const Matrix X = Matrix::NullaryExpr(shape.num_pixels(), 32, [](Index pixel, Index image) {
    const Index along = image % 2 == 0 ? pixel % 16 : pixel / 16;
    return 0.5 +
           0.5 * std::sin(0.8 * static_cast<double>(along) + 0.4 * static_cast<double>(image));
  });

  neural::TrainingOptions options;  // the defaults are those of COIL-20; this is a toy
  options.network = {
      .backbone = neural::Backbone::kResnet10, .filters = 4, .hidden = 32, .features = 4};
  options.steps = 40;
  options.objective.distortion = 0.1;

  const auto run = std::filesystem::temp_directory_path() / "subspace-example-02";
  std::filesystem::remove_all(run);
  const auto training = neural::train(X, shape, options, {.folder = run, .seed = 1});
  const Matrix Z = neural::embed(X, shape, run).Z;  // 4 x 32, unit columns
  const ClusteringResult result = cluster(Z, {.num_clusters = 2});
  std::cout << "loss " << training.history.front().loss << " -> " << training.history.back().loss
            << ", " << Z.cols() << " features of dimension " << Z.rows() << ", "
            << result.labels.size() << " labels\n";
  std::filesystem::remove_all(run);
}
