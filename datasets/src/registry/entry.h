// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <subspace/datasets/registry.h>
#include <subspace/datasets/synthetic.h>

namespace subspace::datasets {

/// One way in which a set lies on disk.
struct Layout {
  enum class Kind {
    kImageFiles,    ///< a folder or .zip of .png
    kMatrix,        ///< a .mat with points and labels, pictures column by column
    kIdx,           ///< files of pictures, files of labels, alternating
    kCifar,         ///< records of label and picture
    kStl,           ///< pictures column by column; files of labels
    kTrajectories,  ///< a folder or .zip of Hopkins 155
    kTurntable,     ///< rendered, no files
    kGenerated      ///< drawn from a seed, no files
  };
  Kind kind = Kind::kImageFiles;
  std::vector<std::string> files = {};  ///< all are needed
  ImageShape stored = {};               ///< of the pictures in these files
  // .mat:
  std::string x = {}, y = {};
  bool columns_are_samples = false;
  double white = 255.0;  ///< the largest value a pixel can have
  // CIFAR:
  int label_bytes = 1, label_byte = 0;
  // Generated:
  Generated (*generate)(std::uint64_t seed) = nullptr;

  std::string sha256 = {};         ///< see decoded_sha256(); empty: never computed
  std::string labels_sha256 = {};  ///< of the labels as 32-bit integers; empty: never computed
  std::optional<ImageSize> hashed_size = {};  ///< the size it was computed at, if not as stored

  bool has_8_bit_pixels() const {
    return kind != Kind::kTrajectories && kind != Kind::kGenerated && white == 255.0;
  }
};

/// One file that `fetch` gets.
struct Source {
  std::string url = {};
  std::string file = {};  ///< where it goes, under the set's folder
  bool unpack = false;    ///< an archive whose content goes there
  std::uint64_t most_bytes = 0;
};

/// A set as the registry keeps it.
struct Entry {
  DatasetInfo info = {};
  std::string folder = {};  ///< of the files, under a data folder; several sets may share one
  std::vector<Layout> layouts = {};  ///< the best first
  std::vector<Source> sources = {};
};

const std::vector<Entry>& entries();
const Entry& find_entry(const std::string& name);

}  // namespace subspace::datasets
