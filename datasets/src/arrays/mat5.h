// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include "arrays/array.h"
#include "io/mapped_file.h"

namespace subspace::datasets {

/// The named variables of a MATLAB file of version 5 (save -v6 and -v7). Only headers are read.
std::vector<ArrayHeader> list_mat5(const MappedFile& file);

/// Opens one variable. Throws IoError if there is none of this name or it is not a real, full
/// array.
OpenArray open_mat5(const MappedFile& file, const std::string& name);

}  // namespace subspace::datasets
