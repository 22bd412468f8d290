// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/error.h>

#include "report/format.h"
#include "report/sections.h"
#include "report/table_commands.h"

namespace subspace::pipelines::report {
namespace {

template <typename Text>
Facts facts_of(const NamedValues& values, const Text& text_of) {
  Facts facts;
  for (const auto& [name, value] : values) facts.emplace_back(name, text_of(value));
  return facts;
}

Markup commands_part(const TableSummary& table) {
  const std::vector<std::string> commands = table_commands(table);
  if (commands.empty()) return {};
  std::string lines = commands.front();
  for (std::size_t i = 1; i < commands.size(); ++i) lines += message("\n", commands[i]);
  return worded("h3", {}, commands_title(commands)) + command_block(lines);
}

}  // namespace

Markup fact_list(const Facts& facts) {
  Markup items;
  for (const auto& [name, value] : facts) {
    if (value.empty()) continue;
    const bool is_hash = value.size() >= 40 && value.find(' ') == std::string::npos;
    items += element("div", {}, worded("dt", {}, name),
                     element("dd", {}, is_hash ? worded("code", {}, value) : text(value)));
  }
  return items.empty() ? Markup() : element("dl", {{"class", "facts"}}, items);
}

Facts set_facts(const NamedValues& values) { return facts_of(values, value_text); }
Facts measured_facts(const NamedValues& values) { return facts_of(values, measured_text); }

Markup command_block(const std::string& commands) {
  return element("div", {{"class", "command"}},
                 worded("button", {{"type", "button"}, {"class", "copy needs-script"}}, "Copy"),
                 element("pre", {{"tabindex", "0"}}, worded("code", {}, commands)));
}

Markup data_section(const TableData& data, const std::string& pictures_remark) {
  Markup section = fact_list({{"data", data.input.name},
                              {"points", std::to_string(data.input.n)},
                              {"dimensions", std::to_string(data.input.dim)},
                              {"pictures", picture_shape(data.input)},
                              {"clusters", std::to_string(data.num_clusters)},
                              {"truth", truth_source(data)},
                              {"SHA-256 of the data", data.input.sha256}});
  if (!pictures_remark.empty()) section += worded("p", {{"class", "remark"}}, pictures_remark);
  return section;
}

Markup origin_section(const TableSummary& table) {
  const TableResults& results = *table.results;
  Facts facts = {{"suite", results.version},
                 {"source", results.source_commit},
                 {"recipe", results.name},
                 {"SHA-256 of the recipe", results.recipe_sha256}};
  const Facts machine = measured_facts(machine_values(results));
  facts.insert(facts.end(), machine.begin(), machine.end());
  Markup section =
      worded("h2", {}, "How this table was made") + fact_list(facts) + commands_part(table);
  if (!results.recipe.empty()) {
    section += element("details", {{"class", "recipe"}}, worded("summary", {}, "The recipe"),
                       element("pre", {{"tabindex", "0"}}, worded("code", {}, results.recipe)));
  }
  return element("section", {}, section);
}

}  // namespace subspace::pipelines::report
