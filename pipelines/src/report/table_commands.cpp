// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "report/table_commands.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <subspace/core/error.h>
#include <subspace/pipelines/recipe.h>
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

/// Labels made elsewhere have no seeds or those of their files, and a sweep over seeds its own: the
/// flags of a command leave them as they are.
bool has_seeds_of_its_own(const RowResult& row) {
  return row.method.empty() || std::ranges::any_of(row.sweep, [](const SweptSetting& setting) {
           const std::string swept = message(", ", setting.settings);
           return swept.find(message(", ", kSweptSeed, " = ")) != std::string::npos;
         });
}

/// Whether the row has the seeds that the last command asked for, and not those of the recipe, as
/// rows that it did not choose; nothing where the row cannot tell.
std::optional<bool> has_its_seeds(const LastCommand& last, const RowResult& row) {
  if (has_seeds_of_its_own(row)) return std::nullopt;
  std::optional<bool> has;
  if (!last.seeds.empty()) has = std::to_string(row.seeds_wanted) == last.seeds;
  if (!last.first_seed.empty() && !row.cells.empty()) {
    const bool begins = std::to_string(row.cells.front().record.seed) == last.first_seed;
    has = begins && has.value_or(true);
  }
  return has;
}

/// Rows of one protocol that one command makes.
struct CommandRows {
  Protocol protocol = Protocol::kLabelFree;
  bool has_last_seeds = false;
  bool is_all = true;  ///< that the recipe has of the protocol
  std::vector<std::string> names = {};
};

/// Those with the seeds of the last command come last: a command gives the rows that it does not
/// choose the recipe's.
std::vector<CommandRows> rows_by_command(const TableSummary& table, const LastCommand& last) {
  std::vector<CommandRows> before;
  std::vector<CommandRows> after;
  for (const ProtocolGroup& group : table.groups) {
    CommandRows plain{.protocol = group.protocol};
    CommandRows seeded{.protocol = group.protocol, .has_last_seeds = true};
    const bool any = std::ranges::any_of(group.rows, [&](const RowSummary& row) {
      return has_its_seeds(last, *row.row).value_or(false);
    });
    for (const RowSummary& row : group.rows) {
      CommandRows& own = has_its_seeds(last, *row.row).value_or(any) ? seeded : plain;
      own.names.push_back(row.row->name);
    }
    plain.is_all = seeded.is_all =
        (plain.names.empty() || seeded.names.empty()) &&
        !std::ranges::count(table.results->left_out, group.protocol, &LeftOutRow::protocol);
    if (!plain.names.empty()) before.push_back(std::move(plain));
    if (!seeded.names.empty()) after.push_back(std::move(seeded));
  }
  before.insert(before.end(), after.begin(), after.end());
  return before;
}

std::string methods_flag(const CommandRows& rows) {
  if (rows.is_all) return "";
  std::string names;
  for (const std::string& name : rows.names) names += message(names.empty() ? "" : ",", name);
  return message(" --methods ", shell_word(names));
}

std::string seed_flags(const CommandRows& rows, const LastCommand& last) {
  if (!rows.has_last_seeds) return "";
  return message(last.seeds.empty() ? "" : message(" --seeds ", last.seeds),
                 last.first_seed.empty() ? "" : message(" --first-seed ", last.first_seed));
}

}  // namespace

std::vector<std::string> table_commands(const TableSummary& table) {
  if (table.results->command.empty()) return {};
  const LastCommand last = taken_apart(table.results->command);
  std::vector<std::string> commands;
  for (const CommandRows& rows : rows_by_command(table, last)) {
    const std::string protocol = rows.protocol == Protocol::kLabelFree
                                     ? std::string()
                                     : message(" --protocol ", protocol_name(rows.protocol));
    commands.push_back(message(last.common, protocol, methods_flag(rows), seed_flags(rows, last),
                               commands.empty() ? "" : " --resume"));
  }
  return commands;
}

std::string commands_title(const std::vector<std::string>& commands) {
  return commands.size() == 1 ? "The command of the whole table"
                              : "The commands of the whole table, one after another";
}

}  // namespace subspace::pipelines::report
