// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include <nlohmann/json.hpp>

#include <subspace/datasets/image.h>
#include <subspace/pipelines/outcome.h>

namespace subspace::pipelines {

using Json = nlohmann::ordered_json;

inline Json json_value(const ParameterValue& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

inline Json image_json(const datasets::ImageShape& shape) {
  return {{"channels", shape.channels}, {"height", shape.height}, {"width", shape.width}};
}

inline Json json_object(const NamedValues& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object[name] = json_value(value);
  return object;
}

/// The inverse: null is the NaN or infinity it was written for.
inline NamedValues named_values(const Json& object) {
  NamedValues values;
  for (const auto& [name, value] : object.items()) {
    if (value.is_boolean()) {
      values.emplace_back(name, value.get<bool>());
    } else if (value.is_number_integer()) {
      values.emplace_back(name, value.get<std::int64_t>());
    } else if (value.is_string()) {
      values.emplace_back(name, value.get<std::string>());
    } else {
      values.emplace_back(
          name, value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
    }
  }
  return values;
}

/// nlohmann writes NaN and infinities as null; bytes of a file name that are not UTF-8 become
/// U+FFFD.
inline std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace subspace::pipelines
