// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <sstream>

#include <subspace/core/error.h>
#include <subspace/pipelines/report.h>

#include "report/escape.h"
#include "report/format.h"
#include "report/geometry.h"
#include "report/model.h"
#include "report/table_commands.h"

namespace subspace::pipelines {
namespace report {
namespace {

std::string error_cell(const RowSummary& row) {
  const std::string numbers = mean_and_sd(row.error, 2, " \u00b1 ");
  return row.best ? message("**", numbers, "**") : numbers;
}

std::string number_cells(const RowSummary& row) {
  const bool has_error = row.error.count > 0;
  const auto of = [&](double value, int digits) {
    return has_error ? fixed(value, digits) : std::string(kNoNumber);
  };
  return message(error_cell(row), " | ", of(row.error.min, 2), " | ", of(row.error.max, 2), " | ",
                 of(row.nmi.mean, 3), " | ", of(row.ari.mean, 3), " | ", seconds_text(row), " | ",
                 memory_text(row), " | ", row.row->cells.size());
}

std::string table_row(const RowSummary& row) {
  const auto& published = row.row->published;
  const std::string numbers =
      row.row->cells.empty() ? message(kNoNumber, " | | | | | | | 0") : number_cells(row);
  return message("| ", markdown_text(row.row->name), " | ", numbers, " | ",
                 published ? fixed(published->error, 2) : std::string(kNoNumber), " | ",
                 row.state.empty() ? "done" : markdown_text(row.state), " |\n");
}

std::string group_table(const ProtocolGroup& group) {
  std::string rows;
  for (const RowSummary& row : group.rows) rows += table_row(row);
  return message(protocol_sentence(group.protocol),
                 "\n\n| method | error % | min | max | NMI | ARI | seconds | MB | seeds | "
                 "published % | state |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n",
                 rows, "\n");
}

std::string data_line(const TableData& data) {
  const std::string shape = picture_shape(data.input);
  return message(markdown_text(data.input.name), ": ", counted(data.input.n, "point"), " of ",
                 counted(data.input.dim, "dimension"), shape.empty() ? "" : " (", shape,
                 shape.empty() ? "" : ")", ", ", counted(data.num_clusters, "cluster"),
                 "; truth: ", markdown_text(truth_source(data)), "; SHA-256 `", data.input.sha256,
                 "`.\n\n");
}

template <typename Write>
std::string for_rows(const TableSummary& table, const Write& write) {
  std::string all;
  for (const ProtocolGroup& group : table.groups) {
    for (const RowSummary& row : group.rows) all += write(row);
  }
  return all;
}

std::string remark_item(const RowSummary& row) {
  const std::string words = remark(*row.row);
  return words.empty()
             ? ""
             : message("- ", markdown_text(row.row->name), ": ", markdown_text(words), "\n");
}

std::string published_item(const RowSummary& row) {
  if (!row.row->published) return "";
  const Published& published = *row.row->published;
  return message("- ", markdown_text(row.row->name), ", ", fixed(published.error, 2),
                 " %: ", markdown_text(published.source), published.obtained.empty() ? "" : "; ",
                 markdown_text(published.obtained), "\n");
}

std::string curve_line(const std::string& steps, const Spread& error, double seconds) {
  return message("| ", steps, " | ", significant(seconds / 60.0), " | ",
                 mean_and_sd(error, 2, " \u00b1 "), " | ", error.count, " |\n");
}

std::string curve_table(const RowSummary& row) {
  if (row.curve.empty()) return "";
  std::string lines;
  for (const CurveSummary& point : row.curve) {
    lines += curve_line(std::to_string(point.step), point.error, point.seconds.mean);
  }
  return message(markdown_text(row.row->name),
                 "\n\n| steps | minutes | error % | seeds |\n|---:|---:|---:|---:|\n", lines,
                 curve_line("all", row.error, row.seconds.mean), "\n");
}

std::string optional_number(const std::optional<double>& value, int digits) {
  return value ? fixed(*value, digits) : std::string(kNoNumber);
}

std::string sweep_table(const RowSummary& row) {
  if (row.row->sweep.empty()) return "";
  std::string lines;
  for (const SweptSetting& setting : row.row->sweep) {
    const std::string mark = setting.shown ? "**" : "";
    lines +=
        message("| ", mark, markdown_text(setting.settings), mark, " | ",
                optional_number(setting.error, 2), " | ", optional_number(setting.confidence, 3),
                " | ", optional_number(setting.cut, 4), " | ", setting.seeds, " |\n");
  }
  return message(markdown_text(row.row->name),
                 "\n\n| setting, that of the row bold | error % | confidence | cut | seeds "
                 "|\n|---|---:|---:|---:|---:|\n",
                 lines, "\n");
}

std::string geometry_item(const RowSummary& row) {
  if (!row.row->figures || !row.row->figures->geometry) return "";
  const FeatureGeometry& geometry = *row.row->figures->geometry;
  const std::string ranks = effective_ranks(geometry);
  if (ranks.empty()) return "";
  return message("- ", markdown_text(row.row->name), ", ", markdown_text(geometry.of), ", ",
                 counted(geometry.dimension, "dimension"), ": ", ranks, "\n");
}

std::string row_commands(const RowSummary& row) {
  std::string lines;
  for (const Cell& cell : row.row->cells) {
    if (!cell.command.empty()) lines += message(cell.command, "\n");
  }
  if (lines.empty()) return "";
  return message(markdown_text(row.row->name), "\n\n", markdown_code(lines, "sh"), "\n");
}

std::string headed(const std::string& title, const std::string& content) {
  return content.empty() ? content : message("## ", title, "\n\n", content, "\n");
}

/// All of them in one block, under what they are.
std::string commands_block(const TableSummary& table) {
  const std::vector<std::string> commands = table_commands(table);
  if (commands.empty()) return "";
  std::string lines;
  for (const std::string& command : commands) lines += message(command, "\n");
  return message(commands_title(commands), ":\n\n", markdown_code(lines, "sh"));
}

std::string origin(const TableSummary& table) {
  const TableResults& results = *table.results;
  std::string machine;
  for (const auto& [name, value] : machine_values(results)) {
    machine += message("- ", markdown_text(name), ": ", markdown_text(measured_text(value)), "\n");
  }
  const std::string commit = results.source_commit.empty()
                                 ? ""
                                 : message(", source ", markdown_text(results.source_commit));
  return message("Suite ", markdown_text(results.version), commit, "; recipe ",
                 markdown_text(results.name), ", SHA-256 `", results.recipe_sha256, "`.\n\n",
                 machine, "\n", commands_block(table));
}

std::string table_text(const TableResults& results) {
  const TableSummary table = summarize(results);
  std::ostringstream out;
  out << "# " << markdown_text(results.title.empty() ? results.name : results.title) << "\n\n"
      << markdown_text(table.headline) << "\n\n";
  if (!results.note.empty()) out << markdown_text(results.note) << "\n\n";
  out << data_line(results.data);
  for (const ProtocolGroup& group : table.groups) out << group_table(group);
  if (!table.left_out.empty()) out << markdown_text(table.left_out) << "\n\n";
  out << headed("Notes on the rows", for_rows(table, remark_item))
      << headed("Where the published numbers come from", for_rows(table, published_item))
      << headed("Error against minutes of training", for_rows(table, curve_table))
      << headed("Every setting of the sweeps", for_rows(table, sweep_table))
      << headed("Geometry of what was clustered", for_rows(table, geometry_item))
      << headed("Commands that do it again", for_rows(table, row_commands))
      << headed("How this table was made", origin(table));
  return out.str();
}

}  // namespace
}  // namespace report

std::string markdown_report(const std::vector<TableResults>& tables) {
  std::string all;
  for (const TableResults& results : tables) all += report::table_text(results);
  return all;
}

}  // namespace subspace::pipelines
