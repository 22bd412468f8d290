// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/error.h>
#include <subspace/pipelines/report.h>

#include "report/escape.h"
#include "report/format.h"
#include "report/model.h"

namespace subspace::pipelines {
namespace report {
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

Fields row_fields(const TableResults& results, const RowSummary& row) {
  const auto& published = row.row->published;
  return {{"table", results.name},
          {"data", results.data.input.name},
          {"row", row.row->name},
          {"method", row.row->method},
          {"protocol", protocol_name(row.row->protocol)},
          {"state", row.state.empty() ? "done" : row.state},
          {"published_error", published ? exact(published->error) : ""},
          {"published_source", published ? published->source : ""},
          {"published_obtained", published ? published->obtained : ""}};
}

void add_metrics(Fields& fields, const Cell* cell) {
  const bool known = cell != nullptr && cell->record.metrics.has_value();
  fields.emplace_back("error", known ? exact(error_percent(*cell)) : "");
  for (const auto& [name, value] : named(known ? *cell->record.metrics : PartitionMetrics{})) {
    fields.emplace_back(name, known ? value_text(value) : "");
  }
}

void add_seconds(Fields& fields, const Cell* cell) {
  const StageSeconds seconds = cell != nullptr ? cell->record.outcome.seconds : StageSeconds{};
  const auto add = [&](const char* name, double value) {
    fields.emplace_back(message("seconds_", name), cell != nullptr ? exact(value) : "");
  };
  add("load", cell != nullptr ? cell->record.load_seconds : 0.0);
  add("features", cell != nullptr ? cell->record.outcome.features_seconds : 0.0);
  add("preprocess", seconds.preprocess);
  add("self_expression", seconds.self_expression);
  add("affinity", seconds.affinity);
  add("embedding", seconds.embedding);
  add("assignment", seconds.assignment);
  add("method", seconds.total);
}

/// The fields of one line; all lines have the same names in the same order. No cell: the row has no
/// results.
Fields line_fields(const TableResults& results, const RowSummary& row, const Cell* cell) {
  Fields fields = row_fields(results, row);
  const auto of = [&](const auto& value) { return cell != nullptr ? value(*cell) : std::string(); };
  fields.emplace_back("seed", of([](const Cell& c) { return std::to_string(c.record.seed); }));
  add_metrics(fields, cell);
  add_seconds(fields, cell);
  fields.emplace_back("peak_memory_mb", of([](const Cell& c) {
                        return exact(static_cast<double>(c.record.peak_memory) / 1e6);
                      }));
  fields.emplace_back("converged", of([](const Cell& c) -> std::string {
                        return c.record.outcome.converged ? "true" : "false";
                      }));
  fields.emplace_back("backend", of([](const Cell& c) { return c.record.backend; }));
  fields.emplace_back("threads",
                      of([](const Cell& c) { return std::to_string(c.record.threads); }));
  fields.emplace_back("hash", of([](const Cell& c) { return c.hash; }));
  fields.emplace_back("command", of([](const Cell& c) { return c.command; }));
  return fields;
}

template <typename Part>
std::string csv_line(const Fields& fields, const Part& part) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += ',';
    line += csv_field(fields[i].*part);
  }
  return line += "\r\n";
}

std::string row_lines(const TableResults& results, const RowSummary& row) {
  const auto values = &Fields::value_type::second;
  if (row.row->cells.empty()) return csv_line(line_fields(results, row, nullptr), values);
  std::string lines;
  for (const Cell& cell : row.row->cells) {
    lines += csv_line(line_fields(results, row, &cell), values);
  }
  return lines;
}

std::string left_out_line(const TableResults& results, const LeftOutRow& left_out) {
  const RowResult row = {.name = left_out.name, .protocol = left_out.protocol};
  const RowSummary summary = {.row = &row, .state = "not chosen"};
  return csv_line(line_fields(results, summary, nullptr), &Fields::value_type::second);
}

std::string header() {
  const TableResults nothing;
  const RowResult no_row;
  return csv_line(line_fields(nothing, {.row = &no_row}, nullptr), &Fields::value_type::first);
}

}  // namespace
}  // namespace report

std::string csv_report(const std::vector<TableResults>& tables) {
  std::string text = report::header();
  for (const TableResults& results : tables) {
    for (const report::ProtocolGroup& group : report::summarize(results).groups) {
      for (const report::RowSummary& row : group.rows) text += report::row_lines(results, row);
    }
    for (const LeftOutRow& row : results.left_out) text += report::left_out_line(results, row);
  }
  return text;
}

}  // namespace subspace::pipelines
