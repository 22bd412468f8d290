// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/error.h>

#include "report/figures.h"
#include "report/sections.h"

namespace subspace::pipelines::report {
namespace {

Markup rows_section(const TableSummary& table, const Thumbnails& thumbnails,
                    const std::string& prefix) {
  Markup rows;
  for (const ProtocolGroup& group : table.groups) {
    for (const RowSummary& row : group.rows) {
      rows += row_section(*table.results, row, thumbnails, prefix);
    }
  }
  if (rows.empty()) return {};
  return element("section", {{"class", "rows"}},
                 element("div", {{"class", "heading"}}, worded("h2", {}, "Row by row"),
                         worded("button", {{"type", "button"}, {"class", "open-all needs-script"}},
                                "Open all")),
                 rows);
}

Markup opening(const TableSummary& table, const Thumbnails& thumbnails) {
  const TableResults& results = *table.results;
  Markup head = worded("h1", {}, results.title.empty() ? results.name : results.title);
  head += worded("p", {{"class", "headline"}}, table.headline);
  if (!results.note.empty()) head += worded("p", {{"class", "note"}}, results.note);
  return head + data_section(results.data, thumbnails.remark());
}

}  // namespace

Markup table_article(const TableResults& results, const Thumbnails& thumbnails,
                     const std::string& prefix) {
  const TableSummary table = summarize(results);
  Attributes attributes = {{"id", prefix}};
  const Attributes pictures = thumbnails.script_data();
  attributes.insert(attributes.end(), pictures.begin(), pictures.end());
  return element("article", attributes, opening(table, thumbnails), results_table(table, prefix),
                 time_figure(table, prefix), rows_section(table, thumbnails, prefix),
                 origin_section(table));
}

}  // namespace subspace::pipelines::report
