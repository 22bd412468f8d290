// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <map>

#include <subspace/core/error.h>

#include "report/figures.h"
#include "report/format.h"
#include "report/geometry.h"
#include "report/sections.h"

namespace subspace::pipelines::report {
namespace {

Markup headed(const std::string& title, const Markup& content) {
  if (content.empty()) return {};
  return worded("h4", {}, title) + content;
}

Markup summary_line(const RowSummary& row) {
  const std::string numbers =
      row.error.count > 0 ? message(mean_and_sd(row.error, 2, " \u00b1 "), " %") : std::string();
  return element("summary", {}, worded("h3", {}, row.row->name),
                 worded("span", {{"class", "figure-of"}}, numbers),
                 worded("span", {{"class", "badge"}}, protocol_name(row.row->protocol)),
                 worded("span", {{"class", "state"}}, row.state));
}

Markup figures_of(const TableResults& results, const RowSummary& row,
                  const std::optional<Confusion>& confusion, const std::string& id) {
  Markup figures;
  if (row.row->figures) {
    const Figures& shown = *row.row->figures;
    figures += map_figure(shown, row.row->cells.front().record.outcome.labels, confusion,
                          message(id, "-map"));
    figures += affinity_figure(shown.affinity, message(id, "-affinity"));
    figures += spectrum_figure(shown.eigenvalues, results.data.num_clusters);
  }
  if (confusion) figures += confusion_figure(*confusion);
  if (figures.empty()) return {};
  return worded("p", {{"class", "remark"}},
                message("Figures are of seed ", row.row->cells.front().record.seed, ".")) +
         element("div", {{"class", "figures"}}, figures);
}

Markup seed_row(const Cell& cell) {
  const Record& record = cell.record;
  const auto metric = [&](double PartitionMetrics::*value) {
    return record.metrics ? fixed((*record.metrics).*value, 3) : kNoNumber;
  };
  Markup cells;
  for (const std::string& value :
       {std::to_string(record.seed), fixed(error_percent(cell), 2),
        metric(&PartitionMetrics::nmi_arithmetic), metric(&PartitionMetrics::ari),
        significant(record.outcome.seconds.total),
        fixed(static_cast<double>(record.peak_memory) / 1e6, 0)}) {
    cells += worded("td", {{"class", "number"}}, value);
  }
  cells += worded("td", {}, record.outcome.converged ? "yes" : "no");
  cells += element("td", {}, worded("code", {}, cell.hash));
  return element("tr", {}, cells);
}

Markup scrolled(const char* label, const Markup& head, const Markup& body) {
  return element(
      "div", {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", label}},
      element("table", {{"class", "seeds"}}, element("thead", {}, element("tr", {}, head)),
              element("tbody", {}, body)));
}

Markup seeds_table(const RowResult& row) {
  Markup head;
  for (const char* title :
       {"Seed", "Error %", "NMI", "ARI", "Seconds", "Memory MB", "Converged", "Hash"}) {
    head += worded("th", {{"scope", "col"}}, title);
  }
  Markup body;
  for (const Cell& cell : row.cells) body += seed_row(cell);
  return scrolled("Seeds", head, body);
}

/// Each warning once, with the seeds that gave it.
Markup warnings(const RowResult& row) {
  std::map<std::string, std::vector<std::string>> seeds;
  for (const Cell& cell : row.cells) {
    for (const std::string& warning : cell.record.outcome.warnings) {
      seeds[warning].push_back(std::to_string(cell.record.seed));
    }
  }
  Markup items;
  for (const auto& [warning, of] : seeds) {
    items += worded("li", {}, message(warning, " (seed ", joined(of), ")"));
  }
  return items.empty() ? items : element("ul", {}, items);
}

Facts stage_seconds(const RowResult& row) {
  const auto mean = [&](double StageSeconds::*stage) {
    std::vector<double> values;
    for (const Cell& cell : row.cells) values.push_back(cell.record.outcome.seconds.*stage);
    const double seconds = spread(values).mean;
    return seconds > 0.0 ? message(significant(seconds), " s") : std::string();
  };
  std::vector<double> features;
  for (const Cell& cell : row.cells) features.push_back(cell.record.outcome.features_seconds);
  const double learning = spread(features).mean;
  return {{"features", learning > 0.0 ? message(significant(learning), " s") : std::string()},
          {"preprocess", mean(&StageSeconds::preprocess)},
          {"self-expression", mean(&StageSeconds::self_expression)},
          {"affinity", mean(&StageSeconds::affinity)},
          {"embedding", mean(&StageSeconds::embedding)},
          {"assignment", mean(&StageSeconds::assignment)},
          {"total", mean(&StageSeconds::total)}};
}

std::string commands_of(const RowResult& row) {
  std::string lines;
  for (const Cell& cell : row.cells) {
    if (cell.command.empty()) continue;
    lines += lines.empty() ? cell.command : message("\n", cell.command);
  }
  return lines;
}

Facts run_facts(const RowResult& row) {
  const Record& first = row.cells.front().record;
  Facts facts = {{"method", row.method},
                 {"back end", first.backend},
                 {"threads", first.threads > 0 ? std::to_string(first.threads) : std::string()},
                 {"device", first.device},
                 {"source", first.source_commit}};
  if (row.published) {
    facts.emplace_back("published",
                       message(fixed(row.published->error, 2), " %: ", row.published->source));
    facts.emplace_back("obtained", row.published->obtained);
  }
  return facts;
}

Markup swept_row(const SweptSetting& setting) {
  const auto number = [](const std::optional<double>& value, int digits) {
    return worded("td", {{"class", "number"}},
                  value ? fixed(*value, digits) : std::string(kNoNumber));
  };
  return element("tr", {},
                 element("td", {}, worded(setting.shown ? "strong" : "span", {}, setting.settings)),
                 number(setting.error, 2), number(setting.confidence, 3), number(setting.cut, 4),
                 worded("td", {{"class", "number"}}, std::to_string(setting.seeds)));
}

/// What else was tried; the setting of the row is bold.
Markup sweep_table(const RowResult& row) {
  if (row.sweep.empty()) return {};
  Markup head;
  for (const char* title : {"Setting", "Error %", "Confidence", "Cut", "Seeds"}) {
    head += worded("th", {{"scope", "col"}}, title);
  }
  Markup body;
  for (const SweptSetting& setting : row.sweep) body += swept_row(setting);
  return scrolled("Settings of the sweep", head, body);
}

Markup words_of(const RowSummary& row) {
  const RowResult& result = *row.row;
  const Record& first = result.cells.front().record;
  const std::string commands = commands_of(result);
  Markup parts = headed("Seeds", seeds_table(result));
  parts += headed("Every setting of the sweep", sweep_table(result));
  parts += headed("Run", fact_list(run_facts(result)));
  parts += headed("Settings", fact_list(set_facts(first.options)));
  parts += headed("Seconds by stage", fact_list(stage_seconds(result)));
  parts +=
      headed("Certificate of the first seed", fact_list(measured_facts(first.outcome.certificate)));
  parts += headed("Warnings", warnings(result));
  if (!commands.empty()) parts += headed("Do it again", command_block(commands));
  return parts;
}

/// What there is to see and to say of a row that ran.
Markup measured(const TableResults& results, const RowSummary& row, const Thumbnails& thumbnails,
                const std::string& id) {
  const auto matched = confusion(row.row->cells.front().record.outcome.labels, results.data.truth);
  Markup content = figures_of(results, row, matched, id);
  if (matched) content += confused_objects(*matched, thumbnails);
  if (row.row->figures && row.row->figures->geometry) {
    const Labels& found = row.row->cells.front().record.outcome.labels;
    content += geometry_section(*row.row->figures->geometry, {found, matched}, thumbnails,
                                message(id, "-geometry"));
  }
  return content + words_of(row);
}

}  // namespace

bool has_section(const RowResult& row) { return !row.cells.empty() || !remark(row).empty(); }

Markup row_section(const TableResults& results, const RowSummary& row, const Thumbnails& thumbnails,
                   const std::string& prefix) {
  if (!has_section(*row.row)) return {};
  const std::string id = message(prefix, "-r", row.number);
  Attributes attributes = {{"class", "row"}, {"id", id}};
  if (row.best) attributes.emplace_back("open", "");
  Markup content = summary_line(row);
  const std::string words = remark(*row.row);
  if (!words.empty()) content += worded("p", {{"class", "note"}}, words);
  if (!row.row->cells.empty()) content += measured(results, row, thumbnails, id);
  return enclose("details", attributes, content);
}

}  // namespace subspace::pipelines::report
