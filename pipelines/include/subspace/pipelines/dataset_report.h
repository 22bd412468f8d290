// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include <subspace/core/export.h>

namespace subspace::pipelines {

/// Where a registered set lies, found as Input finds it: its file, or the folder of its files;
/// "built in" for a generated one, "" if it is not here.
SUBSPACE_API std::string dataset_place(const std::string& name, const std::string& data_dir);

/// The registry, or the sets named, as JSON.
SUBSPACE_API std::string datasets_json(const std::vector<std::string>& names,
                                       const std::string& data_dir);

}  // namespace subspace::pipelines
