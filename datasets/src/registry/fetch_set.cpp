// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/error.h>
#include <subspace/datasets/archive.h>
#include <subspace/datasets/download.h>
#include <subspace/datasets/fetch.h>

#include "io/text.h"
#include "registry/entry.h"
#include "registry/locate.h"

namespace subspace::datasets {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30;

/// What to get from where: the registered sources, or the one file that the caller's address holds.
std::vector<Source> sources_of(const Entry& entry, const std::string& url) {
  std::vector<Source> sources = entry.sources;
  if (sources.empty() && !url.empty() && !entry.layouts.empty() &&
      entry.layouts.front().files.size() == 1) {
    sources.push_back({.file = entry.layouts.front().files.front(), .most_bytes = kMostBytes});
  }
  if (sources.empty()) {
    throw IoError(message(entry.info.name,
                          ": no address is registered to fetch it from; give one with --url, or "
                          "put the files named by `subspace data info ",
                          entry.info.name, "` into the folder ", entry.folder));
  }
  if (url.empty()) return sources;
  if (sources.size() > 1 && !url.ends_with('/')) {
    throw InvalidArgument(message("--url: ", entry.info.name, " has ", sources.size(),
                                  " files, the address of their folder must end in '/'"));
  }
  for (Source& source : sources) source.url = sources.size() > 1 ? url + source.file : url;
  return sources;
}

/// The size that a complete set can give: COIL20.mat, of a smaller one, is not all of COIL-20.
std::optional<ImageSize> published_size(const Entry& entry) {
  if (!entry.info.image || entry.layouts.empty()) return std::nullopt;
  const ImageShape& stored = entry.layouts.front().stored;
  return ImageSize{stored.height, stored.width};
}

/// The place where a set is put together before it is known to be good. Its folders are those of a
/// data folder, so that the set can be loaded from there.
class Staging {
 public:
  Staging(const fs::path& data_folder, const Entry& entry)
      : root_(data_folder / ".incoming" / entry.info.name),
        files_(root_ / entry.folder),
        final_(data_folder / entry.folder) {
    make_folder(files_);
    make_folder(final_);  // before the download, which may take long
  }
  /// Leaves no empty folder behind where nothing came of it.
  ~Staging() {
    std::error_code ignored;
    fs::remove(final_, ignored);
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  const fs::path& root() const { return root_; }

  void get(const Source& source, const Context& context) const {
    const fs::path target = source.unpack ? root_ / "archive" : files_ / source.file;
    std::error_code ignored;
    if (!fs::exists(target, ignored)) {
      download({.url = source.url, .target = target, .most_bytes = source.most_bytes}, context);
    }
    if (source.unpack && !fs::exists(files_ / source.file, ignored)) {
      unpack_into_place(source, target, context);
    }
  }

  void clear() const {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
    fs::remove(root_.parent_path(), ignored);  // unless another set is on its way
  }

  /// Gives the files their final names. A file replaces an old one in one step; a folder in the way
  /// is removed first.
  void publish() const {
    std::error_code error;
    for (const auto& item : fs::directory_iterator(files_, error)) {
      const fs::path target = final_ / item.path().filename();
      if (fs::is_directory(target, error)) fs::remove_all(target, error);
      fs::rename(item.path(), target, error);
      if (error) throw_io_error(target.string(), ": cannot be made: ", error.message());
    }
    if (error) throw_io_error(files_.string(), ": cannot be listed: ", error.message());
    clear();
  }

 private:
  void make_folder(const fs::path& folder) const {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw_io_error(folder.string(), ": cannot be made: ", error.message());
  }

  void unpack_into_place(const Source& source, const fs::path& archive,
                         const Context& context) const {
    const fs::path folder = root_ / "unpacked";
    std::error_code error;
    fs::remove_all(folder, error);
    try {
      unpack(archive, folder, {}, context);
      if (!fs::is_directory(folder / source.file, error)) {
        throw_io_error(archive.string(), ": the archive has no folder ", source.file);
      }
    } catch (const IoError&) {
      clear();  // it will not unpack the next time either
      throw;
    }
    fs::rename(folder / source.file, files_ / source.file, error);
    if (error) throw_io_error(files_.string(), ": cannot be filled: ", error.message());
  }

  fs::path root_, files_, final_;
};

Verification verify_staged(const Staging& staging, const std::string& name,
                           const Context& context) {
  try {
    return Dataset({.set = name}, {staging.root()}).verify(context);
  } catch (const IoError& error) {
    staging.clear();
    throw IoError(message("what was fetched is not ", name, " and was removed: ", error.what()));
  }
}

}  // namespace

Fetched fetch_dataset(const std::string& name, const FetchOptions& options,
                      const Context& context) {
  const Entry& entry = find_entry(name);
  const fs::path final_folder = options.folder / entry.folder;
  if (options.url.empty() && locate(entry, published_size(entry), {options.folder})) {
    const Dataset set({.set = name}, {options.folder});
    const fs::path place = set.files().empty() ? fs::path() : set.files().front().parent_path();
    return {place, true, set.verify(context)};
  }
  const std::vector<Source> sources = sources_of(entry, options.url);
  const Staging staging(options.folder, entry);
  for (const Source& source : sources) staging.get(source, context);
  const Verification verification = verify_staged(staging, name, context);
  staging.publish();
  return {final_folder, false, verification};
}

}  // namespace subspace::datasets
