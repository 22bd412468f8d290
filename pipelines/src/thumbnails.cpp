// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <cmath>

#include <subspace/pipelines/figures.h>

namespace subspace::pipelines {
namespace {

constexpr double kMostPixels = 10'000.0 * 32.0 * 32.0;
constexpr int kSmallestSide = 12;

/// The side that lets `count` pictures fit, within kSmallestSide .. wanted.
int fitting_side(Index count, int wanted) {
  if (count == 0 || wanted <= kSmallestSide) return wanted;
  const double side = std::floor(std::sqrt(kMostPixels / static_cast<double>(count)));
  return std::max(kSmallestSide, static_cast<int>(std::min<double>(wanted, side)));
}

Index fitting_count(Index count, int side) {
  const double most = kMostPixels / (static_cast<double>(side) * side);
  return std::min(count, std::max<Index>(1, static_cast<Index>(most)));
}

/// So many that the sheet is about square.
int num_columns(const datasets::ImageStack& pictures) {
  const double columns = std::ceil(std::sqrt(static_cast<double>(pictures.count) *
                                             pictures.shape.height / pictures.shape.width));
  return static_cast<int>(std::clamp<double>(columns, 1.0, static_cast<double>(pictures.count)));
}

}  // namespace

ThumbnailSheet make_thumbnails(const ConstMatrixRef& X, const datasets::ImageShape& shape,
                               int side) {
  side = fitting_side(X.cols(), side);
  const Index count = fitting_count(X.cols(), side);
  const datasets::ImageStack pictures = datasets::small_images(X.leftCols(count), shape, side);
  ThumbnailSheet sheet;
  sheet.width = pictures.shape.width;
  sheet.height = pictures.shape.height;
  if (count == 0) return sheet;
  sheet.count = static_cast<int>(count);
  sheet.columns = num_columns(pictures);
  const datasets::ImageStack all = datasets::contact_sheet(pictures, sheet.columns, 0);
  sheet.png = datasets::encode_png(all.shape, all.image(0));
  return sheet;
}

}  // namespace subspace::pipelines
