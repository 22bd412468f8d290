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
    throw InvalidArgument(message("--url ", url, ": ", entry.info.name, " has ", sources.size(),
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

fs::path archive_name(const Source& source) {
  return fs::path(source.url.substr(source.url.rfind('/') + 1));
}

/// The place where a set is put together before it is known to be good. Its folders are those of a
/// data folder, so that the set can be loaded from there.
class Staging {
 public:
  Staging(const fs::path& data_folder, const Entry& entry)
      : root_(data_folder / ".incoming" / entry.info.name),
        files_(root_ / entry.folder),
        final_(data_folder / entry.folder) {
    std::error_code error;
    fs::create_directories(files_, error);
    if (error) throw_io_error(files_.string(), ": cannot be made: ", error.message());
  }

  const fs::path& root() const { return root_; }

  void get(const Source& source, const Context& context) const {
    const fs::path target = source.unpack ? root_ / archive_name(source) : files_ / source.file;
    if (!fs::exists(target)) {
      download({.url = source.url, .target = target, .most_bytes = source.most_bytes}, context);
    }
    if (source.unpack && !fs::exists(files_ / source.file))
      unpack_into_place(source, target, context);
  }

  void clear() const {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
    fs::remove(root_.parent_path(), ignored);  // unless another set is on its way
  }

  /// Gives the files their final names, replacing what had them.
  void publish() const {
    fs::create_directories(final_);
    for (const auto& item : fs::directory_iterator(files_)) {
      const fs::path target = final_ / item.path().filename();
      fs::remove_all(target);
      fs::rename(item.path(), target);
    }
    clear();
  }

 private:
  void unpack_into_place(const Source& source, const fs::path& archive,
                         const Context& context) const {
    const fs::path folder = root_ / "unpacked";
    fs::remove_all(folder);
    try {
      unpack(archive, folder, {}, context);
    } catch (const IoError&) {
      fs::remove(archive);  // it will not unpack the next time either
      throw;
    }
    if (!fs::is_directory(folder / source.file)) {
      fs::remove(archive);
      throw_io_error(source.url, ": the archive has no folder ", source.file);
    }
    fs::rename(folder / source.file, files_ / source.file);
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
    return {final_folder, true, Dataset({.set = name}, {options.folder}).verify(context)};
  }
  const std::vector<Source> sources = sources_of(entry, options.url);
  const Staging staging(options.folder, entry);
  for (const Source& source : sources) staging.get(source, context);
  const Verification verification = verify_staged(staging, name, context);
  staging.publish();
  return {final_folder, false, verification};
}

}  // namespace subspace::datasets
