// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <subspace/core/export.h>

namespace subspace {

/// The value of a parameter, in the types the command line, TOML, JSON and Python share.
using ParameterValue = std::variant<bool, std::int64_t, double, std::string>;

/// One description of one field of an options struct: it serves the command line, configuration
/// files, records, bindings and documentation. It is bound to the struct it was made from, which
/// must outlive it. Each options struct has a free function `Parameters describe(XOptions&)`.
struct Parameter {
  std::string name = {};
  std::string help = {};
  std::string symbol = {};                ///< what the papers write, e.g. "tau"; may be empty
  std::vector<std::string> choices = {};  ///< the legal words of a string parameter
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool above_minimum = false;  ///< the minimum itself is excluded
  std::function<ParameterValue()> get = {};
  std::function<void(const ParameterValue&)> set = {};

  Parameter& at_least(double value) {
    minimum = value;
    return *this;
  }
  Parameter& above(double value) {
    minimum = value;
    above_minimum = true;
    return *this;
  }
  Parameter& at_most(double value) {
    maximum = value;
    return *this;
  }
  Parameter& written(std::string paper_symbol) {
    symbol = std::move(paper_symbol);
    return *this;
  }
};
using Parameters = std::vector<Parameter>;

SUBSPACE_API Parameter parameter(std::string name, bool& field, std::string help);
SUBSPACE_API Parameter parameter(std::string name, int& field, std::string help);
SUBSPACE_API Parameter parameter(std::string name, double& field, std::string help);

/// A parameter that names an enumerator; `words` lists each legal word with its enumerator.
template <typename Enum>
Parameter choice(std::string name, Enum& field, std::vector<std::pair<std::string, Enum>> words,
                 std::string help);

/// "bool", "integer", "number" or "choice".
SUBSPACE_API std::string type_name(const Parameter& parameter);

/// The rule its value obeys, as an inequality or a list: "0 < tau <= 1", "one of a, b"; "" when
/// free.
SUBSPACE_API std::string rule(const Parameter& parameter);

/// The present value as text that set_from_text() reads back to the same value.
SUBSPACE_API std::string value_text(const Parameter& parameter);

/// Parses `text`, checks it against the rule and sets the field; throws InvalidArgument
/// ("ensc.tau = 1.3, must satisfy 0 < tau <= 1") under the name `shown_as` and leaves the field
/// alone.
SUBSPACE_API void set_from_text(const Parameter& parameter, const std::string& text,
                                const std::string& shown_as);

/// Checks every field against its rule; throws InvalidArgument "function: tau = 1.3, must satisfy
/// ...".
SUBSPACE_API void check(const Parameters& parameters, const std::string& function);

/// The candidate nearest to `word` in edit distance, or "" when none is near enough to suggest.
SUBSPACE_API std::string nearest_name(const std::string& word,
                                      const std::vector<std::string>& candidates);

template <typename Enum>
Parameter choice(std::string name, Enum& field, std::vector<std::pair<std::string, Enum>> words,
                 std::string help) {
  Parameter result;
  result.name = std::move(name);
  result.help = std::move(help);
  for (const auto& [word, value] : words) result.choices.push_back(word);
  result.get = [&field, words]() -> ParameterValue {
    for (const auto& [word, value] : words) {
      if (value == field) return word;
    }
    return std::string("?");
  };
  result.set = [&field, words](const ParameterValue& chosen) {
    for (const auto& [word, value] : words) {
      if (word == std::get<std::string>(chosen)) field = value;
    }
  };
  return result;
}

}  // namespace subspace
