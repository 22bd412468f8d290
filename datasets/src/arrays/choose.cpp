// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "arrays/choose.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string_view>

#include "io/text.h"

namespace subspace::datasets {
namespace {

using namespace std::string_view_literals;

constexpr std::array kPointNames = {"fea"sv,     "x"sv,      "data"sv,    "features"sv,
                                    "feature"sv, "points"sv, "samples"sv, "images"sv};
constexpr std::array kLabelNames = {"gnd"sv,    "y"sv,       "labels"sv, "label"sv,   "s"sv,
                                    "target"sv, "targets"sv, "truth"sv,  "classes"sv, "class"sv};
// Shorter than kLabelNames: columns x, y, z are coordinates.
constexpr std::array kLabelColumns = {"gnd"sv,   "label"sv,  "labels"sv,
                                      "class"sv, "target"sv, "truth"sv};

bool is_one_of(const std::string& name, std::span<const std::string_view> names) {
  return std::ranges::find(names, lower_case(name)) != names.end();
}

std::string listing(const std::vector<Variable>& variables) {
  constexpr std::size_t kMost = 20;
  std::string out = "the file has ";
  for (std::size_t i = 0; i < std::min(variables.size(), kMost); ++i) {
    if (i > 0) out += ", ";
    out += printable(variables[i].name) + " " + shape_text(variables[i].shape) + " " +
           variables[i].type;
  }
  if (variables.size() > kMost) out += message(" and ", variables.size() - kMost, " more");
  return out;
}

std::string checked_name(const std::string& file, const std::vector<Variable>& variables,
                         const std::string& asked) {
  const auto found = std::ranges::find(variables, asked, &Variable::name);
  if (found == variables.end())
    throw_io_error(file, ": no variable '", printable(asked), "'; ", listing(variables));
  if (!found->numeric) {
    throw_io_error(file, ": variable '", printable(asked), "' is ", found->type,
                   ", expected a full array of real numbers; ", listing(variables));
  }
  return asked;
}

/// The only candidate with a usual name, else the only candidate.
template <typename IsCandidate>
std::string guess(const std::string& file, const std::vector<Variable>& variables,
                  std::span<const std::string_view> usual_names, const char* what,
                  const char* option, const IsCandidate& is_candidate) {
  std::vector<std::string> candidates;
  std::vector<std::string> well_named;
  for (const Variable& variable : variables) {
    if (!variable.numeric || !is_candidate(variable)) continue;
    candidates.push_back(variable.name);
    if (is_one_of(variable.name, usual_names)) well_named.push_back(variable.name);
  }
  if (well_named.size() == 1) return well_named.front();
  if (well_named.empty() && candidates.size() == 1) return candidates.front();
  throw_io_error(file, ": cannot tell which variable holds the ", what, "; name it with option ",
                 option, "; ", listing(variables));
}

}  // namespace

bool is_vector(const std::vector<std::int64_t>& shape) {
  return std::ranges::count_if(shape, [](std::int64_t length) { return length != 1; }) <= 1;
}

void refuse_name(const std::string& file, char option, const std::string& name) {
  if (name.empty()) return;
  throw_io_error(file, ": option ", option, " = '", printable(name),
                 "', but this format has no arrays with names; leave it out");
}

bool is_label_column(const std::string& name) { return is_one_of(name, kLabelColumns); }

std::string choose_points(const std::string& file, const std::vector<Variable>& variables,
                          const std::string& asked, ManyAxes many_axes) {
  if (!asked.empty()) return checked_name(file, variables, asked);
  const std::string name =
      guess(file, variables, kPointNames, "points", "x",
            [](const Variable& variable) { return !is_vector(variable.shape); });
  const auto& shape = std::ranges::find(variables, name, &Variable::name)->shape;
  if (shape.size() > 2 && many_axes == ManyAxes::kMustBeNamed) {
    throw_io_error(file, ": cannot tell which axis of '", printable(name),
                   "' counts the samples; name the variable with option x to take ",
                   "the first axis; ", listing(variables));
  }
  return name;
}

std::string choose_labels(const std::string& file, const std::vector<Variable>& variables,
                          const std::string& asked) {
  if (!asked.empty()) return checked_name(file, variables, asked);
  return guess(file, variables, kLabelNames, "labels", "y", [](const Variable& variable) {
    const bool is_scalar =
        std::ranges::all_of(variable.shape, [](std::int64_t length) { return length == 1; });
    return is_vector(variable.shape) && !is_scalar;
  });
}

}  // namespace subspace::datasets
