// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "diagnostics/local_residuals.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <subspace/core/parallel.h>
#include <subspace/neighbors/knn.h>
#include <subspace/preprocess/pca.h>

#include "labels/groups.h"

namespace subspace {
namespace {

constexpr Index kPointsPerTile = 8;
constexpr int kStrides[] = {1, 2, 4, 8};
constexpr int kNearest = 5;            // neighbours that tell whether lengths vary
constexpr double kRankShare = 0.25;    // of the distance to the nearest neighbour
constexpr Index kMostDirections = 50;  // principal directions the rank may have

// Points too close for the square of their distance are at least this far apart.
constexpr double kSmallest = std::numeric_limits<double>::min();

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Takes out of a vector one direction after another.
class Remainder {
 public:
  Remainder(const Eigen::Ref<const Vector>& target, Index most)
      : rest_(target), basis_(target.size(), most) {}

  /// Returns what is left outside the span of all directions so far. Orthogonalised twice; a
  /// direction in the span of the others changes nothing.
  double take_out(Vector direction) {
    constexpr double kDependent = 1e-10;
    const double length = direction.norm();
    for (int pass = 0; pass < 2; ++pass) {
      const auto basis = basis_.leftCols(size_);
      direction -= basis * (basis.transpose() * direction);
    }
    const double left = direction.norm();
    if (left > kDependent * length) {
      basis_.col(size_) = direction / left;
      rest_ -= basis_.col(size_) * basis_.col(size_).dot(rest_);
      ++size_;
    }
    return rest_.norm();
  }

 private:
  Vector rest_;
  Matrix basis_;
  Index size_ = 0;
};

/// The neighbours of one point, by distance.
struct Neighborhood {
  const ConstMatrixRef& X;
  Index point;
  const int* indices;
  const double* distances;

  auto at(Index m) const { return X.col(indices[m]); }
};

/// Row m - 1: the residuals of dimension m; columns: linear, affine.
Matrix point_residuals(const Neighborhood& near, Index stride, Index most) {
  const Vector x = near.X.col(near.point);
  const auto place = [stride](Index m) { return (m + 1) * stride - 1; };
  const Vector base = near.at(place(0));
  Remainder linear(x, most);
  Remainder affine(x - base, most);
  Matrix residuals(most, 2);
  for (Index m = 0; m < most; ++m) {
    const double distance = std::max(near.distances[place(m + 1)], kSmallest);
    residuals(m, 0) = linear.take_out(near.at(place(m))) / distance;
    residuals(m, 1) = affine.take_out(near.at(place(m + 1)) - base) / distance;
  }
  return residuals;
}

double radial_share(const Neighborhood& near, Index count) {
  std::vector<double> shares;
  const double length = near.X.col(near.point).norm();
  for (Index m = 0; m < std::min<Index>(kNearest, count); ++m) {
    shares.push_back(std::fabs(near.at(m).norm() - length) /
                     std::max(near.distances[m], kSmallest));
  }
  return median(shares);
}

/// The largest m whose m + 1 neighbours at this stride are no more than a quarter of the others.
Index most_dimensions(const ConstMatrixRef& X, int stride, int max_dimension) {
  return std::min<Index>({max_dimension, X.rows() - 1, (X.cols() - 1) / (4 * stride) - 1});
}

/// Principal directions until what is left of the points is small beside their distances.
int spanned_rank(const Matrix& sample, double distance, const Context& context) {
  const Index most = std::min({sample.rows(), sample.cols(), kMostDirections});
  const Pca pca = fit_pca(sample, static_cast<int>(most), false, context);
  double left = sample.squaredNorm() / static_cast<double>(sample.cols());
  const double negligible = kRankShare * distance * kRankShare * distance;
  int rank = 0;
  while (rank < most && left > negligible) left -= pca.variances[rank++];
  return rank;
}

/// Medians over the sample of each number of the points' matrices.
LocalResiduals::AtStride medians(const std::vector<Matrix>& residuals, int stride) {
  const Index most = residuals.front().rows();
  LocalResiduals::AtStride result{.stride = stride, .linear = Vector(most), .affine = Vector(most)};
  std::vector<double> values(residuals.size());
  for (Index m = 0; m < most; ++m) {
    for (Index kind = 0; kind < 2; ++kind) {
      for (std::size_t p = 0; p < values.size(); ++p) values[p] = residuals[p](m, kind);
      (kind == 0 ? result.linear : result.affine)[m] = median(values);
    }
  }
  return result;
}

/// The neighbours of the sample without the points themselves, which are their own nearest.
Neighbors other_neighbors(const ConstMatrixRef& X, const Matrix& sample, Index count,
                          const Context& context) {
  const Neighbors with_self =
      nearest_neighbors(X, sample, static_cast<int>(count + 1), Metric::kEuclidean, context);
  Neighbors others{.k = static_cast<int>(count)};
  for (std::size_t m = 0; m < with_self.indices.size(); ++m) {
    if (m % static_cast<std::size_t>(with_self.k) == 0) continue;
    others.indices.push_back(with_self.indices[m]);
    others.distances.push_back(with_self.distances[m]);
  }
  return others;
}

}  // namespace

LocalResiduals local_residuals(const ConstMatrixRef& X, const std::vector<Index>& sample,
                               int max_dimension, const Context& context) {
  const Matrix points = gather(X, sample);
  Index wanted = std::min<Index>(kNearest, X.cols() - 1);
  for (const int stride : kStrides) {
    wanted = std::max(wanted, stride * (most_dimensions(X, stride, max_dimension) + 1));
  }
  const Neighbors neighbors = other_neighbors(X, points, wanted, context);
  const auto neighborhood = [&](Index p) {
    return Neighborhood{X, sample[static_cast<std::size_t>(p)],
                        neighbors.indices.data() + p * wanted,
                        neighbors.distances.data() + p * wanted};
  };
  LocalResiduals result;
  std::vector<double> radial;
  std::vector<double> nearest;
  for (Index p = 0; p < points.cols(); ++p) {
    radial.push_back(radial_share(neighborhood(p), wanted));
    nearest.push_back(neighborhood(p).distances[0]);
  }
  result.radial = median(radial);
  result.rank = spanned_rank(points, median(nearest), context);
  for (const int stride : kStrides) {
    const Index most = most_dimensions(X, stride, max_dimension);
    if (most < 1) break;
    std::vector<Matrix> residuals(sample.size());
    for_tiles(
        context, points.cols(), kPointsPerTile,
        [&](const Tile& tile) {
          for (Index p = tile.begin; p < tile.end; ++p) {
            residuals[static_cast<std::size_t>(p)] = point_residuals(neighborhood(p), stride, most);
          }
        },
        "linearity");
    result.strides.push_back(medians(residuals, stride));
  }
  return result;
}

}  // namespace subspace
