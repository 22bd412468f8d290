// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <algorithm>

#include <subspace/preprocess/normalize.h>
#include <subspace/preprocess/preprocess.h>

#include "linalg/sizes.h"

/// What preprocessing takes, for its own checks and for the prediction of a whole run.
namespace subspace {

/// The points, their centred copy and its transpose (project() needs no more); the moment matrix
/// and the workspace of the eigensolver, which is up to twice its size.
inline double fit_pca_bytes(Index dimension, Index num_points) {
  const Index order = std::min(dimension, num_points);
  return matrix_bytes(3.0, dimension, num_points) + matrix_bytes(3.0, order, order);
}

/// The points and their copy, centred or scaled; `projected` coordinates of it where they are
/// fewer.
inline double copy_bytes(Index dimension, Index num_points, Index projected) {
  return matrix_bytes(2.0, dimension, num_points) + matrix_bytes(1.0, projected, num_points);
}

/// The way of the preprocessor: the points, their copy and, where a coordinate is appended, the
/// longer ones.
inline double apply_bytes(const Preprocessor& preprocessor, Index num_points) {
  const Index further = preprocessor.appended != 0.0 ? preprocessor.output_dimension() : 0;
  return copy_bytes(preprocessor.dimension, num_points, preprocessor.basis.cols()) +
         matrix_bytes(1.0, further, num_points);
}

/// Coordinates that a PCA leaves, at most those that the points have; 0 without one.
inline Index projected_dimension(const PreprocessOptions& options, Index dimension,
                                 Index num_points) {
  return std::min<Index>({options.pca, dimension, num_points});
}

/// Coordinates that preprocessing leaves.
inline Index preprocessed_dimension(const PreprocessOptions& options, Index dimension,
                                    Index num_points) {
  const Index projected =
      options.pca > 0 ? projected_dimension(options, dimension, num_points) : dimension;
  return projected + (options.append_one != 0.0 ? 1 : 0);
}

inline double preprocess_bytes(const PreprocessOptions& options, Index dimension,
                               Index num_points) {
  const Index further =
      options.append_one != 0.0 ? preprocessed_dimension(options, dimension, num_points) : 0;
  const double copy =
      copy_bytes(dimension, num_points, projected_dimension(options, dimension, num_points)) +
      matrix_bytes(1.0, further, num_points);
  return options.pca > 0 ? std::max(copy, fit_pca_bytes(dimension, num_points)) : copy;
}

}  // namespace subspace
