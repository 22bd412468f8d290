// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <charconv>
#include <sstream>

#include <subspace/core/error.h>
#include <subspace/pipelines/settings.h>

#include "postprocess.h"
#include "toml_text.h"

namespace subspace::pipelines {
namespace {

void read_setting(const std::vector<Setting>& known, const std::string& name,
                  const toml::node& node, const std::string& shown_as) {
  std::vector<std::string> names = {"set"};
  for (const Setting& setting : known) {
    if (setting.name == name)
      return setting.set(toml_text(node, shown_as + ": " + name), shown_as + ": " + name);
    names.push_back(setting.name);
  }
  refuse_key(name, names, shown_as);
}

/// TOML basic string.
std::string quoted(const std::string& text) {
  std::ostringstream out;
  out << '"';
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      out << '\\' << letter;
    } else if (code < 0x20 || code == 0x7f) {
      const char* digits = "0123456789abcdef";
      out << "\\u00" << digits[code >> 4] << digits[code & 0xf];
    } else {
      out << letter;
    }
  }
  out << '"';
  return out.str();
}

/// TOML integers end at 2^63 - 1; a larger seed is written as text, which is read as well.
bool fits_toml_integer(const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  return std::from_chars(text.data(), end, value).ec == std::errc();
}

void write_setting(std::ostream& out, const Setting& setting) {
  const std::string text = setting.get();
  out << "# " << setting.help;
  if (!setting.choices.empty()) {
    out << " (";
    for (const std::string& word : setting.choices)
      out << (word == setting.choices[0] ? "" : ", ") << word;
    out << ")";
  }
  out << "\n";
  if (setting.kind == SettingKind::kNumber && text.empty()) {
    out << "# " << setting.name << " =\n";
  } else if (setting.kind == SettingKind::kText ||
             (setting.kind == SettingKind::kNumber && !fits_toml_integer(text))) {
    out << setting.name << " = " << quoted(text) << "\n";
  } else {
    out << setting.name << " = " << text << "\n";
  }
}

void write_option(std::ostream& out, const Parameter& parameter) {
  const std::string limits = rule(parameter);
  out << "# " << parameter.help << (limits.empty() ? "" : " (" + limits + ")") << "\n";
  const std::string text = value_text(parameter);
  out << parameter.name << " = " << (type_name(parameter) == "choice" ? quoted(text) : text)
      << "\n";
}

}  // namespace

void apply_toml(RunSettings& settings, const std::string& content, const std::string& shown_as) {
  const std::vector<Setting> known = describe(settings);
  for (const auto& [key, node] : parse_toml(content, shown_as)) {
    const std::string name(key.str());
    if (name == "set" && node.is_table()) {
      for (auto& [option, text] : toml_options(*node.as_table(), shown_as + ": set.")) {
        settings.set.push_back({option, text, false});
      }
    } else {
      read_setting(known, name, node, shown_as);
    }
  }
}

void apply_toml_file(RunSettings& settings, const std::filesystem::path& path) {
  apply_toml(settings, read_text_file(path, "a configuration file"), path.string());
}

std::string to_toml(const RunSettings& settings) {
  RunSettings copy = settings;
  const Clusterer clusterer = make_clusterer(settings);
  const std::vector<std::string> of_the_network =
      settings.model.empty() ? std::vector<std::string>() : clusterer.learned_stages();
  std::ostringstream out;
  for (const Setting& setting : describe(copy)) write_setting(out, setting);
  std::string stage;
  for (const MethodOption& option : clusterer.options()) {
    if (std::ranges::find(of_the_network, option.stage) != of_the_network.end()) continue;
    if (option.key() == kPostprocessKey) continue;  // all that it set is written out
    if (option.stage != stage) out << "\n[set." << option.stage << "]\n";
    stage = option.stage;
    write_option(out, option.parameter);
  }
  return out.str();
}

}  // namespace subspace::pipelines
