// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include <subspace/pipelines/settings.h>

namespace subspace::app {

/// The settings that a command takes, as flags made from their descriptions. Lives as long as the
/// parser.
class SettingFlags {
 public:
  /// Flags for the named settings; "set" stands for --set, "input" for the positional INPUT,
  /// "verbosity" for -q and -v, "config" for --config. `help` is for settings that mean something
  /// of its own to this command.
  SettingFlags(CLI::App& command, const std::vector<std::string>& names,
               const std::map<std::string, std::string>& help = {});
  SettingFlags(const SettingFlags&) = delete;
  SettingFlags& operator=(const SettingFlags&) = delete;

  /// Defaults < TOML file < SUBSPACE_* < flags.
  pipelines::RunSettings resolve(pipelines::RunSettings defaults = {}) const;

 private:
  void add(CLI::App& command, const pipelines::Setting& setting);

  std::vector<std::string> names_;
  std::vector<pipelines::KeyText> given_;    ///< setting and text, as parsed
  std::vector<std::string> method_options_;  ///< key=value
  std::string config_;
};

/// --views of the commands that read a network out. Throws InvalidArgument with value and rule.
void add_views_flag(CLI::App& command, int& views, const std::string& help);

/// With the names of the settings that decide how, not what, a command computes.
std::vector<std::string> with_conduct_settings(std::vector<std::string> names);
/// With these and the seed.
std::vector<std::string> with_run_settings(std::vector<std::string> names);

}  // namespace subspace::app
