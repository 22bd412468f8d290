// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "self_expression/ssc_admm_step.h"

#include <algorithm>
#include <cmath>

#include "linalg/largest.h"

namespace subspace {
namespace {

/// What the soft threshold takes away; NaN stays NaN.
inline double clip(double v, double threshold) {
  const double upper = v > threshold ? threshold : v;
  return upper < -threshold ? -threshold : upper;
}

}  // namespace

void AdmmErrors::include(const AdmmErrors& other) {
  keep_largest(other.coefficients, coefficients);
  keep_largest(other.sum, sum);
  keep_largest(other.fit, fit);
}

double AdmmErrors::largest() const {
  double result = coefficients;
  keep_largest(sum, result);
  keep_largest(fit, result);
  return result;
}

void reflect(const double* v, Index n, double threshold, double* w) {
  for (Index i = 0; i < n; ++i) w[i] = v[i] - 2.0 * clip(v[i], threshold);
}

double advance(const double* z, Index n, double threshold, double relaxation, double* v) {
  double largest = 0.0;
  for (Index i = 0; i < n; ++i) {
    const double taken = clip(v[i], threshold);
    v[i] = relaxation * z[i] + (1.0 - relaxation) * (v[i] - taken) + taken;
    keep_largest(std::fabs(z[i] - (v[i] - clip(v[i], threshold))), largest);
  }
  return largest;
}

void AdmmColumns::prepare(const double* v, Index n, Index point, double multiplier,
                          double* w) const {
  reflect(v, n, threshold, w);
  w[point] = -v[point] - 1.0;
  Eigen::Map<Vector>(w, summed).array() -= multiplier;
}

AdmmErrors AdmmColumns::finish(double* z, Index n, Index point, double* v,
                               double& multiplier) const {
  z[point] = zero_diagonal ? 0.0 : z[point] + 1.0;
  AdmmErrors errors;
  const Index after = point + 1;
  const double own = v[point] + relaxation * z[point];
  errors.coefficients = advance(z, point, threshold, relaxation, v);
  keep_largest(advance(z + after, n - after, threshold, relaxation, v + after),
               errors.coefficients);
  keep_largest(std::fabs(z[point]), errors.coefficients);
  v[point] = own;
  if (summed > 0) {
    const double excess = Eigen::Map<const Vector>(z, summed).sum() - 1.0;
    multiplier += relaxation * excess;
    errors.sum = std::fabs(excess);
  }
  return errors;
}

void AdmmColumns::shrink(const double* v, Index n, Index point, double* c) const {
  for (Index i = 0; i < n; ++i) c[i] = v[i] - clip(v[i], threshold);
  c[point] = 0.0;
}

AdmmErrors admm_step(const AdmmColumns& columns, const RidgeInverse& ridge, const Tile& tile,
                     double* V, Index n, double* multipliers, AdmmWorkspace& work) {
  work.W.resize(n, kAdmmTile);
  work.Z.resize(n, kAdmmTile);
  for (Index k = 0; k < tile.size(); ++k) {
    columns.prepare(V + k * n, n, tile.begin + k, multipliers[k], work.W.col(k).data());
  }
  ridge.apply(work.W.data(), tile.size(), work.Z.data(), work.ridge);
  AdmmErrors errors;
  for (Index k = 0; k < tile.size(); ++k) {
    errors.include(
        columns.finish(work.Z.col(k).data(), n, tile.begin + k, V + k * n, multipliers[k]));
  }
  return errors;
}

}  // namespace subspace
