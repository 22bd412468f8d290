// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/visual/neighbor_map.h>

#include <algorithm>

#include <subspace/core/memory.h>
#include <subspace/neighbors/knn.h>
#include <subspace/preprocess/normalize.h>

#include "linalg/sizes.h"
#include "visual/initial_places.h"
#include "visual/map_gradient.h"
#include "visual/similarities.h"

namespace subspace {
namespace {

constexpr double kNeighborsPerPerplexity = 3.0;

/// The perplexity that the number of points allows.
double feasible_perplexity(double wanted, Index num_points) {
  const double most = static_cast<double>(num_points - 1) / kNeighborsPerPerplexity;
  return std::max(1.0, std::min(wanted, most));
}

int num_neighbors(double perplexity, Index num_points) {
  const auto k = static_cast<Index>(kNeighborsPerPerplexity * perplexity);
  return static_cast<int>(std::min(k, num_points - 1));
}

/// A centred copy of the points; neighbours, triplets and three sparse matrices, about 100 bytes a
/// pair of neighbours.
void check_size(const ConstMatrixRef& X, int k, const Context& context) {
  const std::string hint = "map fewer points, or ask for a smaller perplexity";
  check_sparse_size("neighbor_map", 2 * X.cols() * k, hint);
  check_memory("neighbor_map",
               matrix_bytes(2.0, X.rows(), X.cols()) + 100.0 * static_cast<double>(X.cols()) * k,
               allowed_memory(context), hint);
}

/// Steps with momentum; a coordinate's own gain grows while its gradient keeps its direction.
class Descent {
 public:
  explicit Descent(Matrix places)
      : places_(std::move(places)),
        velocity_(Matrix::Zero(2, places_.cols())),
        gains_(Matrix::Ones(2, places_.cols())) {}

  const Matrix& places() const { return places_; }

  void step(const Matrix& gradient, double step_size, double momentum) {
    constexpr double kSmallestGain = 0.01;
    for (Index i = 0; i < places_.size(); ++i) {
      double& gain = gains_.reshaped()[i];
      double& velocity = velocity_.reshaped()[i];
      const double slope = gradient.reshaped()[i];
      const bool keeps_direction = (slope > 0.0) != (velocity > 0.0);
      gain = std::max(kSmallestGain, keeps_direction ? gain + 0.2 : gain * 0.8);
      velocity = momentum * velocity - step_size * gain * slope;
      places_.reshaped()[i] += velocity;
    }
    center_columns(places_);
  }

 private:
  Matrix places_;
  Matrix velocity_;
  Matrix gains_;
};

Matrix descend(const SparseMatrix& P, Matrix start, const NeighborMapOptions& options,
               const Context& context) {
  MapGradient gradient(P);
  Descent descent(std::move(start));
  for (int iteration = 0; iteration < options.iterations; ++iteration) {
    context.throw_if_cancelled();
    const bool early = iteration < options.exaggerated_iterations;
    const double exaggeration = early ? options.exaggeration : 1.0;
    // The attraction of a point sums to at most 4 exaggeration / N: larger steps would overshoot.
    const double step_size = static_cast<double>(P.cols()) / (4.0 * exaggeration);
    descent.step(gradient.at(descent.places(), exaggeration, context), step_size,
                 early ? 0.5 : 0.8);
    context.report("map", iteration + 1, options.iterations);
  }
  return descent.places();
}

}  // namespace

Parameters describe(NeighborMapOptions& options) {
  return {
      parameter("perplexity", options.perplexity, "how many neighbours count, softly")
          .at_least(1.0),
      parameter("iterations", options.iterations, "steps of the descent").at_least(0),
      parameter("exaggeration", options.exaggeration,
                "how many times stronger neighbours attract each other at first")
          .at_least(1.0)
          .written("alpha"),
      parameter("exaggerated_iterations", options.exaggerated_iterations,
                "steps with the stronger attraction")
          .at_least(0),
  };
}

Matrix neighbor_map(const ConstMatrixRef& X, const NeighborMapOptions& options, std::uint64_t seed,
                    const Context& context) {
  NeighborMapOptions checked = options;
  check(describe(checked), "neighbor_map");
  require_finite(X, "neighbor_map");
  if (X.cols() == 1) return Matrix::Zero(2, 1);
  const double perplexity = feasible_perplexity(options.perplexity, X.cols());
  const int k = num_neighbors(perplexity, X.cols());
  check_size(X, k, context);
  const SparseMatrix P =
      map_similarities(nearest_neighbors(X, k, Metric::kEuclidean, context), perplexity, context);
  return descend(P, initial_places(X, seed), options, context);
}

}  // namespace subspace
