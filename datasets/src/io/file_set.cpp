// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "io/file_set.h"

#include <algorithm>
#include <system_error>

#include "io/zip.h"

namespace subspace::datasets {
namespace {

namespace fs = std::filesystem;

class FolderFiles final : public FileSet {
 public:
  explicit FolderFiles(const fs::path& folder) : folder_(folder) {
    constexpr int kDeepest = 16;
    std::error_code error;
    fs::recursive_directory_iterator at(folder, fs::directory_options::follow_directory_symlink,
                                        error),
        end;
    while (!error && at != end) {
      if (at.depth() > kDeepest) {
        throw_io_error(folder.string(), ": more than ", kDeepest,
                       " folders inside one another; a loop of links?");
      }
      std::error_code unreadable;
      if (at->is_regular_file(unreadable)) {
        names_.push_back(at->path().lexically_relative(folder).generic_string());
      }
      at.increment(error);
    }
    if (error) throw_io_error(folder.string(), ": cannot be listed: ", error.message());
    std::ranges::sort(names_);  // the order of a folder is the file system's whim
  }

  std::string origin(std::size_t i) const override { return (folder_ / names_[i]).string(); }

  std::vector<std::byte> read(std::size_t i, std::uint64_t most) const override {
    const MappedFile file(folder_ / names_[i]);
    if (file.bytes().size() > most) {
      throw_io_error(file.name(), ": ", file.bytes().size(), " bytes, expected at most ", most);
    }
    return {file.bytes().begin(), file.bytes().end()};
  }

 private:
  fs::path folder_;
};

/// Whether a member's name stays inside the folder it would be unpacked to.
bool stays_inside(const std::string& name) {
  if (name.empty() || name.front() == '/' || name.find('\\') != std::string::npos) return false;
  if (name.find(':') != std::string::npos || name.find('\0') != std::string::npos) return false;
  return std::ranges::none_of(fs::path(name), [](const fs::path& part) { return part == ".."; });
}

class ZipFiles final : public FileSet {
 public:
  explicit ZipFiles(const fs::path& path) : file_(path), zip_(file_) {
    for (const ZipEntry& entry : zip_.entries()) {
      if (!stays_inside(entry.name)) {
        throw_io_error(file_.name(), ": member '", printable(entry.name),
                       "' would lead out of its folder; the archive is refused");
      }
      if (entry.is_link) {
        throw_io_error(file_.name(), ": member '", printable(entry.name),
                       "' is a link; the archive is refused");
      }
      if (entry.is_folder()) continue;
      names_.push_back(entry.name);
      entries_.push_back(&entry);
    }
  }

  std::string origin(std::size_t i) const override {
    return message(file_.name(), ": member '", printable(names_[i]), "'");
  }

  std::vector<std::byte> read(std::size_t i, std::uint64_t most) const override {
    return zip_.read(*entries_[i], most);
  }

 private:
  MappedFile file_;
  ZipReader zip_;
  std::vector<const ZipEntry*> entries_ = {};
};

}  // namespace

std::unique_ptr<FileSet> open_folder(const fs::path& folder) {
  return std::make_unique<FolderFiles>(folder);
}

std::unique_ptr<FileSet> open_zip(const fs::path& path) { return std::make_unique<ZipFiles>(path); }

}  // namespace subspace::datasets
