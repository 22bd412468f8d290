// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/datasets/archive.h>

#include <algorithm>
#include <fstream>

#include "fetch/inflated_file.h"
#include "fetch/reporter.h"
#include "fetch/tree_writer.h"
#include "fetch/unpack_tar.h"
#include "fetch/unpack_zip.h"

namespace subspace::datasets {
namespace {

std::string first_bytes(const std::filesystem::path& path) {
  std::string bytes(4, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

std::uint64_t size_of_regular_file(const std::filesystem::path& path) {
  std::error_code unreadable;
  const auto status = std::filesystem::status(path, unreadable);
  if (!std::filesystem::exists(status)) throw_io_error(path.string(), ": no such file");
  if (!std::filesystem::is_regular_file(status)) throw_io_error(path.string(), ": no regular file");
  return std::filesystem::file_size(path);
}

void unpack_into(TreeWriter& out, const std::filesystem::path& archive, const Context& context) {
  const std::uint64_t size = size_of_regular_file(archive);
  Reporter reporter(context, "unpack");
  const auto on_bytes = [&](std::uint64_t done) {
    context.throw_if_cancelled();
    reporter.report(std::min(done, size), size);
  };
  const std::string magic = first_bytes(archive);
  if (magic.starts_with("PK")) {
    unpack_zip(MappedFile(archive), out, on_bytes);
  } else {
    const auto file = magic.starts_with("BZh") ? open_bzip2(archive) : open_gzip(archive);
    unpack_tar(*file, out, [&] { on_bytes(file->consumed()); });
  }
  reporter.report_now(size, size);
}

}  // namespace

Unpacked unpack(const std::filesystem::path& archive, const std::filesystem::path& folder,
                const UnpackLimits& limits, const Context& context) {
  TreeWriter out(archive, folder, limits);
  unpack_into(out, archive, context);
  if (out.unpacked().files == 0) throw_io_error(archive.string(), ": holds no files");
  out.move_into_place();
  return out.unpacked();
}

}  // namespace subspace::datasets
