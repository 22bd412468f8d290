// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include <subspace/pipelines/settings.h>

namespace subspace::app {

/// Everything the program says besides its result: one line each on standard error, in the form
/// "subspace: warning: ...".
void set_log_verbosity(pipelines::Verbosity verbosity);
void log_info(const std::string& text);
void log_warning(const std::string& text);
void log_error(const std::string& text);

}  // namespace subspace::app
