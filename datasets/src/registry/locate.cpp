// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "registry/locate.h"

#include <cstdlib>

#include <subspace/core/error.h>

namespace subspace::datasets {
namespace {

namespace fs = std::filesystem;

constexpr char kDistributionFolder[] = "/usr/share/datasets";

bool may_be_gzip(Layout::Kind kind) {
  return kind == Layout::Kind::kIdx || kind == Layout::Kind::kCifar || kind == Layout::Kind::kStl;
}

std::vector<std::string> spellings(const std::string& file, Layout::Kind kind) {
  std::vector<std::string> all = {file};
  if (may_be_gzip(kind)) all.push_back(file + ".gz");
  if (const auto at = file.find("-idx"); at != std::string::npos) {
    std::string other = file;
    other[at] = '.';
    all.insert(all.end(), {other, other + ".gz"});
  }
  return all;
}

std::optional<fs::path> find_file(const fs::path& folder, const std::string& file,
                                  Layout::Kind kind) {
  std::error_code ignored;
  for (const std::string& spelling : spellings(file, kind)) {
    if (fs::exists(folder / spelling, ignored)) return folder / spelling;
  }
  return std::nullopt;
}

std::optional<Located> find_layout(const Layout& layout, const fs::path& folder) {
  Located located = {&layout, {}};
  for (const std::string& file : layout.files) {
    auto found = find_file(folder, file, layout.kind);
    if (!found) return std::nullopt;
    located.files.push_back(std::move(*found));
  }
  return located;
}

/// Values that are no 8-bit pixels any more cannot be brought to another size.
bool can_give(const Layout& layout, const std::optional<ImageSize>& size) {
  if (!size || layout.has_8_bit_pixels()) return true;
  return size->height == layout.stored.height && size->width == layout.stored.width;
}

}  // namespace

std::optional<Located> locate(const Entry& entry, const std::optional<ImageSize>& size,
                              const std::vector<fs::path>& folders) {
  for (const fs::path& folder : folders) {
    for (const Layout& layout : entry.layouts) {
      if (!can_give(layout, size)) continue;
      if (auto located = find_layout(layout, folder / entry.folder)) return located;
      // MNIST and Fashion-MNIST have the same names: only the folder tells them apart.
      if (layout.kind == Layout::Kind::kIdx) continue;
      if (auto located = find_layout(layout, folder)) return located;
    }
  }
  return std::nullopt;
}

fs::path dataset_cache() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here writes the environment
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    return fs::path(cache) / "subspace";
  }
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    return fs::path(home) / ".cache" / "subspace";
  }
  throw IoError("neither HOME nor XDG_CACHE_HOME is set: there is no cache to keep data sets in");
}

std::vector<fs::path> dataset_folders(const std::string& data_dir) {
  std::vector<fs::path> folders;
  if (!data_dir.empty()) folders.emplace_back(data_dir);
  try {
    folders.push_back(dataset_cache());
  } catch (const IoError&) {  // a user without a home has no cache
  }
  folders.emplace_back(kDistributionFolder);
  return folders;
}

}  // namespace subspace::datasets
