// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "shared_options.h"

#include <algorithm>

#include <subspace/core/error.h>

#include "toml_text.h"

namespace subspace::pipelines {
namespace {

/// `"views"`, or `["network", "views"]`.
std::vector<std::string> names_of(const toml::node& node, const std::string& shown_as) {
  if (node.is_string()) return {toml_text(node, shown_as)};
  if (!node.is_array()) {
    throw InvalidArgument(message(shown_as, ": must be a name of [shared] or a list of them"));
  }
  std::vector<std::string> names;
  for (const toml::node& name : *node.as_array()) names.push_back(toml_text(name, shown_as));
  return names;
}

}  // namespace

SharedOptions::SharedOptions(const toml::node& node, const std::string& shown_as) {
  for (const auto& [name, options] : as_table(node, shown_as)) {
    const std::string key(name.str());
    const std::string place = shown_as + "." + key;
    options_[key] = toml_options(as_table(options, place), place + ".");
  }
}

std::vector<KeyText> SharedOptions::of_row(const toml::node& node,
                                           const std::string& shown_as) const {
  std::vector<KeyText> options;
  for (const auto& [stage, names] : as_table(node, shown_as)) {
    const std::string prefix(stage.str());
    const std::string place = shown_as + "." + prefix;
    for (const std::string& name : names_of(names, place)) {
      std::vector<KeyText> of_stage = find(name, place);
      for (auto& [key, text] : of_stage) key = prefix + "." + key;
      options = overridden(std::move(options), of_stage);
    }
  }
  return options;
}

const std::vector<KeyText>& SharedOptions::find(const std::string& name,
                                                const std::string& shown_as) const {
  const auto found = options_.find(name);
  if (found != options_.end()) return found->second;
  if (options_.empty()) throw InvalidArgument(message(shown_as, ": the recipe has no [shared]"));
  std::string known;
  for (const auto& [each, options] : options_) known += (known.empty() ? "" : ", ") + each;
  throw InvalidArgument(message(shown_as, " = ", name, ", must be one of ", known));
}

std::vector<KeyText> overridden(std::vector<KeyText> options, const std::vector<KeyText>& by) {
  std::erase_if(options, [&](const KeyText& option) {
    return std::ranges::find(by, option.first, &KeyText::first) != by.end();
  });
  options.insert(options.end(), by.begin(), by.end());
  return options;
}

}  // namespace subspace::pipelines
