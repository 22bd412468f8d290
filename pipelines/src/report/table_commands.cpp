// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "report/table_commands.h"

#include <algorithm>

#include <subspace/core/error.h>
#include <subspace/pipelines/shell_word.h>

namespace subspace::pipelines::report {
namespace {

/// The words of a command as they stand there, quotes included; shell_word() made them.
std::vector<std::string> shell_words(const std::string& command) {
  std::vector<std::string> words(1);
  bool quoted = false;
  bool escaped = false;
  for (const char letter : command) {
    if (letter == '\'' && !escaped) quoted = !quoted;
    escaped = letter == '\\' && !quoted && !escaped;
    if (letter == ' ' && !quoted) {
      words.emplace_back();
    } else {
      words.back() += letter;
    }
  }
  std::erase(words, "");
  return words;
}

/// What every command of the table has, and the seeds that the last one asked for.
struct LastCommand {
  std::string common = {};
  std::string seeds = {};
  std::string first_seed = {};
};

/// Leaves out the choice of rows and what is of one sitting only.
LastCommand taken_apart(const std::string& command) {
  const std::vector<std::string> words = shell_words(command);
  LastCommand last;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t start = words[i].starts_with('\'') ? 1 : 0;
    const std::size_t sign = words[i].find('=');
    const std::string flag = words[i].substr(start, sign - start);
    if (flag == "--resume") continue;
    const bool of_rows = flag == "--protocol" || flag == "--methods" || flag == "--budget" ||
                         flag == "--seeds" || flag == "--first-seed";
    if (!of_rows) {
      last.common += message(last.common.empty() ? "" : " ", words[i]);
      continue;
    }
    const bool apart = sign == std::string::npos;
    if (apart && ++i == words.size()) break;
    const std::string value = apart ? words[i] : words[i].substr(sign + 1);
    if (flag == "--seeds") last.seeds = value;
    if (flag == "--first-seed") last.first_seed = value;
  }
  return last;
}

/// Needed only where the recipe has more rows of the protocol.
std::string methods_flag(const TableResults& results, const ProtocolGroup& group) {
  if (!std::ranges::count(results.left_out, group.protocol, &LeftOutRow::protocol)) return "";
  std::string names;
  for (const RowSummary& row : group.rows) {
    names += message(names.empty() ? "" : ",", row.row->name);
  }
  return message(" --methods ", shell_word(names));
}

/// The last command's number of seeds is meant for the rows that it chose.
std::string seeds_flag(const std::string& seeds, const ProtocolGroup& group) {
  const bool meant = std::ranges::all_of(group.rows, [&](const RowSummary& row) {
    return std::to_string(row.row->seeds_wanted) == seeds;
  });
  return meant ? message(" --seeds ", seeds) : std::string();
}

std::string first_seed_flag(const std::string& seed, const ProtocolGroup& group) {
  const bool meant = std::ranges::all_of(group.rows, [&](const RowSummary& row) {
    const std::vector<Cell>& cells = row.row->cells;
    return !cells.empty() && std::to_string(cells.front().record.seed) == seed;
  });
  return meant ? message(" --first-seed ", seed) : std::string();
}

}  // namespace

std::vector<std::string> table_commands(const TableSummary& table) {
  if (table.results->command.empty()) return {};
  const LastCommand last = taken_apart(table.results->command);
  std::vector<std::string> commands;
  for (const ProtocolGroup& group : table.groups) {
    const std::string protocol = group.protocol == Protocol::kLabelFree
                                     ? std::string()
                                     : message(" --protocol ", protocol_name(group.protocol));
    commands.push_back(message(
        last.common, protocol, methods_flag(*table.results, group), seeds_flag(last.seeds, group),
        first_seed_flag(last.first_seed, group), commands.empty() ? "" : " --resume"));
  }
  return commands;
}

std::string commands_title(const std::vector<std::string>& commands) {
  return commands.size() == 1 ? "The command of the whole table"
                              : "The commands of the whole table, one after another";
}

}  // namespace subspace::pipelines::report
