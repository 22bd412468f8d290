// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include "commands.h"

namespace subspace::app {

// The subcommands of `subspace data`.
Command add_data_list_command(CLI::App& data);
Command add_data_info_command(CLI::App& data);
Command add_data_fetch_command(CLI::App& data);
Command add_data_render_command(CLI::App& data);

}  // namespace subspace::app
