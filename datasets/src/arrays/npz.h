// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include "arrays/array.h"
#include "io/mapped_file.h"

namespace subspace::datasets {

/// The .npy members of a zip archive, in the order of its directory.
std::vector<ArrayHeader> list_npz(const MappedFile& file);

/// Opens the member NAME.npy. Throws IoError if there is none.
OpenArray open_npz(const MappedFile& file, const std::string& name);

}  // namespace subspace::datasets
