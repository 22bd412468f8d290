// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <memory>

#include <subspace/core/error.h>
#include <subspace/pipelines/report.h>
#include <subspace/pipelines/trials.h>

#include "commands.h"
#include "exit_code.h"
#include "session.h"
#include "summary.h"

namespace subspace::app {
namespace {

struct Request {
  std::vector<std::string> results = {};
  std::string out = {};
  bool no_pictures = false;
};

/// A table of trials has a page of its own.
int report_trials(const Request& request) {
  if (request.results.size() != 1) {
    throw InvalidArgument(message("report: ", request.results.size(),
                                  " tables, one of them of trials, which must stand alone"));
  }
  pipelines::write_report(pipelines::read_trials(request.results.front()), request.out);
  print_result(message(request.out, ": 1 table\n"));
  return kDone;
}

int report_command(const Request& request) {
  pipelines::check_report_path(request.out);
  if (std::ranges::any_of(request.results, pipelines::holds_trials)) return report_trials(request);
  std::vector<pipelines::TableResults> tables;
  for (const std::string& path : request.results) tables.push_back(pipelines::read_results(path));
  pipelines::write_report(tables, request.out, {.pictures = !request.no_pictures});
  print_result(message(request.out, ": ", counted(std::ssize(tables), "table"), "\n"));
  return kDone;
}

}  // namespace

Command add_report_command(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("report", "tables of results as a page, Markdown, CSV or LaTeX");
  const auto request = std::make_shared<Request>();
  parser->add_option("RESULTS", request->results, "results.json, or the folder of one; any number")
      ->required()
      ->type_name("FILE");
  parser
      ->add_option("-o,--out", request->out,
                   "file to write: .html .md .csv .tex, or .json for one table")
      ->required()
      ->type_name("FILE");
  parser->add_flag("--no-pictures", request->no_pictures,
                   "no small pictures of the points, as pages for others may need");
  return {parser, [request] { return report_command(*request); }};
}

}  // namespace subspace::app
