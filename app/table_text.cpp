// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "table_text.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <sstream>

#include "summary.h"

namespace subspace::app {
namespace {

using pipelines::Cell;
using pipelines::Protocol;
using pipelines::RowEstimate;
using pipelines::RowResult;
using pipelines::RowState;
using pipelines::Spread;
using pipelines::TableResults;

/// Columns as wide as their widest entry: words to the left, which are the first one and any
/// without a heading, numbers to the right; no blanks at the end of a line. A line shorter than the
/// heading is a name and words about it, which take no part in the columns.
std::string aligned(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const auto& line : lines) {
    const std::size_t columns = line.size() < widths.size() ? 1 : line.size();
    for (std::size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::ostringstream out;
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string space(widths[i] - std::min(widths[i], line[i].size()), ' ');
      const bool words = i == 0 || line.size() < widths.size() || lines.front()[i].empty();
      text += (i == 0 ? "" : "  ") + (words ? line[i] + space : space + line[i]);
    }
    out << text.substr(0, text.find_last_not_of(' ') + 1) << "\n";
  }
  return out.str();
}

Spread spread_of(const RowResult& row, const std::function<double(const Cell&)>& value) {
  std::vector<double> values;
  for (const Cell& cell : row.cells) values.push_back(value(cell));
  return pipelines::spread(values);
}

std::string mean_and_sd(const Spread& spread, int digits) {
  if (spread.count < 2) return fixed(spread.mean, digits);
  return fixed(spread.mean, digits) + " +- " + fixed(spread.sd, digits);
}

std::string state_text(const RowResult& row) {
  switch (row.state) {
    case RowState::kDone:
      return row.tuned_on_labels ? "settings chosen by these labels" : "";
    case RowState::kPartial:
      return row.message.empty() ? "so far" : "so far; " + row.message;
    case RowState::kNoSettings:
      return "no settings published";
    case RowState::kFailed:
      return "failed: " + row.message;
    default:
      return row.message.empty() ? "not run yet" : "not run: " + row.message;
  }
}

std::vector<std::string> metric_columns(const RowResult& row) {
  const bool known = std::ranges::all_of(
      row.cells, [](const Cell& cell) { return cell.record.metrics.has_value(); });
  if (!known) return {"", "", ""};
  return {
      mean_and_sd(
          spread_of(row, [](const Cell& c) { return 100.0 * (1.0 - c.record.metrics->acc); }), 2),
      mean_and_sd(spread_of(row, [](const Cell& c) { return c.record.metrics->nmi_arithmetic; }),
                  3),
      mean_and_sd(spread_of(row, [](const Cell& c) { return c.record.metrics->ari; }), 3)};
}

std::vector<std::string> line_of(const RowResult& row) {
  if (row.cells.empty() && !row.published) return {row.name, state_text(row)};
  std::vector<std::string> line = {row.name};
  if (row.cells.empty()) {
    line.insert(line.end(), {"", "", "", "", "", ""});
  } else {
    for (std::string& text : metric_columns(row)) line.push_back(std::move(text));
    const Spread seconds =
        spread_of(row, [](const Cell& c) { return c.record.outcome.seconds.total; });
    const Spread memory = spread_of(
        row, [](const Cell& c) { return static_cast<double>(c.record.peak_memory) / 1e6; });
    const bool measured = !row.method.empty();  // not if it was made elsewhere
    line.push_back(measured ? duration_text(seconds.mean) : "");
    line.push_back(measured ? fixed(memory.max, 0) : "");
    line.push_back(std::to_string(row.cells.size()));
  }
  line.push_back(row.published ? fixed(row.published->error, 2) : "");
  line.push_back(state_text(row));
  return line;
}

/// What the sweeps settled on.
std::string choices_text(const TableResults& results) {
  std::string text;
  for (const RowResult& row : results.rows) {
    if (!row.chosen.empty()) text += "\n" + row.name + ": " + row.chosen;
  }
  return text.empty() ? text : text + "\n";
}

std::string gigabytes(double bytes) { return fixed(bytes / 1e9, 2) + " GB"; }

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 60.0) return fixed(seconds, seconds < 10.0 ? 2 : 1) + " s";
  if (seconds < 5400.0) return fixed(seconds / 60.0, 1) + " min";
  return fixed(seconds / 3600.0, 1) + " h";
}

std::string table_text(const TableResults& results) {
  std::ostringstream out;
  out << results.title << "\n"
      << results.data.input.name << ": " << counted(results.data.input.n, "point") << ", "
      << counted(results.data.num_clusters, "cluster") << "\n";
  for (const Protocol protocol : {Protocol::kLabelFree, Protocol::kPaper, Protocol::kOracle}) {
    std::vector<std::vector<std::string>> lines = {{pipelines::protocol_name(protocol), "error %",
                                                    "NMI", "ARI", "time", "MB", "seeds",
                                                    "published %", ""}};
    for (const RowResult& row : results.rows) {
      if (row.protocol == protocol) lines.push_back(line_of(row));
    }
    if (lines.size() > 1) out << "\n" << aligned(lines);
  }
  out << choices_text(results);
  return out.str();
}

std::string estimate_text(const std::vector<RowEstimate>& rows) {
  std::vector<std::vector<std::string>> lines = {{"row", "to run", "kept", "about", "memory"}};
  double seconds = 0.0;
  double bytes = 0.0;
  for (const RowEstimate& row : rows) {
    lines.push_back({row.name, std::to_string(row.cells), std::to_string(row.finished),
                     row.cells == 0 ? "" : duration_text(row.cost.seconds),
                     row.cells == 0 ? "" : gigabytes(row.cost.bytes)});
    seconds += row.cost.seconds;
    bytes = std::max(bytes, row.cost.bytes);
  }
  lines.push_back({"in all", "", "", duration_text(seconds), gigabytes(bytes)});
  return aligned(lines);
}

}  // namespace subspace::app
