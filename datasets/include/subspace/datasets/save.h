// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <subspace/core/export.h>
#include <subspace/core/types.h>

namespace subspace::datasets {

/// Writes labels by the extension: .npy as int32 of shape (N), .csv and .txt as one number a line.
/// The file appears whole or not at all.
SUBSPACE_API void save_labels(const std::filesystem::path& path, const Labels& labels);

/// Writes points (columns of X) as a .npy of float64, C order, shape (N, D): samples are rows, as
/// load_points() and Python read them.
SUBSPACE_API void save_points(const std::filesystem::path& path, const ConstMatrixRef& X);

/// One array of an .npz: columns of X as rows of a float64 array, as save_points() writes them.
struct NamedPoints {
  std::string name = {};
  Matrix X = {};
};

/// Writes a .npz that NumPy and load_points() read: an uncompressed .zip of .npy members. Names are
/// distinct. The file appears whole or not at all; at most 4 GB.
SUBSPACE_API void save_arrays(const std::filesystem::path& path,
                              const std::vector<NamedPoints>& arrays);

}  // namespace subspace::datasets
