// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <vector>

#include <subspace/core/context.h>
#include <subspace/datasets/load.h>

#include "format.h"
#include "io/mapped_file.h"

namespace subspace::datasets {

/// The arrays of a .npy, .npz, .mat, idx or text file.
std::vector<Variable> list_arrays(const MappedFile& file, Format format);

/// Points from the same; name and hash are left to the caller. Throws IoError.
PointSet load_array_points(const MappedFile& file, Format format, const LoadOptions& options,
                           const Context& context);

/// The array or column that load_array_labels() reads; empty where it has no name.
std::string array_label_name(const MappedFile& file, Format format, const LoadOptions& options);

/// Labels as the file has them.
std::vector<double> load_array_labels(const MappedFile& file, Format format,
                                      const LoadOptions& options, const Context& context);

}  // namespace subspace::datasets
