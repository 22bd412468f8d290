// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "registry/matrix_set.h"

#include <cmath>

#include "arrays/array.h"
#include "images/resample.h"
#include "io/text.h"

namespace subspace::datasets {
namespace {

/// Pixels of 0..1 taken for 0..255, or the other way round, change every result that is not
/// invariant to scale, silently.
void check_range(const std::string& shown_as, const Matrix& X, double white) {
  const double least = X.minCoeff(), most = X.maxCoeff();
  const bool too_dark = white > 1.0 && most <= 1.0;
  if (least < 0.0 || most > white || too_dark) {
    throw_io_error(shown_as, ": values from ", least, " to ", most, ", expected pixels of 0 to ",
                   white);
  }
}

/// Each column of X from a picture stored column by column to one stored row by row.
void turn_to_rows(const ImageShape& shape, Matrix& X) {
  Matrix turned(shape.width, shape.height);
  for (Index j = 0; j < X.cols(); ++j) {
    turned = X.col(j).reshaped(shape.height, shape.width).transpose();
    X.col(j) = turned.reshaped();
  }
}

Matrix resize(const std::string& shown_as, const Resampler& resampler, const Matrix& X,
              const Context& context) {
  const Index features = resampler.shape().num_values();
  check_points_fit(shown_as, static_cast<std::uint64_t>(features * X.cols()), context);
  Matrix out(features, X.cols());
  std::vector<std::uint8_t> values(static_cast<std::size_t>(X.rows()));
  for (Index j = 0; j < X.cols(); ++j) {
    for (Index i = 0; i < X.rows(); ++i) {
      values[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(X(i, j));
      if (values[static_cast<std::size_t>(i)] != X(i, j)) {
        throw_io_error(shown_as, ": sample ", j, ", feature ", i, " (counted from 0) is ", X(i, j),
                       ", expected whole numbers of 0 to 255");
      }
    }
    resampler.apply(values, out.col(j).data());
  }
  return out;
}

}  // namespace

PointSet read_matrix_points(const Located& located, const std::string& shown_as,
                            const LoadOptions& options, const Context& context) {
  const Layout& layout = *located.layout;
  PointSet set =
      load_points(located.files.front(),
                  {.x = layout.x, .columns_are_samples = layout.columns_are_samples}, context);
  if (set.X.rows() != layout.stored.num_values()) {
    throw_io_error(shown_as, ": ", set.X.rows(), " features, expected ",
                   layout.stored.num_values());
  }
  check_range(shown_as, set.X, layout.white);
  turn_to_rows(layout.stored, set.X);
  set.image = layout.stored;
  const Resampler resampler(shown_as, layout.stored, options);
  if (!(resampler.shape() == layout.stored) && !layout.has_8_bit_pixels()) {
    throw_io_error(shown_as, ": the values of ", located.files.front().string(),
                   " are no 8-bit pixels and cannot be brought to another size");
  }
  if (resampler.shape() == layout.stored) {
    if (layout.white != 1.0) set.X /= layout.white;
    return set;
  }
  set.X = resize(shown_as, resampler, set.X, context);
  set.image = resampler.shape();
  return set;
}

}  // namespace subspace::datasets
