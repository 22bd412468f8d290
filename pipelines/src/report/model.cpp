// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "report/model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <subspace/core/error.h>

#include "report/format.h"

namespace subspace::pipelines::report {
namespace {

template <typename Value>
Spread spread_over(const std::vector<Cell>& cells, const Value& value_of) {
  std::vector<double> values;
  for (const Cell& cell : cells) values.push_back(value_of(cell));
  return spread(values);
}

bool has_metrics(const RowResult& row) {
  return !row.cells.empty() && std::ranges::all_of(row.cells, [](const Cell& cell) {
    return cell.record.metrics.has_value();
  });
}

std::string with_reason(const std::string& state, const RowResult& row) {
  return row.message.empty() ? state : message(state, ": ", row.message);
}

std::string seeds_done(const RowResult& row) {
  return message(row.cells.size(), " of ", counted(row.seeds_wanted, "seed"));
}

std::string unconverged(const RowResult& row) {
  const auto count = std::ranges::count_if(
      row.cells, [](const Cell& cell) { return !cell.record.outcome.converged; });
  if (count == 0) return "";
  return message(count, " of ", counted(std::ssize(row.cells), "seed"), " did not converge");
}

std::string state_in_words(const RowResult& row) {
  switch (row.state) {
    case RowState::kDone:
      return row.tuned_on_labels ? "settings chosen by these labels" : unconverged(row);
    case RowState::kPartial:
      return with_reason(seeds_done(row), row);
    case RowState::kNotRun:
      return with_reason("not run", row);
    case RowState::kNoSettings:
      return with_reason("no settings published", row);
    case RowState::kFailed:
      return with_reason("failed", row);
  }
  return "";
}

double percent_wrong(const PartitionMetrics& metrics) { return 100.0 * (1.0 - metrics.acc); }

std::vector<CurveSummary> summarize_curve(const RowResult& row) {
  std::map<std::int64_t, std::vector<const CurvePoint*>> steps;
  for (const Cell& cell : row.cells) {
    for (const CurvePoint& point : cell.record.outcome.curve) {
      if (point.metrics) steps[point.step].push_back(&point);
    }
  }
  std::vector<CurveSummary> curve;
  for (const auto& [step, points] : steps) {
    std::vector<double> errors;
    std::vector<double> seconds;
    for (const CurvePoint* point : points) {
      errors.push_back(percent_wrong(*point->metrics));
      seconds.push_back(point->seconds);
    }
    curve.push_back({.step = step, .error = spread(errors), .seconds = spread(seconds)});
  }
  return curve;
}

RowSummary summarize_row(const RowResult& row, int number) {
  RowSummary summary = {.row = &row, .number = number, .state = state_in_words(row)};
  if (has_metrics(row)) {
    summary.error = spread_over(row.cells, error_percent);
    summary.nmi = spread_over(row.cells,
                              [](const Cell& cell) { return cell.record.metrics->nmi_arithmetic; });
    summary.ari = spread_over(row.cells, [](const Cell& cell) { return cell.record.metrics->ari; });
    summary.curve = summarize_curve(row);
  }
  if (row.method.empty()) return summary;  // made elsewhere: nobody measured it
  summary.seconds =
      spread_over(row.cells, [](const Cell& cell) { return cell.record.outcome.seconds.total; });
  summary.memory_mb = spread_over(row.cells, [](const Cell& cell) {
    return static_cast<double>(cell.record.peak_memory) / 1e6;
  });
  return summary;
}

/// Only rows without labels and with all their seeds compete: a row that stopped early could win by
/// the seeds it happens to have, and settings chosen by the labels use them at second hand.
bool competes(const RowSummary& summary) {
  return !summary.row->tuned_on_labels && summary.row->protocol == Protocol::kLabelFree &&
         summary.row->state == RowState::kDone && summary.error.count > 0;
}

void mark_best(std::vector<RowSummary>& rows) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const RowSummary& row : rows) {
    if (competes(row)) lowest = std::min(lowest, row.error.mean);
  }
  // Sums of the same accuracies in another order differ in the last digits.
  for (RowSummary& row : rows) row.best = competes(row) && row.error.mean <= lowest + 1e-9;
}

/// A row that nobody can complete, for its settings are not published, is not waited for.
std::string so_far(const TableResults& results) {
  std::int64_t complete = 0;
  std::int64_t all = 0;
  for (const RowResult& row : results.rows) {
    if (row.protocol != Protocol::kLabelFree || row.state == RowState::kNoSettings) continue;
    ++all;
    if (row.state == RowState::kDone) ++complete;
  }
  all += std::ranges::count(results.left_out, Protocol::kLabelFree, &LeftOutRow::protocol);
  if (complete == all) return "";
  return message(" so far (", complete, " of ", counted(all, "row"), " complete)");
}

std::string left_out(const TableResults& results) {
  if (results.left_out.empty()) return "";
  std::vector<std::string> names;
  for (const LeftOutRow& row : results.left_out) {
    names.push_back(message(row.name, " (", protocol_name(row.protocol), ")"));
  }
  return message("In the recipe but not in this table: ", joined(names), ".");
}

std::string headline(const std::vector<RowSummary>& rows, const std::string& so_far) {
  std::vector<std::string> names;
  const RowSummary* first = nullptr;
  for (const RowSummary& row : rows) {
    if (!row.best) continue;
    names.push_back(row.row->name);
    if (first == nullptr) first = &row;
  }
  if (first == nullptr) return "No label-free row is complete and has a truth to be held against.";
  if (names.size() > 1) {
    return message("Lowest label-free error", so_far, ": ", fixed(first->error.mean, 2),
                   " %, shared by ", joined(names), ".");
  }
  const std::string sd =
      first->error.count > 1 ? message(", sd ", fixed(first->error.sd, 2)) : std::string();
  return message("Lowest label-free error", so_far, ": ", names.front(), " with ",
                 fixed(first->error.mean, 2), " % over ", counted(first->error.count, "seed"), sd,
                 first->seconds.count > 0
                     ? message(", in ", duration(first->seconds.mean), " a seed.")
                     : std::string("."));
}

std::vector<ProtocolGroup> by_protocol(const std::vector<RowSummary>& rows) {
  std::vector<ProtocolGroup> groups;
  for (const Protocol protocol : {Protocol::kLabelFree, Protocol::kPaper, Protocol::kOracle}) {
    ProtocolGroup group = {.protocol = protocol};
    std::ranges::copy_if(rows, std::back_inserter(group.rows), [protocol](const RowSummary& row) {
      return row.row->protocol == protocol;
    });
    if (!group.rows.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

double error_percent(const Cell& cell) {
  if (!cell.record.metrics) return std::numeric_limits<double>::quiet_NaN();
  return percent_wrong(*cell.record.metrics);
}

std::string remark(const RowResult& row) {
  return message(row.note, row.note.empty() || row.chosen.empty() ? "" : "; ", row.chosen);
}

TableSummary summarize(const TableResults& results) {
  std::vector<RowSummary> rows;
  for (const RowResult& row : results.rows) {
    rows.push_back(summarize_row(row, static_cast<int>(rows.size())));
  }
  mark_best(rows);
  const std::string progress = so_far(results);
  return {.results = &results,
          .groups = by_protocol(rows),
          .headline = headline(rows, progress),
          .so_far = progress,
          .left_out = left_out(results)};
}

std::string protocol_sentence(Protocol protocol) {
  switch (protocol) {
    case Protocol::kLabelFree:
      return "Label-free: true number of clusters, read-out fixed beforehand, no label used.";
    case Protocol::kPaper:
      return "Paper: the settings of the released code, flaws included.";
    case Protocol::kOracle:
      return "Oracle: best of a stated sweep, chosen by the labels; not a result to compete with.";
  }
  return "";
}

std::string mean_and_sd(const Spread& spread, int digits, const std::string& between) {
  if (spread.count == 0) return kNoNumber;
  if (spread.count == 1) return fixed(spread.mean, digits);
  return message(fixed(spread.mean, digits), between, fixed(spread.sd, digits));
}

std::string seconds_text(const RowSummary& row) {
  return row.seconds.count > 0 ? significant(row.seconds.mean) : kNoNumber;
}

std::string memory_text(const RowSummary& row) {
  return row.memory_mb.count > 0 ? fixed(row.memory_mb.max, 0) : kNoNumber;
}

NamedValues machine_values(const TableResults& results) {
  NamedValues values = results.machine;
  std::erase_if(values, [](const auto& value) { return value.first == "version"; });
  return values;
}

std::string picture_shape(const InputInfo& input) {
  if (!input.image) return "";
  return message(input.image->height, " \u00d7 ", input.image->width,
                 input.image->channels == 1 ? ", grey" : ", colour");
}

std::string truth_source(const TableData& data) {
  if (data.truth.empty()) return "not known";
  if (!data.truth_info) return "given with the points";
  if (data.truth_info->variable.empty()) return data.truth_info->source;
  return message(data.truth_info->variable, " of ", data.truth_info->source);
}

}  // namespace subspace::pipelines::report
