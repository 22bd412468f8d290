// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "images/image_files.h"

#include <mutex>
#include <optional>

#include <subspace/core/parallel.h>
#include <subspace/datasets/sha256.h>

#include "arrays/array.h"
#include "images/arrange.h"
#include "images/png_read.h"
#include "images/resample.h"
#include "io/file_set.h"
#include "io/text.h"

namespace subspace::datasets {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 20;
constexpr Index kFilesPerTile = 8;

std::unique_ptr<FileSet> open_files(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? open_folder(path) : open_zip(path);
}

/// A set of files with its arrangement; there is at least one picture.
struct ImageFiles {
  explicit ImageFiles(const fs::path& path)
      : files(open_files(path)), found(arrange(files->names())) {
    if (found.order.empty()) {
      throw_io_error(path.string(), ": no .png among its ", files->names().size(), " files");
    }
    if (!found.repeated.empty()) {
      throw_io_error(path.string(), ": the view of ", printable(found.repeated),
                     " occurs twice; expected each objK__V.png once");
    }
  }
  std::string origin(Index i) const {
    return files->origin(found.order[static_cast<std::size_t>(i)]);
  }
  std::vector<std::byte> read(Index i) const {
    return files->read(found.order[static_cast<std::size_t>(i)], kLargestFile);
  }
  Index count() const { return static_cast<Index>(found.order.size()); }

  std::unique_ptr<FileSet> files;
  Arrangement found;
};

std::string size_text(const ImageShape& shape) {
  return message(shape.height, " x ", shape.width, shape.channels == 1 ? " grey" : " colour");
}

/// Pictures may differ in size only where all are brought to one, and grey ones may stand among
/// coloured ones only where all become grey.
bool fits(const ImageShape& shape, const ImageShape& first, const LoadOptions& options) {
  const bool same_size = shape.height == first.height && shape.width == first.width;
  return (same_size || options.image_size) && (shape.channels == first.channels || !options.color);
}

void check_expected(const std::string& origin, const ImageShape& shape,
                    const std::optional<ImageShape>& expected) {
  if (!expected || shape == *expected) return;
  throw_io_error(origin, ": ", size_text(shape), ", expected ", size_text(*expected));
}

bool same_kind(const ImageShape& a, const ImageShape& b) { return a.channels == b.channels; }

/// Decodes all pictures into the columns of X. Returns the SHA-256 of each file.
std::vector<std::string> decode_all(const ImageFiles& images, const Picture& first,
                                    const Resampler& usual, const LoadOptions& options,
                                    const Context& context,
                                    const std::optional<ImageShape>& expected, Matrix& X) {
  std::vector<std::string> hashes(static_cast<std::size_t>(images.count()));
  for_tiles(
      context, images.count(), kFilesPerTile,
      [&](const Tile& tile) {
        for (Index i = tile.begin; i < tile.end; ++i) {
          const auto bytes = images.read(i);
          const Picture picture = decode_png(images.origin(i), bytes, context);
          check_expected(images.origin(i), picture.shape, expected);
          if (!fits(picture.shape, first.shape, options)) {
            throw_io_error(images.origin(i), ": ", size_text(picture.shape), ", but ",
                           images.origin(0), " is ", size_text(first.shape),
                           same_kind(picture.shape, first.shape) ? "; give an image size"
                                                                 : "; leave out --color");
          }
          if (picture.shape == usual.stored()) {
            usual.apply(picture.values, X.col(i).data());
          } else {
            const Resampler own(images.origin(i), picture.shape, options);
            check_points_fit(images.origin(i), static_cast<std::uint64_t>(X.size()), context,
                             own.working_bytes());
            own.apply(picture.values, X.col(i).data());
          }
          hashes[static_cast<std::size_t>(i)] = sha256(bytes);
        }
      },
      "reading pictures");
  return hashes;
}

/// A folder has no bytes of its own: the hash of the names and hashes of its pictures in order.
std::string hash_of_files(const ImageFiles& images, const std::vector<std::string>& hashes) {
  std::string text;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    text += hashes[i] + "  " + images.files->names()[images.found.order[i]] + "\n";
  }
  return sha256(std::as_bytes(std::span(text)));
}

/// Which folders are the classes: whoever meant others should see it.
std::string class_note(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 8;
  std::string text = message(names.size(), " classes by folder:");
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    text += message(" ", names[i].empty() ? "(none)" : printable(names[i]));
  }
  return names.size() > kMost ? text + " ..." : text;
}

void add_notes(const Arrangement& found, PointSet& set) {
  if (found.is_doubtful) set.notes.push_back(class_note(found.class_names));
  if (found.left_out > 0) {
    set.notes.push_back(message("files left out because they are not .png: ", found.left_out));
  }
}

}  // namespace

PointSet load_image_files(const fs::path& path, const LoadOptions& options, const Context& context,
                          const std::optional<ImageShape>& expected) {
  const ImageFiles images(path);
  const Picture first = decode_png(images.origin(0), images.read(0), context);
  // Here already, so that a set of other pictures is refused by its first one on any threads.
  check_expected(images.origin(0), first.shape, expected);
  const Resampler resampler(images.origin(0), first.shape, options);
  const Index features = resampler.shape().num_values();
  check_points_fit(path.string(), static_cast<std::uint64_t>(features * images.count()), context,
                   resampler.working_bytes());

  PointSet set;
  set.X.resize(features, images.count());
  const auto hashes = decode_all(images, first, resampler, options, context, expected, set.X);
  set.sha256 = hash_of_files(images, hashes);
  set.image = resampler.shape();
  add_notes(images.found, set);
  return set;
}

Labels load_image_labels(const fs::path& path) {
  ImageFiles images(path);
  if (images.found.kind == Arrangement::Kind::kFlat) {
    throw_io_error(path.string(),
                   ": the names of its pictures tell no classes; expected objK__V.png or one "
                   "folder a class");
  }
  return std::move(images.found.labels);
}

}  // namespace subspace::datasets
