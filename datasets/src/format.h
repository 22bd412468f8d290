// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <string>

namespace subspace::datasets {

enum class Format { kNpy, kNpz, kMat, kText, kIdx, kCifar, kImageFiles };

/// By the name: extension, "...-idx3-ubyte", either with .gz behind it; folders and .zip are
/// pictures. Throws IoError for a name of none of these.
Format format_of(const std::filesystem::path& path);

/// The extension in small letters, with its dot.
std::string lower_extension(const std::filesystem::path& path);

}  // namespace subspace::datasets
