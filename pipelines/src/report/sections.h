// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

#include "report/markup.h"
#include "report/model.h"
#include "report/thumbnails.h"

/// The parts of the page about one table. `prefix` ("t0") starts every id, so that several tables
/// can share a page.
namespace subspace::pipelines::report {

/// Names with their values; those whose value is empty are left out.
using Facts = std::vector<std::pair<std::string, std::string>>;
Markup fact_list(const Facts& facts);
/// What was set, in full; what was measured, rounded.
Facts set_facts(const NamedValues& values);
Facts measured_facts(const NamedValues& values);
/// Lines of a shell with a button that copies them.
Markup command_block(const std::string& commands);

Markup data_section(const TableData& data, const std::string& pictures_remark);
Markup results_table(const TableSummary& table, const std::string& prefix);
/// Whether there is more to a row than its line in the table.
bool has_section(const RowResult& row);
Markup row_section(const TableResults& results, const RowSummary& row, const Thumbnails& thumbnails,
                   const std::string& prefix);
Markup origin_section(const TableSummary& table);

/// A page that needs nothing but itself; `pictures` is style that shows them.
std::string whole_page(const std::string& title, const std::string& pictures,
                       const Markup& content);

/// One table, from its title to the recipe that made it.
Markup table_article(const TableResults& results, const Thumbnails& thumbnails,
                     const std::string& prefix);

}  // namespace subspace::pipelines::report
