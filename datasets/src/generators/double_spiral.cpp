// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <numbers>

#include <subspace/datasets/sha256.h>
#include <subspace/datasets/synthetic.h>

#include "generators/draw.h"

namespace subspace::datasets {

Generated double_spiral(const DoubleSpiralOptions& options) {
  constexpr char kName[] = "double_spiral";
  require_positive(kName, "points_per_arm", options.points_per_arm);
  require_noise(kName, options.noise);
  const Index size = options.points_per_arm;
  Generated out;
  out.points.X.resize(2, 2 * size);
  for (Index arm = 0; arm < 2; ++arm) {
    RandomStream random = stream(options.seed, Stream::kGenerator, static_cast<std::uint32_t>(arm));
    const double sign = arm == 0 ? 1.0 : -1.0;
    for (Index j = 0; j < size; ++j) {
      const double t = 1.5 * std::numbers::pi * (1.0 + 2.0 * random.uniform());
      const Eigen::Vector2d clean = sign * t * Eigen::Vector2d(std::cos(t), std::sin(t));
      out.points.X.col(arm * size + j) = clean + options.noise * normal_vector(random, 2);
      out.truth.push_back(static_cast<int>(arm));
    }
  }
  out.points.name = "double-spiral";
  out.points.sha256 = content_sha256(out.points.X);
  return out;
}

}  // namespace subspace::datasets
