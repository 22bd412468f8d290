// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <functional>

#include "fetch/tree_writer.h"
#include "io/mapped_file.h"

namespace subspace::datasets {

/// Writes the members of a zip archive. `on_bytes` is told how many bytes of the archive are done
/// with, and may throw to stop.
void unpack_zip(const MappedFile& file, TreeWriter& out,
                const std::function<void(std::uint64_t)>& on_bytes);

}  // namespace subspace::datasets
