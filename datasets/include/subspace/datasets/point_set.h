// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <subspace/core/types.h>
#include <subspace/datasets/image.h>

namespace subspace::datasets {

/// Points without their truth: labels, where a source has them, come from a second call that only
/// an evaluator makes.
struct PointSet {
  Matrix X = {};          ///< D x N, points are columns
  std::string name = {};  ///< file name without extension, or the generator's name
  /// Of the file's bytes. Of pictures in a folder or .zip, and of sets of several files: of the
  /// hashes and names of the files in order, as sha256sum prints them. Of generated points:
  /// content_sha256(X), of the turntable the hash of its pixels.
  std::string sha256 = {};
  std::string variable = {};  ///< the array read, when the file holds several by name
  std::optional<ImageShape> image =
      {};  ///< how the features make a picture; values are then pixel / 255, in [0, 1]
  std::vector<std::string> notes =
      {};  ///< what a reader should know about how the file was understood
};

}  // namespace subspace::datasets
