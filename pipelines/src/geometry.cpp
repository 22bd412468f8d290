// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include <subspace/core/error.h>
#include <subspace/metrics/feature_geometry.h>
#include <subspace/pipelines/figures.h>

namespace subspace::pipelines {
namespace {

std::map<int, std::vector<Index>> members_of(const Labels& labels) {
  std::map<int, std::vector<Index>> members;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    members[labels[i]].push_back(static_cast<Index>(i));
  }
  return members;
}

/// A cluster with its points, which are gathered once.
struct Group {
  int cluster = 0;
  std::vector<Index> members = {};
  Matrix points = {};
};

/// Of every dimension its place when each stands with the group that varies most along it, the
/// strongest first.
std::vector<Index> places_by_group(const std::vector<Group>& groups, Index dimensions) {
  Vector strongest = Vector::Constant(dimensions, -1.0);
  std::vector<std::size_t> home(static_cast<std::size_t>(dimensions), 0);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Vector variances =
        groups[g].points.rowwise().squaredNorm() / static_cast<double>(groups[g].points.cols());
    for (Index i = 0; i < dimensions; ++i) {
      if (variances[i] <= strongest[i]) continue;
      strongest[i] = variances[i];
      home[static_cast<std::size_t>(i)] = g;
    }
  }
  std::vector<Index> order(static_cast<std::size_t>(dimensions));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index a, Index b) {
    const std::size_t of_a = home[static_cast<std::size_t>(a)];
    const std::size_t of_b = home[static_cast<std::size_t>(b)];
    return of_a < of_b || (of_a == of_b && strongest[a] > strongest[b]);
  });
  std::vector<Index> places(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    places[static_cast<std::size_t>(order[i])] = static_cast<Index>(i);
  }
  return places;
}

/// |C| by places, in the means of at most most x most blocks.
HeatMap covariance_picture(const Matrix& covariance, const std::vector<Index>& places, int most) {
  const Index p = covariance.rows();
  HeatMap map;
  map.side = static_cast<int>(std::min<Index>(p, most));
  const auto block_of = [&](Index i) { return places[static_cast<std::size_t>(i)] * map.side / p; };
  Matrix sums = Matrix::Zero(map.side, map.side);
  Vector sizes = Vector::Zero(map.side);
  for (Index j = 0; j < p; ++j) {
    sizes[block_of(j)] += 1.0;
    for (Index i = 0; i < p; ++i) sums(block_of(i), block_of(j)) += std::abs(covariance(i, j));
  }
  const Matrix means = sums.cwiseQuotient(sizes * sizes.transpose());
  const double largest = means.maxCoeff();
  for (Index row = 0; row < map.side; ++row) {
    for (Index column = 0; column < map.side; ++column) {
      const double share = largest > 0.0 ? means(row, column) / largest : 0.0;
      map.levels.push_back(static_cast<std::uint8_t>(std::lround(255.0 * share)));
    }
  }
  return map;
}

void add_spectrum(const ConstMatrixRef& X, const Context& context, PointsGeometry& geometry) {
  if (std::min(X.rows(), X.cols()) > kSpectrumSide) return;
  try {
    const Spectrum found = spectrum(X, context);
    const auto kept =
        found.singular_values.head(std::min<Index>(kSingularValues, found.singular_values.size()));
    geometry.singular_values.assign(kept.begin(), kept.end());
    geometry.effective_rank = found.effective_rank;
  } catch (const ResourceError&) {
    // Labels that were found within the memory allowed are not given up for a picture.
  }
}

/// The directions that the cluster extends in: along others it has no nearest point.
int num_directions(const PointsGeometry& geometry) {
  constexpr double kRounding = 1e-6;
  const auto count =
      std::ranges::count_if(geometry.singular_values, [](double v) { return v > kRounding; });
  return static_cast<int>(std::min<std::ptrdiff_t>(kClosestDirections, count));
}

std::vector<std::vector<Index>> closest_points(const Group& group, int directions,
                                               const Context& context) {
  if (directions < 1) return {};
  const ExemplarOptions options = {
      .directions = directions, .points = kClosestPoints, .distinct = true};
  auto closest =
      principal_exemplars(group.points, Labels(group.members.size(), 0), options, context)
          .front()
          .points;
  for (std::vector<Index>& of_direction : closest) {
    for (Index& point : of_direction) point = group.members[static_cast<std::size_t>(point)];
  }
  return closest;
}

ClusterGeometry geometry_of(const Group& group, const Context& context) {
  ClusterGeometry geometry = {.cluster = group.cluster};
  geometry.own.points = group.points.cols();
  add_spectrum(group.points, context, geometry.own);
  geometry.closest = closest_points(group, num_directions(geometry.own), context);
  return geometry;
}

void add_covariances(const ConstMatrixRef& X, const std::vector<Group>& groups,
                     const Context& context, FeatureGeometry& geometry) {
  const std::vector<Index> places = places_by_group(groups, X.rows());
  geometry.all.covariance = covariance_picture(second_moment(X, context), places, kCovarianceSide);
  for (std::size_t g = 0; g < std::min(groups.size(), kCovarianceClusters); ++g) {
    geometry.clusters[g].own.covariance = covariance_picture(
        second_moment(groups[g].points, context), places, kClusterCovarianceSide);
  }
}

}  // namespace

FeatureGeometry make_geometry(const ConstMatrixRef& X, const std::string& of, const Labels& labels,
                              const Context& context) {
  if (std::ssize(labels) != X.cols()) {
    throw DataError(message("make_geometry: ", labels.size(), " labels and ", X.cols(),
                            " points, must be as many"));
  }
  FeatureGeometry geometry = {.of = of, .dimension = X.rows()};
  if (X.size() == 0) return geometry;
  geometry.all.points = X.cols();
  add_spectrum(X, context, geometry.all);
  const bool with_covariances = X.rows() <= kCovarianceDimensions;
  std::vector<Group> groups;
  for (auto& [cluster, members] : members_of(labels)) {
    context.throw_if_cancelled();
    Group group = {cluster, members, X(Eigen::all, members)};
    geometry.clusters.push_back(geometry_of(group, context));
    if (with_covariances) groups.push_back(std::move(group));
  }
  if (with_covariances) add_covariances(X, groups, context, geometry);
  return geometry;
}

}  // namespace subspace::pipelines
