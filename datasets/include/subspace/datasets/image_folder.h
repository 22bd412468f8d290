// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/datasets/image.h>

namespace subspace::datasets {

/// Throws IoError unless save_image_folder() could make this folder: to be asked before the work.
SUBSPACE_API void check_image_folder(const std::filesystem::path& folder);

/// Writes pictures of objects, `poses` of each in a row, to a folder that does not exist yet or is
/// empty:
///   pictures/objK__V.png   object K from 1, view V from 0, as COIL-20 names them
///   images.npy             uint8, (N, channels, height, width)
///   labels.npy             int32, (N), objects from 0
///   contact-sheet.png      one row an object, at most 12 views
/// The folder appears whole or not at all. Throws IoError, InvalidArgument, Cancelled.
SUBSPACE_API void save_image_folder(const std::filesystem::path& folder, const ImageStack& images,
                                    int poses, const Context& context = {});

}  // namespace subspace::datasets
