// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>
#include <subspace/datasets/point_set.h>

namespace subspace::datasets {

struct ImageSize {
  int height = 0;
  int width = 0;
};

struct LoadOptions {
  /// The array (.npz, .mat) that holds the points. Empty: the only array with a usual name (fea, X,
  /// data, features, ... in any case), else the only matrix of the file; several candidates are
  /// refused. A name for a file without named arrays (.npy, text) is refused, too.
  std::string x = {};
  /// The array (.npz, .mat) or column (.csv with a header) that holds the labels. Empty: guessed in
  /// the same way among the vectors of the file (gnd, y, labels, s, ...). In a .csv this column is
  /// no feature. A .npy of labels takes no name; load_points() does not mind one.
  std::string y = {};
  /// Samples are rows, as in Python; true for files whose columns are samples. A .mat or .npz whose
  /// labels are as many as the columns of the points and not as the rows needs no telling.
  bool columns_are_samples = false;
  /// Pictures only: the size to bring them to; as they are stored if not given.
  std::optional<ImageSize> image_size = {};
  /// Pictures only: keep three channels; false: grey, the mean of the channels.
  bool color = false;
  /// NaN and infinities are refused with their position unless this is set.
  bool allow_non_finite = false;
};

/// One array of a file, as its header declares it.
struct Variable {
  std::string name = {};  ///< empty in .npy, the header's columns do not count as names
  std::vector<std::int64_t> shape = {};  ///< as the file counts: rows first
  std::string type = {};  ///< "float64", "uint8", ..., or "struct", "complex double", ...
  bool numeric = false;   ///< whether load_points and load_labels can read it
};

/// How a file may hold labels beside its points, by its name alone.
enum class Carries {
  kNever,     ///< .npy, idx: one array
  kAsColumn,  ///< text
  kAsArray,   ///< .npz, .mat
  kInside     ///< pictures by their names, CIFAR in its records
};
SUBSPACE_API Carries carries_labels(const std::filesystem::path& path);

/// What a file holds. .npy and text files are one array without a name.
SUBSPACE_API std::vector<Variable> list_variables(const std::filesystem::path& path);

/// Reads points from .npy, .npz, .csv/.tsv/.txt, .mat (version 5, compressed or not), idx (also
/// .gz), CIFAR .bin (also .gz), or a folder or .zip of .png files. Numbers of any type are widened
/// to double; they stay as they are, but for 8-bit pictures (idx of shape (N, height, width), .bin,
/// .png), which become pixel / 255 and tell their shape in PointSet::image.
///
/// Shapes: (N, D) is N samples of D features. (N, a, b, ...) is N samples of a*b*... features,
/// flattened in the order of the file's home: last index fastest for NumPy, first index fastest for
/// MATLAB. (N) is N samples of one feature. (1, D) is one sample, even where it looks like a
/// vector, and (N, 1) N samples of one feature. With columns_are_samples the last axis counts the
/// samples instead of the first.
///
/// Text: one sample a line; comma, semicolon, tab or blanks between numbers; an optional first line
/// of names, quoted or not. A column named label, labels, class, target, truth or gnd is left out
/// and noted.
///
/// Pictures: files objK__V.png come in the order of the numbers K, then V; others folder by folder
/// in natural order (2 before 10), each folder a class. Files that are not .png are left out and
/// counted in a note.
///
/// A .mat with the variables of Hopkins 155 (x and y of 3 x P x F, s of P labels) is read as P
/// trajectories of 2F features.
///
/// Nothing the file declares is believed before it is checked against the file's size. Throws
/// IoError with path, place, what was found and what was expected; ResourceError if the points do
/// not fit into context.max_memory.
SUBSPACE_API PointSet load_points(const std::filesystem::path& path,
                                  const LoadOptions& options = {}, const Context& context = {});

/// Reads the labels that belong to a file, or a file of labels alone (same formats; text: one a
/// line). Of pictures: K of objK__V.png, or the number of the class folder, counted from 0 in
/// natural order; the label byte of CIFAR, in CIFAR-100 as option y says ("fine", "coarse"). They
/// may be any integers that fit an int, stored in any numeric type; the array must have at most one
/// axis longer than 1.
SUBSPACE_API Labels load_labels(const std::filesystem::path& path, const LoadOptions& options = {},
                                const Context& context = {});

/// The array or column that load_labels() reads with these options; empty where it has no name
/// (.npy, a text file of labels alone). Reads names, not labels. Throws as load_labels() does when
/// it cannot tell.
SUBSPACE_API std::string label_name(const std::filesystem::path& path,
                                    const LoadOptions& options = {});

}  // namespace subspace::datasets
