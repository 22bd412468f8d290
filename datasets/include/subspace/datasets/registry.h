// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>
#include <subspace/datasets/image.h>
#include <subspace/datasets/load.h>
#include <subspace/datasets/point_set.h>

namespace subspace::datasets {

/// What is known of a data set, public or built in. Counts and shapes are checked whenever it is
/// loaded.
struct DatasetInfo {
  std::string name = {};              ///< what a user writes: "coil20"
  std::string title = {};             ///< "COIL-20, processed"
  Index samples = 0;                  ///< 0: differs by item (Hopkins 155)
  int classes = 0;                    ///< 0: differs by item
  std::vector<int> class_sizes = {};  ///< in the order of the labels; empty: not known to us
  Index dimension = 0;  ///< of points that are no pictures; 0: pictures, or differs by item
  std::optional<ImageShape> image = {};      ///< as published; nothing for other points
  std::optional<ImageSize> usual_size = {};  ///< the size a bare name means, where not as published
  bool color = false;       ///< whether three channels are kept unless told otherwise
  std::string values = {};  ///< "8-bit pixels / 255"
  std::string origin = {};  ///< where it comes from, in words
  std::string terms = {};   ///< what its makers say of its use
  std::vector<std::string> traps = {};
  std::string item = {};                ///< what may stand behind "NAME/": "SEQUENCE", "SEED"
  std::vector<std::string> files = {};  ///< any of these, under a folder of the set's name
  std::vector<std::string> urls = {};   ///< that `fetch` asks, file by file
  std::string sha256 = {};  ///< of the decoded values; empty: never computed by us, or, of a set
                            ///< without files, not the same on every machine
};

/// All sets, by name.
SUBSPACE_API const std::vector<DatasetInfo>& registry();
/// Throws InvalidArgument that suggests the nearest name.
SUBSPACE_API const DatasetInfo& find_dataset(const std::string& name);

/// "coil20", "coil20@32", "yaleb@96x84", "hopkins155/1R2RC", "subspaces/7".
struct DatasetName {
  std::string set = {};
  std::string item = {};
  std::optional<ImageSize> size = {};
};
/// Nothing unless the text before '@' is a registered name, with an item behind '/' only in a set
/// that has items: "coil20/COIL20.mat" is a path. A size or a seed that cannot be read is refused
/// with InvalidArgument.
SUBSPACE_API std::optional<DatasetName> parse_dataset_name(const std::string& text);
/// "32", "48x42". Throws InvalidArgument.
SUBSPACE_API ImageSize parse_image_size(const std::string& text, const std::string& shown_as);

/// The folders that are searched for a set, in order: `data_dir` if not empty, the user's cache,
/// and where the distribution keeps data sets.
SUBSPACE_API std::vector<std::filesystem::path> dataset_folders(const std::string& data_dir);
/// $XDG_CACHE_HOME/subspace or ~/.cache/subspace: where `fetch` puts sets when not told otherwise.
SUBSPACE_API std::filesystem::path dataset_cache();

/// The outcome of a comparison with what the registry knows.
struct Verification {
  Index samples = 0;
  std::string sha256 = {};         ///< of the decoded values
  std::string labels_sha256 = {};  ///< of the labels as 32-bit integers
  bool hash_known = false;         ///< whether the registry has one, which is then the same
};

/// A registered set whose files were found.
class SUBSPACE_API Dataset {
 public:
  /// Throws InvalidArgument for an unknown name, IoError that lists what was looked for and where.
  Dataset(const DatasetName& name, const std::vector<std::filesystem::path>& folders);
  ~Dataset();
  Dataset(Dataset&&) noexcept;
  Dataset& operator=(Dataset&&) noexcept;

  const DatasetInfo& info() const;
  /// "coil20@32".
  std::string shown_as() const;
  /// The files that make the set up.
  const std::vector<std::filesystem::path>& files() const;
  /// The items of a set of many, such as the sequences of Hopkins 155; empty for others.
  std::vector<std::string> items() const;

  /// options.image_size and .color, where given, win over the name and the registry; x, y and
  /// columns_are_samples are the registry's. Pixels come row by row whatever the file's order.
  /// Throws IoError if counts, shape or range are not the set's.
  PointSet load_points(const LoadOptions& options = {}, const Context& context = {}) const;
  Labels load_labels(const Context& context = {}) const;

  /// Loads everything and compares counts, shapes, class sizes and, where known, the hashes of
  /// values and labels. Throws IoError at the first difference.
  Verification verify(const Context& context = {}) const;

 private:
  struct Found;
  std::unique_ptr<Found> found_;
};

}  // namespace subspace::datasets
