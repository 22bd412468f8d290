// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <cmath>

#include <subspace/core/atomic_file.h>
#include <subspace/core/error.h>
#include <subspace/pipelines/report.h>
#include <subspace/pipelines/trials.h>

#include "report/escape.h"
#include "report/format.h"
#include "report/sections.h"

namespace subspace::pipelines {
namespace {

using namespace report;

using Line = std::vector<std::string>;

const Line kHeading = {"method", "group",   "trials",      "mean %",      "median %",
                       "max %",  "seconds", "unconverged", "published %", "state"};
constexpr std::size_t kWordColumns[] = {0, 1, 9};
constexpr Protocol kProtocols[] = {Protocol::kLabelFree, Protocol::kPaper, Protocol::kOracle};
constexpr char kRemark[] =
    "Error is the share of points outside the cluster matched with their class, in percent: mean, "
    "median and largest over the trials of a group. Seconds are the sum over its trials, each on "
    "one thread, without loading. Unconverged are the trials in which a solver stopped before its "
    "tolerance, as published iterations do by design. The true number of clusters of each trial is "
    "given.";

std::string state_text(const TrialsRow& row) {
  std::string text = state_name(row.state);
  if (!row.message.empty()) text += message(": ", row.message);
  if (row.tuned_on_labels) text += "; settings chosen by these labels";
  return text;
}

std::string number(double value) { return std::isfinite(value) ? fixed(value, 2) : kNoNumber; }

Line line_of(const GroupSummary& summary) {
  const std::string trials = summary.done == summary.wanted
                                 ? std::to_string(summary.done)
                                 : message(summary.done, " of ", summary.wanted);
  return {"",
          summary.group,
          trials,
          number(summary.mean),
          number(summary.median),
          number(summary.max),
          summary.done > 0 ? significant(summary.seconds) : std::string(kNoNumber),
          std::to_string(summary.unconverged),
          summary.published ? fixed(*summary.published, 2) : std::string(kNoNumber),
          ""};
}

/// Name and state stand in the first line of a row.
std::vector<Line> lines_of(const TrialsResults& results, const TrialsRow& row) {
  std::vector<Line> lines;
  for (const GroupSummary& summary : summarize(results, row)) lines.push_back(line_of(summary));
  lines.front().front() = row.name;
  lines.front().back() = state_text(row);
  return lines;
}

/// The lines of all rows under a protocol; none where it has no row.
std::vector<Line> protocol_lines(const TrialsResults& results, Protocol protocol) {
  std::vector<Line> lines;
  for (const TrialsRow& row : results.rows) {
    if (row.protocol != protocol) continue;
    for (Line& line : lines_of(results, row)) lines.push_back(std::move(line));
  }
  return lines;
}

bool is_word(std::size_t column) {
  return std::ranges::find(kWordColumns, column) != std::end(kWordColumns);
}

/// What there is to say of a row in words.
std::vector<std::string> remarks(const TrialsResults& results) {
  std::vector<std::string> all;
  for (const TrialsRow& row : results.rows) {
    const auto others = std::ranges::count_if(
        row.outcomes, [](const auto& outcome) { return outcome && outcome->other_source; });
    if (!row.note.empty()) all.push_back(message(row.name, ": ", row.note));
    if (row.published) {
      const std::string& obtained = row.published->obtained;
      all.push_back(message(row.name, ", published: ", row.published->source,
                            obtained.empty() ? "" : "; ", obtained));
    }
    if (others > 0) {
      all.push_back(message(row.name, ": ", counted(others, "trial"),
                            " computed by another commit than that of the program that made this "
                            "table"));
    }
  }
  return all;
}

std::string left_out_text(const TrialsResults& results) {
  std::vector<std::string> names;
  for (const LeftOutRow& row : results.left_out) names.push_back(row.name);
  return names.empty() ? "" : message("Rows that were not asked for: ", joined(names), ".");
}

/// The settings of a row as a command takes them.
std::string settings_text(const TrialsRow& row) {
  std::string text = message(row.name, ": ", row.method);
  for (const auto& [key, value] : row.set) text += message(" ", key, "=", value);
  return text;
}

std::string settings_block(const TrialsResults& results) {
  std::string text;
  for (const TrialsRow& row : results.rows) text += settings_text(row) + "\n";
  return text;
}

// ---- Markdown

std::string markdown_line(const Line& line) {
  std::string text = "|";
  for (const std::string& cell : line) text += message(" ", markdown_text(cell), " |");
  return text + "\n";
}

std::string markdown_table(const std::vector<Line>& lines) {
  std::string text = markdown_line(kHeading) + "|";
  for (std::size_t i = 0; i < kHeading.size(); ++i) text += is_word(i) ? "---|" : "---:|";
  text += "\n";
  for (const Line& line : lines) text += markdown_line(line);
  return text + "\n";
}

// ---- HTML

Markup html_heading() {
  Markup cells;
  for (std::size_t i = 0; i < kHeading.size(); ++i) {
    cells +=
        worded("th", {{"scope", "col"}, {"class", is_word(i) ? "words" : "number"}}, kHeading[i]);
  }
  return element("tr", {}, cells);
}

/// The name of a row heads its first line.
Markup html_line(const Line& line) {
  Markup cells = worded("th", {{"scope", "row"}}, line.front());
  for (std::size_t i = 1; i < line.size(); ++i) {
    cells += worded("td", {{"class", is_word(i) ? "words" : "number"}}, line[i]);
  }
  return element("tr", {}, cells);
}

Markup html_table(const std::vector<Line>& lines) {
  Markup body;
  for (const Line& line : lines) body += html_line(line);
  return element("div", {{"class", "scroll"}, {"tabindex", "0"}},
                 element("table", {{"class", "results"}}, element("thead", {}, html_heading()),
                         element("tbody", {}, body)));
}

// ---- LaTeX

std::string latex_columns() {
  std::string columns;
  for (std::size_t i = 0; i < kHeading.size(); ++i) columns += is_word(i) ? 'l' : 'r';
  return columns;
}

std::string latex_line(const Line& line) {
  std::string text = latex_text(line.front());
  for (std::size_t i = 1; i < line.size(); ++i) text += message(" & ", latex_text(line[i]));
  return text + " \\\\\n";
}

// ---- text

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char letter) { return (static_cast<unsigned char>(letter) & 0xC0U) != 0x80U; }));
}

std::string aligned(const std::vector<Line>& lines) {
  std::vector<std::size_t> widths(kHeading.size());
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(line[i]));
    }
  }
  std::string text;
  for (const Line& line : lines) {
    std::string row;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string space(widths[i] - width_of(line[i]), ' ');
      row += (i == 0 ? "" : "  ") + (is_word(i) ? line[i] + space : space + line[i]);
    }
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

std::string markdown_report(const TrialsResults& results) {
  std::string text = message("# ", markdown_text(results.title), "\n\n");
  if (!results.note.empty()) text += message(markdown_text(results.note), "\n\n");
  for (const Protocol protocol : kProtocols) {
    const std::vector<Line> lines = protocol_lines(results, protocol);
    if (!lines.empty()) {
      text += message(protocol_sentence(protocol), "\n\n", markdown_table(lines));
    }
  }
  text += message(kRemark, "\n\n");
  for (const std::string& remark : remarks(results)) {
    text += message("- ", markdown_text(remark), "\n");
  }
  const std::string left_out = left_out_text(results);
  if (!left_out.empty()) text += message("\n", markdown_text(left_out), "\n");
  text += message(
      "\nSettings beside the defaults of each method, `4k` being four times the number "
      "of clusters:\n\n",
      markdown_code(settings_block(results), "text"), "\nMade by\n\n",
      markdown_code(results.command, "sh"), "\nsubspace ", results.version);
  if (!results.source_commit.empty()) text += message(", commit ", results.source_commit);
  return text + ".\n";
}

std::string html_report(const TrialsResults& results) {
  Markup article = worded("h1", {}, results.title);
  if (!results.note.empty()) article += worded("p", {{"class", "note"}}, results.note);
  for (const Protocol protocol : kProtocols) {
    const std::vector<Line> lines = protocol_lines(results, protocol);
    if (lines.empty()) continue;
    article +=
        element("section", {}, worded("h2", {}, protocol_sentence(protocol)), html_table(lines));
  }
  article += worded("p", {{"class", "remark"}}, kRemark);
  Markup items;
  for (const std::string& remark : remarks(results)) items += worded("li", {}, remark);
  article += element("ul", {{"class", "notes"}}, items);
  const std::string left_out = left_out_text(results);
  if (!left_out.empty()) article += worded("p", {{"class", "left-out"}}, left_out);
  article +=
      element("section", {}, worded("h2", {}, "Settings"), command_block(settings_block(results))) +
      element("section", {}, worded("h2", {}, "Made by"), command_block(results.command));
  return whole_page(results.title, "", element("article", {}, article));
}

std::string csv_report(const TrialsResults& results) {
  std::string text =
      "table,row,method,protocol,trial,group,clusters,points,dimension,error,seconds,converged\r\n";
  for (const TrialsRow& row : results.rows) {
    for (std::size_t i = 0; i < results.trials.size(); ++i) {
      if (!row.outcomes[i]) continue;
      const Trial& trial = results.trials[i];
      text += message(csv_field(results.name), ",", csv_field(row.name), ",", csv_field(row.method),
                      ",", protocol_name(row.protocol), ",", csv_field(trial.name), ",",
                      csv_field(trial.group), ",", trial.num_clusters, ",", trial.num_points, ",",
                      trial.dimension, ",", exact(row.outcomes[i]->error), ",",
                      exact(row.outcomes[i]->seconds), ",",
                      row.outcomes[i]->converged ? "true" : "false", "\r\n");
    }
  }
  return text;
}

std::string latex_report(const TrialsResults& results) {
  std::string text =
      message("% Needs \\usepackage{booktabs}.\n\n\\begin{table}\n\\centering\n\\caption{",
              latex_text(results.title), ". ", latex_text(kRemark), "}\n\\begin{tabular}{",
              latex_columns(), "}\n\\toprule\n", latex_line(kHeading));
  for (const Protocol protocol : kProtocols) {
    const std::vector<Line> lines = protocol_lines(results, protocol);
    if (lines.empty()) continue;
    text += message("\\midrule\n\\multicolumn{", kHeading.size(), "}{l}{\\emph{",
                    latex_text(protocol_sentence(protocol)), "}} \\\\\n");
    for (const Line& line : lines) text += latex_line(line);
  }
  return text + "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
}

void write_report(const TrialsResults& results, const std::filesystem::path& path) {
  check_report_path(path);
  const std::string extension = path.extension().string();
  if (extension == ".html") return write_file_atomically(path, html_report(results));
  if (extension == ".md") return write_file_atomically(path, markdown_report(results));
  if (extension == ".csv") return write_file_atomically(path, csv_report(results));
  if (extension == ".tex") return write_file_atomically(path, latex_report(results));
  write_file_atomically(path, to_json(results));
}

std::string text_report(const TrialsResults& results) {
  std::string text = message(results.title, "\n");
  for (const Protocol protocol : kProtocols) {
    std::vector<Line> lines = protocol_lines(results, protocol);
    if (lines.empty()) continue;
    lines.insert(lines.begin(), kHeading);
    text += message("\n", protocol_sentence(protocol), "\n\n", aligned(lines));
  }
  const std::string left_out = left_out_text(results);
  return left_out.empty() ? text : message(text, "\n", left_out, "\n");
}

}  // namespace subspace::pipelines
