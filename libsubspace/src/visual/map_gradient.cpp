// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "visual/map_gradient.h"

#include <subspace/core/parallel.h>

#include "linalg/lanes.h"

namespace subspace {
namespace {

using linalg::Half;
using linalg::kHalf;

/// Where the places beyond the last point are: so far off that their weight is lost in rounding,
/// yet with a square that is finite.
constexpr double kNowhere = 1e150;

struct Push {
  double x = 0.0;
  double y = 0.0;
  double weight = 0.0;
};

/// sum_j w_j^2 (p - p_j) and sum_j w_j over `count` places, a multiple of kHalf.
SUBSPACE_CLONES void add_pushes(double x, double y, const double* xs, const double* ys, Index count,
                                Push& push) {
  Half push_x = {};
  Half push_y = {};
  Half weights = {};
  for (Index j = 0; j < count; j += kHalf) {
    const Half dx = x - linalg::at(xs + j).half;
    const Half dy = y - linalg::at(ys + j).half;
    const Half w = 1.0 / (1.0 + dx * dx + dy * dy);
    weights += w;
    push_x += w * w * dx;
    push_y += w * w * dy;
  }
  push.x += linalg::join(push_x);
  push.y += linalg::join(push_y);
  push.weight += linalg::join(weights);
}

}  // namespace

MapGradient::MapGradient(const SparseMatrix& P)
    : P_(P),
      x_(static_cast<std::size_t>(linalg::padded(P.cols())), kNowhere),
      y_(x_),
      attraction_(2, P.cols()),
      repulsion_(2, P.cols()),
      weights_(P.cols()),
      gradient_(2, P.cols()) {}

void MapGradient::set_places(const Matrix& Y) {
  for (Index i = 0; i < Y.cols(); ++i) {
    x_[static_cast<std::size_t>(i)] = Y(0, i);
    y_[static_cast<std::size_t>(i)] = Y(1, i);
  }
}

void MapGradient::set_forces(Index i) {
  const double x = x_[static_cast<std::size_t>(i)];
  const double y = y_[static_cast<std::size_t>(i)];
  Push push;
  add_pushes(x, y, x_.data(), y_.data(), static_cast<Index>(x_.size()), push);
  repulsion_(0, i) = push.x;
  repulsion_(1, i) = push.y;
  weights_[i] = push.weight - 1.0;  // the point itself is among them, with weight 1

  double pull_x = 0.0;
  double pull_y = 0.0;
  for (SparseMatrix::InnerIterator entry(P_, i); entry; ++entry) {
    const double dx = x - x_[static_cast<std::size_t>(entry.row())];
    const double dy = y - y_[static_cast<std::size_t>(entry.row())];
    const double pw = entry.value() / (1.0 + dx * dx + dy * dy);
    pull_x += pw * dx;
    pull_y += pw * dy;
  }
  attraction_(0, i) = pull_x;
  attraction_(1, i) = pull_y;
}

const Matrix& MapGradient::at(const Matrix& Y, double exaggeration, const Context& context) {
  constexpr Index kPointsPerTile = 32;
  set_places(Y);
  for_tiles(context, Y.cols(), kPointsPerTile, [this](const Tile& tile) {
    for (Index i = tile.begin; i < tile.end; ++i) set_forces(i);
  });
  gradient_ = 4.0 * exaggeration * attraction_ - (4.0 / weights_.sum()) * repulsion_;
  return gradient_;
}

}  // namespace subspace
