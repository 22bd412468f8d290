// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <cmath>

#include <subspace/pipelines/catalogue.h>

#include "json.h"

namespace subspace::pipelines {
namespace {

Json option_json(const MethodOption& option) {
  const Parameter& parameter = option.parameter;
  Json json = {{"key", option.key()},
               {"type", type_name(parameter)},
               {"default", json_value(parameter.get())},
               {"rule", rule(parameter)},
               {"help", parameter.help},
               {"symbol", parameter.symbol}};
  if (!parameter.choices.empty()) json["choices"] = parameter.choices;
  if (std::isfinite(parameter.minimum)) {
    json[parameter.above_minimum ? "exclusive_minimum" : "minimum"] = parameter.minimum;
  }
  if (std::isfinite(parameter.maximum)) json["maximum"] = parameter.maximum;
  return json;
}

Json method_json(const std::string& name) {
  const Clusterer clusterer(name);
  const MethodInfo& info = clusterer.info();
  Json json = {{"name", info.name},
               {"summary", info.summary},
               {"reference", info.reference},
               {"stages", clusterer.stages()}};
  json["options"] = Json::array();
  for (const MethodOption& option : clusterer.options())
    json["options"].push_back(option_json(option));
  return json;
}

}  // namespace

std::string catalogue_json(const std::vector<std::string>& names) {
  Json all = Json::array();
  for (const std::string& name : names.empty() ? method_names() : names)
    all.push_back(method_json(name));
  return json_text({{"methods", all}}, 2);
}

}  // namespace subspace::pipelines
