// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string_view>

namespace subspace::pipelines::report {

/// report.css and report.js, as they stand beside this file.
extern const std::string_view kStyle;
extern const std::string_view kScript;

}  // namespace subspace::pipelines::report
