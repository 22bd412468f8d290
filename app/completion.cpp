// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "completion.h"

#include <memory>
#include <set>
#include <sstream>

#include <subspace/core/error.h>
#include <subspace/datasets/registry.h>
#include <subspace/pipelines/catalogue.h>

#include "commands.h"
#include "exit_code.h"
#include "session.h"

namespace subspace::app {
namespace {

/// `stage.name=` of every method, each once.
std::vector<std::string> option_keys() {
  std::set<std::string> keys;
  for (const std::string& name : pipelines::method_names()) {
    const pipelines::Clusterer clusterer(name);
    for (const pipelines::MethodOption& option : clusterer.options())
      keys.insert(option.key() + "=");
  }
  return {keys.begin(), keys.end()};
}

std::vector<std::string> dataset_names() {
  std::vector<std::string> names;
  for (const datasets::DatasetInfo& info : datasets::registry()) names.push_back(info.name);
  return names;
}

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, '|');) words.push_back(word);
  return words;
}

/// The name that help shows for a value says what it is.
ValueSpec value_of(const CLI::Option& option) {
  using Kind = ValueSpec::Kind;
  const std::string type = option.get_type_name();
  if (option.get_items_expected_max() == 0) return {};
  if (type == "FILE" || type == "[FILE]") return {Kind::kFile};
  if (type == "INPUT") return {Kind::kFile};
  if (type == "DATASET") return {Kind::kWords, dataset_names()};
  if (type == "DIR") return {Kind::kFolder};
  if (type == "METHOD") return {Kind::kWords, pipelines::method_names()};
  if (type == "KEY=VALUE") return {Kind::kWords, option_keys(), true};
  if (type.find('|') != std::string::npos) return {Kind::kWords, split_words(type)};
  return {Kind::kText};
}

CommandSpec describe_command(const CLI::App& parser) {
  CommandSpec command{.name = parser.get_name(), .help = parser.get_description()};
  for (const CLI::Option* option : parser.get_options()) {
    if (option->get_positional()) {
      command.arguments.push_back(value_of(*option));
    } else {
      command.flags.push_back({option->get_snames(), option->get_lnames(),
                               option->get_description(), value_of(*option)});
    }
  }
  return command;
}

/// A command of commands looks to a shell like one whose first argument is their name. Flags are
/// those of all of them.
CommandSpec describe_group(const CLI::App& parser) {
  CommandSpec group{.name = parser.get_name(), .help = parser.get_description()};
  group.arguments.push_back({ValueSpec::Kind::kWords});
  std::set<std::string> flags;
  for (const CLI::App* child : parser.get_subcommands([](const CLI::App*) { return true; })) {
    group.arguments.front().words.push_back(child->get_name());
    const CommandSpec command = describe_command(*child);
    if (!command.arguments.empty() && group.arguments.size() < 2) {
      group.arguments.push_back(command.arguments.front());
    }
    for (const FlagSpec& flag : command.flags) {
      if (flags.insert(flag.long_names.front()).second) group.flags.push_back(flag);
    }
  }
  return group;
}

std::vector<CommandSpec> describe_program(const CLI::App& program) {
  std::vector<CommandSpec> commands;
  for (const CLI::App* parser : program.get_subcommands([](const CLI::App*) { return true; })) {
    const bool has_children = !parser->get_subcommands({}).empty();
    commands.push_back(has_children ? describe_group(*parser) : describe_command(*parser));
  }
  return commands;
}

int completion_command(const CLI::App& program, const std::string& shell) {
  const std::vector<CommandSpec> commands = describe_program(program);
  if (shell == "bash") {
    print_result(bash_completion(commands));
  } else if (shell == "zsh") {
    print_result(zsh_completion(commands));
  } else if (shell == "fish") {
    print_result(fish_completion(commands));
  } else {
    throw InvalidArgument(
        message("completion: shell '", shell, "', must be one of bash, zsh, fish"));
  }
  return kDone;
}

}  // namespace

Command add_completion_command(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("completion", "print the completion script of a shell");
  const auto shell = std::make_shared<std::string>();
  parser->add_option("SHELL", *shell, "bash, zsh or fish")->required()->type_name("bash|zsh|fish");
  parser->footer(
      "bash: subspace completion bash > ~/.local/share/bash-completion/completions/subspace\n"
      "zsh:  subspace completion zsh > a folder of $fpath, as _subspace\n"
      "fish: subspace completion fish > ~/.config/fish/completions/subspace.fish");
  return {parser, [&program, shell] { return completion_command(program, *shell); }};
}

}  // namespace subspace::app
