// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <subspace/core/export.h>
#include <subspace/datasets/registry.h>

namespace subspace::pipelines {

/// Where a registered set lies, found as Input finds it: its file, or the folder of its files;
/// "built in" for a generated one, "" if it is not here.
SUBSPACE_API std::string dataset_place(const std::string& name, const std::string& data_dir);

/// The items of a set of many that is here, such as the sequences of Hopkins 155.
SUBSPACE_API std::vector<std::string> dataset_items(const std::string& name,
                                                    const std::string& data_dir);

/// The registry, or the sets named, as JSON; with the outcome of a verification where one was made.
SUBSPACE_API std::string datasets_json(
    const std::vector<std::string>& names, const std::string& data_dir,
    const std::optional<datasets::Verification>& verification = {});

}  // namespace subspace::pipelines
