// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <iomanip>
#include <memory>
#include <sstream>

#include <subspace/pipelines/catalogue.h>

#include "commands.h"
#include "exit_code.h"
#include "session.h"

namespace subspace::app {
namespace {

using pipelines::Clusterer;
using pipelines::MethodInfo;
using pipelines::MethodOption;

struct Request {
  std::string name = {};
  bool json = false;
};

void list(const std::vector<MethodInfo>& methods, std::ostream& out) {
  for (const MethodInfo& info : methods) {
    out << info.name << std::string(12 - std::min<std::size_t>(11, info.name.size()), ' ')
        << info.summary << "\n";
  }
}

std::string list_text() {
  std::ostringstream out;
  list(pipelines::methods(), out);
  const std::vector<MethodInfo> learners = pipelines::feature_learners();
  if (!learners.empty()) {
    out << "\nFEATURES+CLUSTERER is a method as well (`tcr+spectral`), with features by\n";
    list(learners, out);
  }
  out << "\n`subspace methods NAME` lists the options of a method.\n";
  return out.str();
}

/// A line for each named post-processing that the option offers.
std::string postprocess_text(const Parameter& parameter) {
  std::ostringstream out;
  for (const pipelines::Postprocess& each : pipelines::postprocesses()) {
    if (std::ranges::find(parameter.choices, each.name) == parameter.choices.end()) continue;
    out << "        " << std::left << std::setw(7) << each.name << each.summary << "\n";
  }
  return out.str();
}

std::string option_text(const MethodOption& option) {
  const Parameter& parameter = option.parameter;
  std::ostringstream out;
  out << "  " << option.key() << "=" << value_text(parameter) << "\n      " << parameter.help;
  const std::string limits = rule(parameter);
  if (!limits.empty()) out << " (" << limits << ")";
  if (!parameter.symbol.empty() && parameter.symbol != parameter.name) {
    out << ", in papers: " << parameter.symbol;
  }
  out << "\n";
  if (parameter.name == "postprocess") out << postprocess_text(parameter);
  return out.str();
}

std::string method_text(const std::string& name) {
  const Clusterer clusterer(name);
  std::ostringstream out;
  out << clusterer.info().name << ": " << clusterer.info().summary << "\n"
      << clusterer.info().reference << "\n\nOptions with their defaults, for --set:\n";
  for (const MethodOption& option : clusterer.options()) out << option_text(option);
  return out.str();
}

int methods_command(const Request& request) {
  if (request.json) {
    print_result(pipelines::catalogue_json(request.name.empty() ? std::vector<std::string>{}
                                                                : std::vector{request.name}));
  } else {
    print_result(request.name.empty() ? list_text() : method_text(request.name));
  }
  return kDone;
}

}  // namespace

Command add_methods_command(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("methods", "list the methods, or the options of one");
  const auto request = std::make_shared<Request>();
  parser->add_option("NAME", request->name, "method whose options to list")->type_name("METHOD");
  parser->add_flag("--json", request->json, "as JSON");
  return {parser, [request] { return methods_command(*request); }};
}

}  // namespace subspace::app
