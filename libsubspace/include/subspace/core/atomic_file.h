// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string_view>

#include <subspace/core/export.h>

namespace subspace {

/// Writes a file so that under its final name there is always either the old content or the whole
/// new one: a temporary beside it, fsync, rename, fsync of the folder. Throws IoError naming path
/// and cause, and leaves no temporary behind.
SUBSPACE_API void write_file_atomically(const std::filesystem::path& path,
                                        const std::function<void(std::ostream&)>& write);
SUBSPACE_API void write_file_atomically(const std::filesystem::path& path,
                                        std::string_view content);

}  // namespace subspace
