// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <Eigen/LU>

#include <subspace/neural/augmentation.h>

namespace subspace::neural {

std::array<double, 8> homography(const Corners& from, const Corners& to) {
  // x' (g x + h y + 1) = a x + b y + c and likewise y': two linear equations a corner.
  Eigen::Matrix<double, 8, 8> A = Eigen::Matrix<double, 8, 8>::Zero();
  Eigen::Matrix<double, 8, 1> b;
  for (int k = 0; k < 4; ++k) {
    const auto [x, y] = from[static_cast<std::size_t>(k)];
    const auto [u, v] = to[static_cast<std::size_t>(k)];
    A.row(2 * k) << x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y;
    A.row(2 * k + 1) << 0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y;
    b(2 * k) = u;
    b(2 * k + 1) = v;
  }
  std::array<double, 8> coefficients = {};
  Eigen::Map<Eigen::Matrix<double, 8, 1>>(coefficients.data()) = A.partialPivLu().solve(b);
  return coefficients;
}

}  // namespace subspace::neural
