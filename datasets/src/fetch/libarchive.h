// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <archive.h>

#include <memory>
#include <new>
#include <string>

#include "io/text.h"

namespace subspace::datasets {

struct FreeArchiveReader {
  void operator()(archive* reader) const { archive_read_free(reader); }
};
using ArchiveReader = std::unique_ptr<archive, FreeArchiveReader>;

inline ArchiveReader new_archive_reader() {
  ArchiveReader reader(archive_read_new());
  if (reader == nullptr) throw std::bad_alloc();
  return reader;
}

inline std::string error_text(archive* reader) {
  const char* const text = archive_error_string(reader);
  return text == nullptr ? "no reason known" : printable(text);
}

}  // namespace subspace::datasets
