// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/metrics/feature_geometry.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <subspace/core/memory.h>
#include <subspace/preprocess/normalize.h>
#include <subspace/preprocess/pca.h>

#include "labels/groups.h"
#include "linalg/linalg.h"
#include "linalg/sizes.h"
#include "preprocess/power_of_two.h"

namespace subspace {
namespace {

int smaller_side(const ConstMatrixRef& X) { return static_cast<int>(std::min(X.rows(), X.cols())); }

double entropy_rank(const Vector& values) {
  const double sum = values.sum();
  if (sum == 0.0) return 0.0;
  double entropy = 0.0;
  for (const double value : values) {
    const double share = value / sum;
    if (share > 0.0) entropy -= share * std::log(share);
  }
  return std::exp(entropy);
}

/// Places of the `count` largest values, by decreasing value, equal ones by place.
std::vector<Index> largest_places(const Vector& values, Index count) {
  std::vector<Index> places(static_cast<std::size_t>(values.size()));
  std::iota(places.begin(), places.end(), Index{0});
  const auto end = places.begin() + std::min(count, values.size());
  std::partial_sort(places.begin(), end, places.end(), [&values](Index a, Index b) {
    return values[a] > values[b] || (values[a] == values[b] && a < b);
  });
  places.erase(end, places.end());
  return places;
}

/// Offers places to show; takes those that show something new.
class Distinct {
 public:
  explicit Distinct(const Matrix& unit_points) : points_(unit_points) {}

  bool take(Index place) {
    // Half an angle of 1e-5 squared: the same point but for rounding.
    constexpr double kSame = 1.0 - 5e-11;
    for (const Index other : taken_) {
      if (other == place || points_.col(other).dot(points_.col(place)) > kSame) return false;
    }
    taken_.push_back(place);
    return true;
  }

 private:
  const Matrix& points_;
  std::vector<Index> taken_ = {};
};

/// The first `count` of the places, by decreasing |cos|, that show something new.
std::vector<Index> distinct_places(const Vector& cosines, Index count, Distinct& seen) {
  constexpr double kOrthogonal = 1e-6;
  std::vector<Index> chosen;
  for (const Index place : largest_places(cosines, cosines.size())) {
    if (std::ssize(chosen) == count || cosines[place] < kOrthogonal) break;
    if (seen.take(place)) chosen.push_back(place);
  }
  return chosen;
}

Exemplars exemplars_of(const ConstMatrixRef& X, int cluster, const std::vector<Index>& members,
                       const ExemplarOptions& options, const Context& context) {
  Matrix points = gather(X, members);
  Exemplars result;
  result.cluster = cluster;
  result.directions =
      fit_pca(points, std::min(options.directions, smaller_side(points)), false, context).basis;
  normalize_columns(points);
  const Matrix cosines = (points.transpose() * result.directions).cwiseAbs();
  Distinct seen(points);
  for (Index d = 0; d < cosines.cols(); ++d) {
    std::vector<Index> places = options.distinct
                                    ? distinct_places(cosines.col(d), options.points, seen)
                                    : largest_places(cosines.col(d), options.points);
    for (Index& place : places) place = members[place];
    result.points.push_back(std::move(places));
  }
  return result;
}

}  // namespace

Matrix second_moment(const ConstMatrixRef& X, const Context& context) {
  require_finite(X, "second_moment");
  check_memory("second_moment", matrix_bytes(1.0, X.rows(), X.rows()), allowed_memory(context),
               "reduce the number of features");
  return linalg::moment(X, context) / static_cast<double>(X.cols());
}

Spectrum spectrum(const ConstMatrixRef& X, const Context& context) {
  require_finite(X, "spectrum");
  // X' has the same singular values, and of a wide matrix PCA needs no left singular vectors.
  Matrix points = X.rows() <= X.cols() ? Matrix(X) : Matrix(X.transpose());
  const int exponent = binary_exponent(points);
  scale_by_power_of_two(points, -exponent);
  const Vector variances = fit_pca(points, smaller_side(X), false, context).variances;
  Spectrum result;
  result.largest =
      std::ldexp(std::sqrt(variances[0] * static_cast<double>(points.cols())), exponent);
  result.singular_values = variances[0] > 0.0 ? Vector((variances / variances[0]).cwiseSqrt())
                                              : Vector(Vector::Zero(variances.size()));
  result.effective_rank = entropy_rank(result.singular_values);
  return result;
}

ClusterSpectra cluster_spectra(const ConstMatrixRef& X, const Labels& labels,
                               const Context& context) {
  require_labelled(X, labels, "cluster_spectra");
  const Groups groups = group_by_label(labels);
  ClusterSpectra result;
  result.clusters = groups.names;
  for (const auto& members : groups.members) {
    context.throw_if_cancelled();
    result.spectra.push_back(spectrum(gather(X, members), context));
  }
  return result;
}

Parameters describe(ExemplarOptions& options) {
  return {
      parameter("directions", options.directions, "principal directions of each cluster")
          .at_least(1),
      parameter("points", options.points, "points shown for each direction").at_least(1),
      parameter("distinct", options.distinct, "no point, nor one equal to it, twice in a cluster"),
  };
}

std::vector<Exemplars> principal_exemplars(const ConstMatrixRef& X, const Labels& labels,
                                           const ExemplarOptions& options, const Context& context) {
  ExemplarOptions checked = options;
  check(describe(checked), "principal_exemplars");
  require_labelled(X, labels, "principal_exemplars");
  const Groups groups = group_by_label(labels);
  std::vector<Exemplars> result;
  for (int c = 0; c < groups.size(); ++c) {
    context.throw_if_cancelled();
    result.push_back(exemplars_of(X, groups.names[c], groups.members[c], options, context));
  }
  return result;
}

}  // namespace subspace
