// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "io/byte_stream.h"
#include "io/mapped_file.h"

namespace subspace::datasets {

/// What a file holds once gzip, if any, is taken off.
struct Content {
  std::unique_ptr<ByteStream> stream = {};
  std::uint64_t size = 0;                        ///< of `stream`; checked when it is finished
  std::optional<std::uint64_t> compressed = {};  ///< size in the file, where it is compressed
};

/// Recognises gzip by its first bytes, whatever the file is called. Throws IoError if the size that
/// the trailer declares is more than so many bytes can inflate to.
Content open_content(const MappedFile& file);

}  // namespace subspace::datasets
