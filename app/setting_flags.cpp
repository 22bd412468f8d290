// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "setting_flags.h"

#include <algorithm>

#include <subspace/core/error.h>
#include <subspace/core/parameters.h>

namespace subspace::app {
namespace {

using pipelines::KeyText;
using pipelines::RunSettings;
using pipelines::Setting;
using pipelines::SettingKind;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string flag_names(const Setting& setting) {
  if (setting.name == "input") return "INPUT";
  if (setting.name == "clusters") return "-k,--clusters";
  if (setting.name == "method") return "-m,--method";
  if (setting.name == "out") return "-o,--out";
  return setting.flag();
}

/// Help shows it and completion goes by it: legal words are joined by bars.
std::string value_name(const Setting& setting) {
  if (setting.choices.empty()) return setting.value_name;
  std::string words;
  for (const std::string& word : setting.choices) words += (words.empty() ? "" : "|") + word;
  return words;
}

KeyText split_option(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InvalidArgument(message("--set '", text, "', must be key=value"));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// Environment variables of settings this command does not take are no business of it.
std::vector<KeyText> relevant_environment(RunSettings& settings,
                                          const std::vector<std::string>& names) {
  std::vector<std::string> variables;
  for (const Setting& setting : describe(settings)) {
    if (contains(names, setting.name)) variables.push_back(setting.variable());
  }
  std::vector<KeyText> relevant;
  for (KeyText& entry : pipelines::process_environment()) {
    const bool option = entry.first.rfind("SUBSPACE_SET_", 0) == 0 && contains(names, "set");
    if (option || contains(variables, entry.first)) relevant.push_back(std::move(entry));
  }
  return relevant;
}

}  // namespace

SettingFlags::SettingFlags(CLI::App& command, const std::vector<std::string>& names,
                           const std::map<std::string, std::string>& help)
    : names_(names) {
  RunSettings defaults;
  for (Setting& setting : describe(defaults)) {
    if (!contains(names, setting.name)) continue;
    if (help.contains(setting.name)) setting.help = help.at(setting.name);
    add(command, setting);
  }
  if (contains(names, "set")) {
    command
        .add_option("-s,--set", method_options_,
                    "option of the method, see `subspace methods NAME`; repeat at will")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
  }
  if (contains(names, "config")) {
    command.add_option("--config", config_, "settings from a TOML file")->type_name("FILE");
  }
}

void SettingFlags::add(CLI::App& command, const Setting& setting) {
  const std::string name = setting.name;
  const auto keep = [this, name](const std::string& text) { given_.emplace_back(name, text); };
  if (name == "verbosity") {
    command.add_flag_callback(
        "-q,--quiet", [keep] { keep("quiet"); }, "errors only");
    command.add_flag_callback(
        "-v,--verbose", [keep] { keep("verbose"); }, "say more on standard error");
  } else if (setting.kind == SettingKind::kSwitch) {
    command.add_flag_callback(
        flag_names(setting), [keep] { keep("true"); }, setting.help);
  } else {
    const auto take = [keep, name](const CLI::results_t& values) {
      const std::string text = values.empty() ? std::string() : values.back();
      keep(name == "json" && text.empty() ? "-" : text);
      return true;
    };
    CLI::Option* option = command.add_option(flag_names(setting), take, setting.help);
    option->type_name(value_name(setting))->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    if (name == "json") option->expected(0, 1);
  }
}

RunSettings SettingFlags::resolve(RunSettings settings) const {
  if (!config_.empty()) apply_toml_file(settings, config_);
  apply_environment(settings, relevant_environment(settings, names_));
  const std::vector<Setting> known = describe(settings);
  for (const auto& [name, text] : given_) {
    for (const Setting& setting : known) {
      if (setting.name == name) setting.set(text, name == "clusters" ? "-k" : setting.flag());
    }
  }
  for (const std::string& text : method_options_) {
    auto [key, value] = split_option(text);
    settings.set.push_back({std::move(key), std::move(value), false});
  }
  return settings;
}

void add_views_flag(CLI::App& command, int& views, const std::string& help) {
  const auto take = [&views](const std::string& text) {
    set_from_text(parameter("views", views, "").at_least(0), text, "--views");
  };
  command.add_option_function<std::string>("--views", take, help)
      ->type_name("N")
      ->default_str(std::to_string(views));
}

std::vector<std::string> with_conduct_settings(std::vector<std::string> names) {
  for (const char* name : {"threads", "max_memory", "progress", "verbosity"})
    names.emplace_back(name);
  return names;
}

std::vector<std::string> with_run_settings(std::vector<std::string> names) {
  names.emplace_back("seed");
  return with_conduct_settings(std::move(names));
}

}  // namespace subspace::app
