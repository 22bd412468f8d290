// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "fetch/unpack_zip.h"

#include <algorithm>

#include "io/zip.h"

namespace subspace::datasets {
namespace {

void check_kind(const ZipEntry& entry, const TreeWriter& out) {
  if (entry.is_link) out.refuse(entry.name, "is a symbolic link");
  if (entry.is_special) out.refuse(entry.name, "is a device, FIFO or socket");
  if (entry.is_folder() && entry.size > 0) out.refuse(entry.name, "is a folder with data");
}

}  // namespace

void unpack_zip(const MappedFile& file, TreeWriter& out,
                const std::function<void(std::uint64_t)>& on_bytes) {
  const ZipReader zip(file);
  std::uint64_t done = 0;
  for (const ZipEntry& entry : zip.entries()) {
    on_bytes(done);
    check_kind(entry, out);
    if (entry.is_folder()) {
      out.make_folder(entry.name);
      continue;
    }
    const auto stream = zip.open(entry);
    out.begin_file(entry.name, entry.size, entry.is_executable);
    for (std::uint64_t left = entry.size; left > 0;) {
      const auto bytes = stream->take(std::min<std::uint64_t>(left, ByteStream::kMaxTake));
      out.write(bytes);
      left -= bytes.size();
      // Members may share their compressed bytes, so the sum over all of them is what counts.
      check_expansion(out.archive(), out.unpacked().bytes, file.bytes().size());
      on_bytes(done);
    }
    stream->finish();
    out.end_file();
    done += entry.compressed;
  }
}

}  // namespace subspace::datasets
