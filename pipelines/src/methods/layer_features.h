// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <string>

#include <subspace/pipelines/catalogue.h>

namespace subspace::pipelines {

/// Features of the points by a layer of a trained network: "proj" (unit columns), "pre-feature" or
/// "pool"; of the clean pictures, or with `views` the mean over so many random ones. Throws
/// InvalidArgument in a build without LibTorch.
Matrix layer_features(const Points& points, const std::filesystem::path& folder,
                      const std::string& layer, int views, const Execution& execution,
                      const Context& context);

}  // namespace subspace::pipelines
