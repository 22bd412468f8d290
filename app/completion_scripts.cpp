// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <sstream>

#include "completion.h"

namespace subspace::app {
namespace {

using Kind = ValueSpec::Kind;

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

std::vector<std::string> command_names(const std::vector<CommandSpec>& commands) {
  std::vector<std::string> names;
  for (const CommandSpec& command : commands) names.push_back(command.name);
  return names;
}

std::vector<std::string> spelled(const FlagSpec& flag) {
  std::vector<std::string> names;
  for (const std::string& name : flag.short_names) names.push_back("-" + name);
  for (const std::string& name : flag.long_names) names.push_back("--" + name);
  return names;
}

/// Text inside single quotes of a POSIX shell.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      result += "'\\''";
    } else {
      result += letter;
    }
  }
  result += '\'';
  return result;
}

/// fish: only quote and backslash are special between single quotes.
std::string fish_quoted(const std::string& text) {
  std::string result = "'";
  for (const char letter : text) {
    if (letter == '\'' || letter == '\\') result += '\\';
    result += letter;
  }
  return result + "'";
}

std::string bash_reply(const ValueSpec& value) {
  switch (value.kind) {
    case Kind::kFile:
      return "COMPREPLY=($(compgen -f -- \"$cur\")); compopt -o filenames";
    case Kind::kFolder:
      return "COMPREPLY=($(compgen -d -- \"$cur\")); compopt -o filenames";
    case Kind::kWords:
      return "COMPREPLY=($(compgen -W " + quoted(joined(value.words, " ")) + " -- \"$cur\"))" +
             (value.continues ? "; compopt -o nospace" : "");
    case Kind::kText:
      return ":";
    case Kind::kNone:
      break;
  }
  return "";
}

void bash_command(std::ostream& out, const CommandSpec& command) {
  out << "    " << command.name << ")\n      case \"$prev\" in\n";
  std::vector<std::string> flags;
  for (const FlagSpec& flag : command.flags) {
    const std::vector<std::string> names = spelled(flag);
    flags.insert(flags.end(), names.begin(), names.end());
    if (flag.value.kind != Kind::kNone) {
      out << "        " << joined(names, "|") << ") " << bash_reply(flag.value) << "; return ;;\n";
    }
  }
  out << "      esac\n      if [[ $cur == -* ]]; then\n        COMPREPLY=($(compgen -W "
      << quoted(joined(flags, " ")) << " -- \"$cur\"))\n";
  if (!command.arguments.empty())
    out << "      else\n        " << bash_reply(command.arguments.front()) << "\n";
  out << "      fi\n      ;;\n";
}

/// The action part of a zsh _arguments specification.
std::string zsh_action(const ValueSpec& value) {
  switch (value.kind) {
    case Kind::kFile:
      return ":file:_files";
    case Kind::kFolder:
      return ":folder:_files -/";
    case Kind::kWords:
      return value.continues ? ":option:compadd -S \"\" -- " + joined(value.words, " ")
                             : ":value:(" + joined(value.words, " ") + ")";
    case Kind::kText:
      return ":value: ";
    case Kind::kNone:
      break;
  }
  return "";
}

/// Brackets and colons structure a specification, so they are escaped in descriptions.
std::string zsh_help(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') result += '\\';
    result += letter;
  }
  return result;
}

void zsh_command(std::ostream& out, const CommandSpec& command) {
  out << "    " << command.name << ")\n      _arguments -s";
  for (const FlagSpec& flag : command.flags) {
    for (const std::string& name : spelled(flag)) {
      // A leading star lets a flag be repeated, as --set is.
      out << " \\\n        "
          << quoted((flag.value.continues ? "*" : "") + name + "[" + zsh_help(flag.help) + "]" +
                    zsh_action(flag.value));
    }
  }
  for (const ValueSpec& argument : command.arguments) {
    out << " \\\n        " << quoted(zsh_action(argument));
  }
  out << "\n      ;;\n";
}

std::string fish_value(const ValueSpec& value) {
  switch (value.kind) {
    case Kind::kFile:
      return " -r -F";
    case Kind::kFolder:
      return " -x -a '(__fish_complete_directories)'";
    case Kind::kWords:
      return " -x -a " + fish_quoted(joined(value.words, " "));
    case Kind::kText:
      return " -x";
    case Kind::kNone:
      break;
  }
  return "";
}

void fish_command(std::ostream& out, const CommandSpec& command) {
  const std::string seen =
      "complete -c subspace -n '__fish_seen_subcommand_from " + command.name + "'";
  for (const FlagSpec& flag : command.flags) {
    out << seen;
    for (const std::string& name : flag.short_names) out << " -s " << name;
    for (const std::string& name : flag.long_names) out << " -l " << name;
    out << fish_value(flag.value) << " -d " << fish_quoted(flag.help) << "\n";
  }
  const bool takes_files =
      std::any_of(command.arguments.begin(), command.arguments.end(),
                  [](const ValueSpec& argument) { return argument.kind == Kind::kFile; });
  if (takes_files) out << seen << " -F\n";
  for (const ValueSpec& argument : command.arguments) {
    if (argument.kind == Kind::kWords)
      out << seen << " -a " << fish_quoted(joined(argument.words, " ")) << "\n";
  }
}

}  // namespace

std::string bash_completion(const std::vector<CommandSpec>& commands) {
  std::ostringstream out;
  out << "# bash completion of subspace, made by `subspace completion bash`\n"
         "_subspace() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  COMPREPLY=()\n"
         "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
         "    COMPREPLY=($(compgen -W "
      << quoted(joined(command_names(commands), " ") + " --help --version")
      << " -- \"$cur\"))\n"
         "    return\n"
         "  fi\n"
         "  case ${COMP_WORDS[1]} in\n";
  for (const CommandSpec& command : commands) bash_command(out, command);
  out << "  esac\n}\ncomplete -F _subspace subspace\n";
  return out.str();
}

std::string zsh_completion(const std::vector<CommandSpec>& commands) {
  std::ostringstream out;
  out << "#compdef subspace\n# zsh completion of subspace, made by `subspace completion zsh`\n"
         "_subspace() {\n"
         "  local -a commands\n"
         "  commands=(\n";
  for (const CommandSpec& command : commands) {
    out << "    " << quoted(command.name + ":" + zsh_help(command.help)) << "\n";
  }
  out << "  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    _describe command commands\n"
         "    return\n"
         "  fi\n"
         "  local command=$words[2]\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  case $command in\n";
  for (const CommandSpec& command : commands) zsh_command(out, command);
  // Autoloaded from $fpath the file is the function's first call; sourced it only registers.
  out << "  esac\n}\n"
         "if [[ $funcstack[1] == _subspace ]]; then\n"
         "  _subspace \"$@\"\n"
         "else\n"
         "  compdef _subspace subspace\n"
         "fi\n";
  return out.str();
}

std::string fish_completion(const std::vector<CommandSpec>& commands) {
  std::ostringstream out;
  out << "# fish completion of subspace, made by `subspace completion fish`\n"
         "complete -c subspace -f\n";
  for (const CommandSpec& command : commands) {
    out << "complete -c subspace -n __fish_use_subcommand -a " << command.name << " -d "
        << fish_quoted(command.help) << "\n";
  }
  for (const CommandSpec& command : commands) fish_command(out, command);
  return out.str();
}

}  // namespace subspace::app
