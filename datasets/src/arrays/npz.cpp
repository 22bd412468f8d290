// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "arrays/npz.h"

#include "arrays/npy.h"
#include "io/zip.h"

namespace subspace::datasets {
namespace {

constexpr std::string_view kSuffix = ".npy";

std::string variable_name(const ZipEntry& entry) {
  return entry.name.substr(0, entry.name.size() - kSuffix.size());
}

}  // namespace

std::vector<ArrayHeader> list_npz(const MappedFile& file) {
  const ZipReader zip(file);
  std::vector<ArrayHeader> arrays;
  for (const ZipEntry& entry : zip.entries()) {
    if (!entry.name.ends_with(kSuffix)) continue;
    const auto stream = zip.open(entry);
    arrays.push_back(read_npy_header(*stream, variable_name(entry), entry.size));
  }
  if (arrays.empty()) throw_io_error(file.name(), ": the archive has no .npy member");
  return arrays;
}

OpenArray open_npz(const MappedFile& file, const std::string& name) {
  const ZipReader zip(file);
  const ZipEntry& entry = zip.find(name + std::string(kSuffix));
  OpenArray array;
  array.payload = zip.open(entry);
  array.header = read_npy_header(*array.payload, name, entry.size);
  if (entry.method == ZipEntry::kDeflated) array.compressed_bytes = entry.compressed;
  return array;
}

}  // namespace subspace::datasets
