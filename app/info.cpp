// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <memory>
#include <sstream>
#include <variant>

#include <subspace/pipelines/build_info.h>

#include "commands.h"
#include "exit_code.h"
#include "session.h"

namespace subspace::app {
namespace {

std::string info_text() {
  std::ostringstream out;
  out.precision(10);
  for (const auto& [name, value] : pipelines::build_info()) {
    out << name << std::string(12 - name.size(), ' ');
    std::visit([&](const auto& held) { out << held; }, value);
    out << "\n";
  }
  return out.str();
}

}  // namespace

Command add_info_command(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("info", "what this build is made of and what it finds here");
  const auto json = std::make_shared<bool>(false);
  parser->add_flag("--json", *json, "as JSON");
  return {parser, [json] {
            print_result(*json ? pipelines::build_info_json() : info_text());
            return static_cast<int>(kDone);
          }};
}

}  // namespace subspace::app
