// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/error.h>

#include "report/format.h"
#include "report/sections.h"

namespace subspace::pipelines::report {
namespace {

struct Column {
  const char* key = "";
  const char* title = "";
  bool high_first = false;  ///< sorted for the first time: the best are the highest
};
constexpr Column kColumns[] = {{"name", "Method"},
                               {"error", "Error %"},
                               {"sd", "sd"},
                               {"min", "min"},
                               {"max", "max"},
                               {"nmi", "NMI", true},
                               {"ari", "ARI", true},
                               {"seconds", "Seconds"},
                               {"memory", "Memory MB"},
                               {"seeds", "Seeds", true},
                               {"published", "Published %"},
                               {"state", "State"}};
constexpr int kNumbers = 9;  // columns from error to seeds

Markup head() {
  Markup cells;
  for (const Column& column : kColumns) {
    cells += element("th", {{"scope", "col"}, {"aria-sort", "none"}},
                     worded("button",
                            {{"type", "button"},
                             {"class", "sort"},
                             {"data-key", column.key},
                             {"data-first", column.high_first ? "descending" : "ascending"}},
                            column.title));
  }
  return element("thead", {}, element("tr", {}, cells));
}

/// The numbers of published rows are explained below the table, in the order of first mention.
class Footnotes {
 public:
  explicit Footnotes(const std::string& prefix) : prefix_(prefix) {}

  Markup mark(const Published& published) {
    items_ += element("li", {{"id", message(prefix_, "-n", ++count_)}},
                      text(message(fixed(published.error, 2), " %: ", published.source,
                                   published.obtained.empty() ? "" : "; ", published.obtained)));
    return element(
        "sup", {},
        worded("a", {{"href", message("#", prefix_, "-n", count_)}}, std::to_string(count_)));
  }
  Markup list() const {
    if (items_.empty()) return {};
    return worded("h3", {}, "Where the published numbers come from") +
           element("ol", {{"class", "notes"}}, items_);
  }

 private:
  std::string prefix_;
  int count_ = 0;
  Markup items_ = {};
};

Markup number(const std::string& content) { return worded("td", {{"class", "number"}}, content); }

Markup numbers(const RowSummary& row) {
  const auto of = [](const Spread& spread, double value, int digits) {
    return number(spread.count > 0 ? fixed(value, digits) : kNoNumber);
  };
  Markup error = of(row.error, row.error.mean, 2);
  if (row.best) {
    error = element("td", {{"class", "number"}}, worded("strong", {}, fixed(row.error.mean, 2)));
  }
  const Markup sd = row.error.count == 1 ? number(kNoNumber) : of(row.error, row.error.sd, 2);
  return error + sd + of(row.error, row.error.min, 2) + of(row.error, row.error.max, 2) +
         of(row.nmi, row.nmi.mean, 3) + of(row.ari, row.ari.mean, 3) + number(seconds_text(row)) +
         number(memory_text(row)) + number(std::to_string(row.row->cells.size()));
}

Markup name_cell(const RowSummary& row, const std::string& prefix) {
  const Markup link =
      worded("a", {{"href", message("#", prefix, "-r", row.number)}}, row.row->name);
  return element("th", {{"scope", "row"}}, has_section(*row.row) ? link : text(row.row->name));
}

/// What the script sorts by; absent where there is nothing to compare.
Attributes sort_keys(const RowSummary& row) {
  Attributes keys = {{"data-name", row.row->name},
                     {"data-seeds", std::to_string(row.row->cells.size())},
                     {"data-state", row.state}};
  if (row.row->published) keys.emplace_back("data-published", exact(row.row->published->error));
  if (row.error.count > 0) {
    keys.insert(keys.end(), {{"data-error", exact(row.error.mean)},
                             {"data-sd", exact(row.error.sd)},
                             {"data-min", exact(row.error.min)},
                             {"data-max", exact(row.error.max)},
                             {"data-nmi", exact(row.nmi.mean)},
                             {"data-ari", exact(row.ari.mean)}});
  }
  if (row.seconds.count > 0) {
    keys.insert(keys.end(), {{"data-seconds", exact(row.seconds.mean)},
                             {"data-memory", exact(row.memory_mb.max)}});
  }
  return keys;
}

Markup body_row(const RowSummary& row, const std::string& prefix, Footnotes& footnotes) {
  Attributes attributes = sort_keys(row);
  if (row.best) attributes.emplace_back("class", "best");
  Markup cells = name_cell(row, prefix);
  const std::string state = row.state.empty() ? "done" : row.state;
  if (row.row->cells.empty()) {
    cells += worded("td", {{"class", "state"}, {"colspan", std::to_string(kNumbers)}}, state);
  } else {
    cells += numbers(row);
  }
  const auto& published = row.row->published;
  cells += element(
      "td", {{"class", "number"}},
      published ? text(fixed(published->error, 2)) + footnotes.mark(*published) : text(kNoNumber));
  cells += worded("td", {{"class", "state"}}, row.row->cells.empty() ? "" : state);
  return enclose("tr", attributes, cells);
}

Markup group_body(const ProtocolGroup& group, const std::string& prefix, Footnotes& footnotes) {
  Markup rows = element(
      "tr", {{"class", "protocol"}},
      element("th", {{"scope", "rowgroup"}, {"colspan", std::to_string(std::size(kColumns))}},
              worded("span", {}, protocol_sentence(group.protocol))));
  for (const RowSummary& row : group.rows) rows += body_row(row, prefix, footnotes);
  return element("tbody", {{"data-protocol", protocol_name(group.protocol)}}, rows);
}

}  // namespace

Markup results_table(const TableSummary& table, const std::string& prefix) {
  Footnotes footnotes(prefix);
  Markup content = head();
  for (const ProtocolGroup& group : table.groups) content += group_body(group, prefix, footnotes);
  return element(
      "section", {}, worded("h2", {}, "Results"),
      element(
          "div",
          {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "Results"}},
          element("table", {{"class", "results"}}, content)),
      table.left_out.empty() ? Markup() : worded("p", {{"class", "left-out"}}, table.left_out),
      worded(
          "p", {{"class", "remark"}},
          "Error is 100 (1 - ACC), the share of points outside the cluster matched with their "
          "class: its mean, standard deviation, smallest and largest value over seeds. NMI (over "
          "the arithmetic mean of the entropies), ARI and seconds (without loading) are means, "
          "memory "
          "is the largest. Rows are compared within a protocol only; the lowest label-free error "
          "is bold; "
          "rows whose settings were chosen by the labels of this data do not compete."),
      footnotes.list());
}

}  // namespace subspace::pipelines::report
