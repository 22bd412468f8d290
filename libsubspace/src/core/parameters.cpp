// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/parameters.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <sstream>

#include <subspace/core/error.h>

namespace subspace {
namespace {

template <typename Stored, typename Field>
Parameter bound_parameter(std::string name, Field& field, std::string help) {
  Parameter result;
  result.name = std::move(name);
  result.help = std::move(help);
  result.get = [&field]() -> ParameterValue { return static_cast<Stored>(field); };
  result.set = [&field](const ParameterValue& value) {
    field = static_cast<Field>(std::get<Stored>(value));
  };
  return result;
}

/// Shortest text that reads back to the same number.
std::string number_text(double value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  return {buffer, end};
}

template <typename Number>
std::optional<Number> parse_number(const std::string& text) {
  Number value = {};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<ParameterValue> parse_bool(const std::string& text) {
  if (text == "true" || text == "1" || text == "yes" || text == "on") return true;
  if (text == "false" || text == "0" || text == "no" || text == "off") return false;
  return std::nullopt;
}

/// The value of the parameter's type that `text` spells, or nothing.
std::optional<ParameterValue> parse_like(const ParameterValue& pattern, const std::string& text) {
  if (std::holds_alternative<bool>(pattern)) return parse_bool(text);
  if (std::holds_alternative<std::string>(pattern)) return text;
  if (std::holds_alternative<double>(pattern)) {
    const auto number = parse_number<double>(text);
    return number ? std::optional<ParameterValue>(*number) : std::nullopt;
  }
  // Fields of integer parameters are int: what does not fit one is no value of it.
  const auto number = parse_number<int>(text);
  return number ? std::optional<ParameterValue>(std::int64_t{*number}) : std::nullopt;
}

/// Whether `text` is an integer, be it too long for any type.
bool spells_integer(const std::string& text) {
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  return text.size() > first && text.find_first_not_of("0123456789", first) == std::string::npos;
}

/// The rule of an integer parameter with the bounds that the type of its field adds.
Parameter within_int(Parameter parameter) {
  parameter.minimum = std::max<double>(parameter.minimum, std::numeric_limits<int>::min());
  parameter.maximum = std::min<double>(parameter.maximum, std::numeric_limits<int>::max());
  return parameter;
}

/// Why `text` is no value of the parameter's type.
std::string not_of_the_type(const Parameter& parameter, const std::string& text) {
  const std::string type = type_name(parameter);
  if (type == "integer" && spells_integer(text)) {
    return message(" = ", text, ", must satisfy ", rule(within_int(parameter)));
  }
  return message(" = '", text, "', must be ",
                 type == "bool"      ? "true or false"
                 : type == "integer" ? "an integer"
                                     : "a number");
}

bool obeys(const Parameter& parameter, const ParameterValue& value) {
  if (const auto* word = std::get_if<std::string>(&value)) {
    return parameter.choices.empty() ||
           std::find(parameter.choices.begin(), parameter.choices.end(), *word) !=
               parameter.choices.end();
  }
  if (std::holds_alternative<bool>(value)) return true;
  const double number = std::holds_alternative<double>(value)
                            ? std::get<double>(value)
                            : static_cast<double>(std::get<std::int64_t>(value));
  if (!std::isfinite(number) || number > parameter.maximum) return false;
  return parameter.above_minimum ? number > parameter.minimum : number >= parameter.minimum;
}

std::string text_of(const ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&value)) return number_text(*number);
  return std::get<std::string>(value);
}

std::string broken_rule(const Parameter& parameter, const ParameterValue& value) {
  const auto* number = std::get_if<double>(&value);
  if (number != nullptr && !std::isfinite(*number)) return "must be finite";
  const std::string text = rule(parameter);
  return (parameter.choices.empty() ? "must satisfy " : "must be ") + text;
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

Parameter parameter(std::string name, bool& field, std::string help) {
  return bound_parameter<bool>(std::move(name), field, std::move(help));
}
Parameter parameter(std::string name, int& field, std::string help) {
  return bound_parameter<std::int64_t>(std::move(name), field, std::move(help));
}
Parameter parameter(std::string name, double& field, std::string help) {
  return bound_parameter<double>(std::move(name), field, std::move(help));
}

std::string type_name(const Parameter& parameter) {
  const ParameterValue value = parameter.get();
  if (std::holds_alternative<bool>(value)) return "bool";
  if (std::holds_alternative<std::int64_t>(value)) return "integer";
  return std::holds_alternative<double>(value) ? "number" : "choice";
}

std::string rule(const Parameter& parameter) {
  std::ostringstream out;
  if (!parameter.choices.empty()) {
    out << "one of ";
    for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
      out << (i == 0 ? "" : ", ") << parameter.choices[i];
    }
    return out.str();
  }
  const auto bound = [whole = type_name(parameter) == "integer"](double value) {
    return whole ? std::to_string(static_cast<std::int64_t>(value)) : number_text(value);
  };
  const bool has_minimum = std::isfinite(parameter.minimum);
  const bool has_maximum = std::isfinite(parameter.maximum);
  if (has_minimum && has_maximum) {
    out << bound(parameter.minimum) << (parameter.above_minimum ? " < " : " <= ") << parameter.name
        << " <= " << bound(parameter.maximum);
  } else if (has_minimum) {
    out << parameter.name << (parameter.above_minimum ? " > " : " >= ") << bound(parameter.minimum);
  } else if (has_maximum) {
    out << parameter.name << " <= " << bound(parameter.maximum);
  }
  return out.str();
}

std::string value_text(const Parameter& parameter) { return text_of(parameter.get()); }

void set_from_text(const Parameter& parameter, const std::string& text,
                   const std::string& shown_as) {
  const auto value = parse_like(parameter.get(), text);
  if (!value) throw InvalidArgument(shown_as + not_of_the_type(parameter, text));
  if (!obeys(parameter, *value)) {
    throw InvalidArgument(message(shown_as, " = ", text, ", ", broken_rule(parameter, *value)));
  }
  parameter.set(*value);
}

void check(const Parameters& parameters, const std::string& function) {
  for (const Parameter& parameter : parameters) {
    if (!obeys(parameter, parameter.get())) {
      throw InvalidArgument(message(function, ": ", parameter.name, " = ", value_text(parameter),
                                    ", ", broken_rule(parameter, parameter.get())));
    }
  }
}

std::string nearest_name(const std::string& word, const std::vector<std::string>& candidates) {
  std::string nearest;
  // A suggestion helps only while most of the letters agree.
  std::size_t smallest = std::max<std::size_t>(2, word.size() / 2) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < smallest) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace subspace
