// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <map>
#include <string>
#include <vector>

#include <toml++/toml.h>

#include <subspace/pipelines/catalogue.h>

namespace subspace::pipelines {

/// Options that several rows of a recipe share. `[shared.views]` holds them without the name of a
/// stage, and a row gives them to its stages: `shared = {tcr = ["network", "views"]}`.
class SharedOptions {
 public:
  SharedOptions() = default;
  /// Of the table `shared` of a recipe. Throws InvalidArgument where a name holds no options.
  SharedOptions(const toml::node& node, const std::string& shown_as);

  /// What the key `shared` of a row stands for; of two lists with one option the later has it.
  /// Throws InvalidArgument for a name that the recipe does not have.
  std::vector<KeyText> of_row(const toml::node& node, const std::string& shown_as) const;

 private:
  const std::vector<KeyText>& find(const std::string& name, const std::string& shown_as) const;

  std::map<std::string, std::vector<KeyText>> options_;
};

/// The first, then the second, which has the word on options that both name.
std::vector<KeyText> overridden(std::vector<KeyText> options, const std::vector<KeyText>& by);

}  // namespace subspace::pipelines
