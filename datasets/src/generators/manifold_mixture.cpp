// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/datasets/sha256.h>
#include <subspace/datasets/synthetic.h>

#include "generators/draw.h"

namespace subspace::datasets {
namespace {

constexpr char kName[] = "manifold_mixture";
constexpr double kSlope = 0.2;

struct Layer {
  Matrix weights = {};
  Vector biases = {};
};

/// Uniform within +-1 / sqrt(fan-in), weights and biases alike: how PyTorch starts a linear layer,
/// and so what "randomly initialised" means in the paper.
Layer random_layer(RandomStream& random, Index from, Index to, bool with_biases) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(from));
  const auto draw = [&] { return bound * (2.0 * random.uniform() - 1.0); };
  Layer layer = {Matrix(to, from), Vector::Zero(to)};
  for (double& weight : layer.weights.reshaped()) weight = draw();
  // Drawn even when unused, so that both mixtures of a seed have the same weights.
  for (double& bias : layer.biases) {
    const double drawn = draw();
    if (with_biases) bias = drawn;
  }
  return layer;
}

/// Linear at the end: the manifold is not squeezed into the positive part of the space.
std::vector<Layer> random_network(RandomStream& random, Index dimension,
                                  const ManifoldMixtureOptions& options) {
  std::vector<Layer> network;
  Index width = dimension;
  for (int i = 0; i < options.layers; ++i) {
    network.push_back(random_layer(random, width, options.hidden, options.biases));
    width = options.hidden;
  }
  network.push_back(random_layer(random, width, options.ambient, options.biases));
  return network;
}

Vector evaluate(const std::vector<Layer>& network, Vector x) {
  for (std::size_t i = 0; i < network.size(); ++i) {
    x = (network[i].weights * x + network[i].biases).eval();
    if (i + 1 < network.size()) x = x.cwiseMax(kSlope * x).eval();
  }
  return x;
}

void check(const ManifoldMixtureOptions& options) {
  require(!options.dimensions.empty(), kName, "length of dimensions", options.dimensions.size(),
          "at least one manifold");
  for (const int dimension : options.dimensions) require_positive(kName, "dimension", dimension);
  require_positive(kName, "points_per_manifold", options.points_per_manifold);
  require_positive(kName, "ambient", options.ambient);
  require_positive(kName, "hidden", options.hidden);
  require_positive(kName, "layers", options.layers);
}

}  // namespace

Generated manifold_mixture(const ManifoldMixtureOptions& options) {
  check(options);
  const Index size = options.points_per_manifold;
  const auto manifolds = static_cast<Index>(options.dimensions.size());
  Generated out;
  out.points.X.resize(options.ambient, size * manifolds);
  for (Index l = 0; l < manifolds; ++l) {
    const int dimension = options.dimensions[static_cast<std::size_t>(l)];
    RandomStream random = stream(options.seed, Stream::kGenerator, static_cast<std::uint32_t>(l));
    const auto network = random_network(random, dimension, options);
    for (Index j = 0; j < size; ++j) {
      out.points.X.col(l * size + j) = evaluate(network, normal_vector(random, dimension));
      out.truth.push_back(static_cast<int>(l));
    }
  }
  out.points.name = options.biases ? "manifolds-apart" : "manifolds-meeting";
  out.points.sha256 = content_sha256(out.points.X);
  return out;
}

}  // namespace subspace::datasets
