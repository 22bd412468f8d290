// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <optional>

#include <subspace/core/context.h>
#include <subspace/datasets/load.h>

namespace subspace::datasets {

/// Points from a folder or .zip of .png files, all of one size unless options.image_size is given.
/// Where `expected` is given, all of them have that shape in the files.
PointSet load_image_files(const std::filesystem::path& path, const LoadOptions& options,
                          const Context& context, const std::optional<ImageShape>& expected = {});

/// The classes that the names of the files tell; no picture is opened. Throws IoError if they tell
/// none.
Labels load_image_labels(const std::filesystem::path& path);

}  // namespace subspace::datasets
