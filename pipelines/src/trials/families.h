// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include <subspace/pipelines/trials.h>

namespace subspace::pipelines {

/// The value of an option for this number of clusters: "4k" is four times as many; any other text
/// stays as it is.
std::string value_for_clusters(const std::string& text, int num_clusters);

TrialFamily load_hopkins155(const std::string& data_dir, const Context& context);
TrialFamily load_yaleb_subjects(const std::string& data_dir, const Context& context);

}  // namespace subspace::pipelines
