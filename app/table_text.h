// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include <subspace/pipelines/results.h>
#include <subspace/pipelines/table.h>

namespace subspace::app {

/// The table as lines of text, protocol by protocol.
std::string table_text(const pipelines::TableResults& results);

/// What the rows will take, before they are run.
std::string estimate_text(const std::vector<pipelines::RowEstimate>& rows);

/// "1.4 s", "12 min", "3.1 h".
std::string duration_text(double seconds);

}  // namespace subspace::app
