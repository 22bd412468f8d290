// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/datasets/image_folder.h>

#include <unistd.h>

#include <algorithm>
#include <system_error>

#include <subspace/core/error.h>
#include <subspace/core/parallel.h>
#include <subspace/datasets/save.h>

#include "io/text.h"

namespace subspace::datasets {
namespace {

namespace fs = std::filesystem;

/// Without a slash at the end, and where a link leads: a link cannot be replaced by a folder.
fs::path resolved(const fs::path& folder) {
  std::error_code ignored;
  const fs::path path = fs::weakly_canonical(fs::absolute(folder), ignored);
  return path.has_filename() ? path : path.parent_path();
}

/// A folder beside the final one that vanishes unless it is published.
class NewFolder {
 public:
  explicit NewFolder(const fs::path& final_path) : final_(resolved(final_path)) {
    check_image_folder(final_);
    path_ = final_.string() + ".part-" + std::to_string(::getpid());
    std::error_code error;
    fs::create_directories(path_ / "pictures", error);
    if (error) throw_io_error(path_.string(), ": cannot be made: ", error.message());
  }
  ~NewFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  const fs::path& path() const { return path_; }

  void publish() {
    std::error_code error;
    fs::rename(path_, final_, error);
    if (error) throw_io_error(final_.string(), ": cannot be made: ", error.message());
    path_.clear();
  }

 private:
  fs::path final_, path_;
};

Labels labels_by_pose(Index count, int poses) {
  Labels labels(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<int>(i) / poses;
  return labels;
}

/// A dozen views tell an object; they are spread over the turn.
ImageStack some_views(const ImageStack& images, int poses) {
  constexpr int kMostViews = 12;
  const int views = std::min(poses, kMostViews);
  ImageStack chosen = {images.shape, 0, {}};
  for (Index first = 0; first < images.count; first += poses) {
    for (int v = 0; v < views; ++v) {
      const auto picture = images.image(first + Index{v} * poses / views);
      chosen.values.insert(chosen.values.end(), picture.begin(), picture.end());
      ++chosen.count;
    }
  }
  return contact_sheet(chosen, views);
}

}  // namespace

void check_image_folder(const fs::path& folder) {
  if (folder.empty()) throw_io_error("the folder for pictures has no name");
  const fs::path path = resolved(folder);
  std::error_code ignored;
  const bool usable = !fs::exists(path, ignored) ||
                      (fs::is_directory(path, ignored) && fs::is_empty(path, ignored));
  if (!usable) throw_io_error(folder.string(), ": exists and is not an empty folder");
  if (!fs::is_directory(path.parent_path(), ignored)) {
    throw_io_error(folder.string(), ": there is no folder ", path.parent_path().string());
  }
  if (::access(path.parent_path().c_str(), W_OK | X_OK) != 0) {
    throw_io_error(folder.string(), ": folder ", path.parent_path().string(), " is not writable");
  }
}

void save_image_folder(const fs::path& folder, const ImageStack& images, int poses,
                       const Context& context) {
  if (poses < 1 || images.count < 1 || images.count % poses != 0) {
    throw InvalidArgument(message("save_image_folder: poses = ", poses, ", must divide the ",
                                  images.count, " pictures"));
  }
  NewFolder out(folder);
  constexpr Index kPerTile = 16;
  for_tiles(
      context, images.count, kPerTile,
      [&](const Tile& tile) {
        for (Index i = tile.begin; i < tile.end; ++i) {
          const std::string name = message("obj", i / poses + 1, "__", i % poses, ".png");
          save_png(out.path() / "pictures" / name, images.shape, images.image(i));
        }
      },
      "writing pictures");
  save_images(out.path() / "images.npy", images);
  save_labels(out.path() / "labels.npy", labels_by_pose(images.count, poses));
  const ImageStack sheet = some_views(images, poses);
  save_png(out.path() / "contact-sheet.png", sheet.shape, sheet.values);
  out.publish();
}

}  // namespace subspace::datasets
