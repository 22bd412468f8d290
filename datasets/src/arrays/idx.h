// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include "arrays/array.h"
#include "io/mapped_file.h"

namespace subspace::datasets {

/// The format of MNIST, gzip or not: two zeros, type, number of axes, their lengths, numbers; all
/// big-endian, last index fastest. Throws IoError unless the numbers fill the file exactly.
OpenArray open_idx(const MappedFile& file);

/// Whether this array is a stack of 8-bit grey pictures (N, height, width).
bool is_picture_stack(const ArrayHeader& header);

}  // namespace subspace::datasets
