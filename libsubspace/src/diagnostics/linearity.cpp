// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/diagnostics/linearity.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/preprocess/normalize.h>

#include "diagnostics/local_residuals.h"
#include "labels/groups.h"
#include "linalg/sizes.h"
#include "neighbors/distinct_points.h"
#include "preprocess/power_of_two.h"

namespace subspace {
namespace {

constexpr Index kFewestPoints = 10;
// Lengths that vary less than this, relative to their mean, were made equal.
constexpr double kSameLength = 1e-6;
// A linear residual below this share of the neighbours' distance leaves nothing to explain.
constexpr double kExplained = 0.1;
// A radial share below this: lengths do not vary inside neighbourhoods.
constexpr double kNoRadialPart = 0.05;
// Growth of the affine residual from the stride that suits it best to the widest that is curvature;
// residuals below kFlat are rounding.
constexpr double kGrowth = 1.5;
constexpr double kFlat = 1e-9;

bool have_one_length(const Matrix& X) {
  const Vector lengths = X.colwise().norm();
  const double mean = lengths.mean();
  return (lengths.array() - mean).matrix().norm() <=
         kSameLength * mean * std::sqrt(static_cast<double>(X.cols()));
}

std::vector<Index> spread_sample(Index num_points, Index most) {
  const Index count = std::min(num_points, most);
  std::vector<Index> sample;
  for (Index p = 0; p < count; ++p) sample.push_back(p * num_points / count);
  return sample;
}

/// Fills in the place where the affine fit gains most on the linear one.
void find_strongest(const LocalResiduals& residuals, Linearity& result) {
  for (const LocalResiduals::AtStride& at : residuals.strides) {
    for (Index m = 0; m < at.linear.size(); ++m) {
      if (at.linear[m] < kExplained) continue;
      // m + 1 is the dimension, and linear subspaces of m + 2 hold what they miss.
      if (residuals.radial < kNoRadialPart && m + 2 < residuals.rank) continue;
      const double ratio = at.affine[m] / at.linear[m];
      if (result.dimension > 0 && ratio >= result.statistic) continue;
      result.statistic = ratio;
      result.dimension = static_cast<int>(m) + 1;
      result.linear_residual = at.linear[m];
      result.affine_residual = at.affine[m];
    }
  }
}

bool is_curved(const LocalResiduals& residuals, int dimension) {
  double smallest = std::numeric_limits<double>::infinity();
  double widest = 0.0;
  for (const LocalResiduals::AtStride& at : residuals.strides) {
    if (at.affine.size() < dimension) continue;
    widest = at.affine[dimension - 1];
    smallest = std::min(smallest, widest);
  }
  return smallest > kFlat && widest > kGrowth * smallest;
}

std::string sentence(const Linearity& found) {
  const std::string where =
      message("the points lie on ", found.shape == LocalShape::kAffine ? "affine" : "curved",
              " sets of dimension about ", found.dimension,
              " rather than on linear subspaces: around a point, flats past the origin leave ");
  const double percent = std::round(100.0 * found.statistic);
  return message(where, percent, " % of the distance that flats through it leave; try ",
                 found.shape == LocalShape::kAffine ? "an affine method, or SMCE" : "SMCE or KSSC");
}

/// Distinct points at a scale at which no square overflows.
Matrix prepared(const ConstMatrixRef& X) {
  Matrix scaled = X;
  scale_by_power_of_two(scaled, -binary_exponent(scaled));
  const DistinctPoints distinct = distinct_points(scaled);
  return distinct.count() == X.cols() ? scaled : gather(scaled, distinct.firsts);
}

}  // namespace

Parameters describe(LinearityOptions& options) {
  return {
      parameter("max_dimension", options.max_dimension, "local dimensions tried").at_least(1),
      parameter("max_points", options.max_points, "points looked at").at_least(10),
      parameter("threshold", options.threshold,
                "affine over linear residual below which data are not linear")
          .above(0)
          .at_most(1),
  };
}

Linearity check_linearity(const ConstMatrixRef& X, const LinearityOptions& options,
                          const Context& context) {
  LinearityOptions checked = options;
  check(describe(checked), "check_linearity");
  require_finite(X, "check_linearity");
  check_memory("check_linearity", matrix_bytes(2.0, X.rows(), X.cols()), allowed_memory(context),
               "give fewer points");
  const Matrix points = prepared(X);
  Linearity result;
  if (points.cols() < kFewestPoints || have_one_length(points)) {
    result.statistic = std::numeric_limits<double>::quiet_NaN();
    return result;
  }
  result.shape = LocalShape::kLinear;
  const Context rest = beside(context, matrix_bytes(1.0, points.rows(), points.cols()));
  const LocalResiduals residuals = local_residuals(
      points, spread_sample(points.cols(), options.max_points), options.max_dimension, rest);
  find_strongest(residuals, result);
  if (result.dimension > 0 && result.statistic < options.threshold) {
    result.shape =
        is_curved(residuals, result.dimension) ? LocalShape::kCurved : LocalShape::kAffine;
    result.warning = sentence(result);
  }
  return result;
}

}  // namespace subspace
