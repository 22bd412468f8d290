// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/pipelines/recipe.h>
#include <subspace/pipelines/settings.h>
#include <subspace/pipelines/table.h>

namespace subspace::app {

/// The command as a shell would take it again.
std::string command_line();

/// Runs the table, shows it growing, writes its reports into its folder, prints it, and returns the
/// exit code: 4 when a row failed or did not converge.
int run_table(const pipelines::Recipe& recipe, pipelines::TableOptions options,
              const pipelines::RunSettings& settings);

/// The same for a table of trials.
int run_trials(const pipelines::Recipe& recipe, pipelines::TableOptions options,
               const pipelines::RunSettings& settings);

}  // namespace subspace::app
