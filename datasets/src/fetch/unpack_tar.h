// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <functional>

#include "fetch/inflated_file.h"
#include "fetch/tree_writer.h"

namespace subspace::datasets {

/// Writes the members of a tar archive, and reads its file to the end to verify it. `on_bytes` is
/// called as the file is used up and may throw to stop.
void unpack_tar(InflatedFile& file, TreeWriter& out, const std::function<void()>& on_bytes);

}  // namespace subspace::datasets
