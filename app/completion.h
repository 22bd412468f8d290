// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

namespace subspace::app {

/// What can follow a flag, or stand as an argument.
struct ValueSpec {
  enum class Kind { kNone, kText, kFile, kFolder, kWords };
  Kind kind = Kind::kNone;
  std::vector<std::string> words = {};
  bool continues = false;  ///< the word goes on after completion, as key= does
};

struct FlagSpec {
  std::vector<std::string> short_names = {};  ///< without dashes
  std::vector<std::string> long_names = {};
  std::string help = {};
  ValueSpec value = {};
};

struct CommandSpec {
  std::string name = {};
  std::string help = {};
  std::vector<FlagSpec> flags = {};
  std::vector<ValueSpec> arguments = {};
};

/// The scripts that teach a shell the commands.
std::string bash_completion(const std::vector<CommandSpec>& commands);
std::string zsh_completion(const std::vector<CommandSpec>& commands);
std::string fish_completion(const std::vector<CommandSpec>& commands);

}  // namespace subspace::app
