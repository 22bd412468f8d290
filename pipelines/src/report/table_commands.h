// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include "report/model.h"

namespace subspace::pipelines::report {

/// One command for each protocol that has rows, which one after another make the table: the last
/// command that worked on it without its choice of rows, and with the choice that the rows show.
/// Empty where no command is known.
std::vector<std::string> table_commands(const TableSummary& table);
/// "The command of the whole table", or of several.
std::string commands_title(const std::vector<std::string>& commands);

}  // namespace subspace::pipelines::report
