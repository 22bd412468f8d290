// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "format.h"

#include <algorithm>
#include <cctype>

#include "io/text.h"

namespace subspace::datasets {
namespace {

/// train-images-idx3-ubyte and train-images.idx3-ubyte, as LeCun's files are named.
bool is_idx_name(const std::string& name) {
  constexpr std::string_view kEnd = "-ubyte";
  if (!name.ends_with(kEnd) || name.size() < kEnd.size() + 4) return false;
  const std::string_view axes = std::string_view(name).substr(name.size() - kEnd.size() - 4, 4);
  return axes.starts_with("idx") && std::isdigit(static_cast<unsigned char>(axes[3])) != 0;
}

}  // namespace

std::string lower_extension(const std::filesystem::path& path) {
  return lower_case(path.extension().string());
}

Format format_of(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return Format::kImageFiles;
  const std::string extension = lower_extension(path);
  if (extension == ".npy") return Format::kNpy;
  if (extension == ".npz") return Format::kNpz;
  if (extension == ".mat") return Format::kMat;
  if (extension == ".csv" || extension == ".tsv" || extension == ".txt") return Format::kText;
  if (extension == ".zip") return Format::kImageFiles;
  const std::filesystem::path inner = extension == ".gz" ? path.stem() : path.filename();
  if (lower_extension(inner) == ".idx" || is_idx_name(inner.string())) return Format::kIdx;
  if (lower_extension(inner) == ".bin") return Format::kCifar;
  throw_io_error(path.string(), ": extension '", printable(extension),
                 "' is not known; expected .npy, .npz, .mat, .csv, .tsv, .txt, .idx, .bin (these "
                 "two also .gz), .zip or a folder of pictures");
}

}  // namespace subspace::datasets
