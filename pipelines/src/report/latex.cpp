// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <sstream>

#include <subspace/core/error.h>
#include <subspace/pipelines/report.h>

#include "report/escape.h"
#include "report/format.h"
#include "report/model.h"

namespace subspace::pipelines {
namespace report {
namespace {

constexpr char kDash[] = "--";

std::string mean_pm_sd(const Spread& spread, int digits) {
  return spread.count == 0 ? kDash : mean_and_sd(spread, digits, " $\\pm$ ");
}

std::string number_cells(const RowSummary& row) {
  std::string error = mean_pm_sd(row.error, 2);
  if (row.best) error = message("\\textbf{", error, "}");
  return message(error, " & ", mean_pm_sd(row.nmi, 3), " & ", mean_pm_sd(row.ari, 3), " & ",
                 seconds_text(row), " & ", memory_text(row), " & ", row.row->cells.size());
}

std::string table_row(const RowSummary& row) {
  const auto& published = row.row->published;
  const std::string numbers =
      row.row->cells.empty() ? message("\\multicolumn{6}{l}{\\emph{", latex_text(row.state), "}}")
                             : number_cells(row);
  // A row with numbers that is not complete says so beside its name.
  const std::string state = row.row->cells.empty() || row.state.empty()
                                ? std::string()
                                : message(" (", latex_text(row.state), ")");
  return message(latex_text(row.row->name), state, " & ", numbers, " & ",
                 published ? fixed(published->error, 2) : kDash, " \\\\\n");
}

std::string group_rows(const ProtocolGroup& group) {
  std::string rows = message("\\midrule\n\\multicolumn{8}{l}{\\emph{",
                             latex_text(protocol_sentence(group.protocol)), "}} \\\\\n");
  for (const RowSummary& row : group.rows) rows += table_row(row);
  return rows;
}

std::string caption(const TableSummary& table) {
  const TableData& data = table.results->data;
  return message(
      latex_text(table.results->title.empty() ? table.results->name : table.results->title), ". ",
      latex_text(data.input.name), ", ", counted(data.input.n, "point"), ", ",
      counted(data.num_clusters, "cluster"),
      ". Error in percent, mean $\\pm$ standard deviation over seeds; the lowest "
      "label-free error",
      table.so_far, " is bold.", table.left_out.empty() ? "" : " ", latex_text(table.left_out));
}

std::string table_text(const TableResults& results) {
  const TableSummary table = summarize(results);
  std::ostringstream out;
  out << "\\begin{table}\n\\centering\n\\caption{" << caption(table) << "}\n"
      << "\\begin{tabular}{lrrrrrrr}\n\\toprule\n"
      << "Method & Error \\% & NMI & ARI & Seconds & MB & Seeds & Published \\% \\\\\n";
  for (const ProtocolGroup& group : table.groups) out << group_rows(group);
  out << "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
  return out.str();
}

}  // namespace
}  // namespace report

std::string latex_report(const std::vector<TableResults>& tables) {
  std::string text = "% Needs \\usepackage{booktabs} and, for quotation marks, [T1]{fontenc}.\n";
  for (const TableResults& results : tables) text += message("\n", report::table_text(results));
  return text;
}

}  // namespace subspace::pipelines
