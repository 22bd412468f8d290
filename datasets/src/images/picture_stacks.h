// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/context.h>
#include <subspace/datasets/load.h>

#include "format.h"
#include "images/picture_records.h"

namespace subspace::datasets {

/// Whether the file is a stack of 8-bit pictures: CIFAR, or idx of shape (N, height, width).
bool is_picture_file(const MappedFile& file, Format format);

/// The pictures of such a file as records.
PictureRecords open_records(const MappedFile& file, Format format);

PointSet load_picture_stack(const MappedFile& file, Format format, const LoadOptions& options,
                            const Context& context);

/// The label of each record; options.y chooses "coarse" or "fine" (the default) in CIFAR-100.
Labels load_cifar_labels(const MappedFile& file, const LoadOptions& options,
                         const Context& context);

/// "coarse" or "fine" of CIFAR-100, nothing of CIFAR-10.
std::string cifar_label_name(const MappedFile& file, const LoadOptions& options);

/// Points of several stacks of one shape, one behind the other. `origin` names them in errors.
PointSet load_stacks(const std::string& origin, std::vector<PictureRecords> stacks,
                     const LoadOptions& options, const Context& context);

}  // namespace subspace::datasets
