// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <memory>

#include <subspace/core/error.h>
#include <subspace/datasets/fetch.h>

#include "data.h"
#include "exit_code.h"
#include "session.h"
#include "setting_flags.h"

namespace subspace::app {
namespace {

struct Request {
  std::string name = {};
  std::string url = {};
};

std::string outcome_text(const std::string& name, const datasets::Fetched& fetched) {
  const datasets::Verification& verification = fetched.verification;
  if (fetched.folder.empty()) return name + ": is built in, there is nothing to fetch\n";
  return message(name, fetched.was_there ? ": is already in " : ": now in ",
                 fetched.folder.string(), ", ", verification.samples, " samples; ",
                 verification.hash_known
                     ? "the decoded values have the registered SHA-256\n"
                     : "counts and shapes are right, but no hash is registered to compare " +
                           verification.sha256 +
                           " with: trust it as far as the place it came from\n");
}

int fetch_command(const Request& request, const pipelines::RunSettings& settings) {
  const Session session(settings);
  const std::filesystem::path folder = settings.data_dir.empty()
                                           ? datasets::dataset_cache()
                                           : std::filesystem::path(settings.data_dir);
  const datasets::Fetched fetched =
      datasets::fetch_dataset(request.name, {folder, request.url}, session.context());
  print_result(outcome_text(request.name, fetched));
  return kDone;
}

}  // namespace

Command add_data_fetch_command(CLI::App& data) {
  CLI::App* parser =
      data.add_subcommand("fetch", "download a set; an interrupted download is continued");
  const auto request = std::make_shared<Request>();
  parser->add_option("NAME", request->name, "one of `subspace data list`")
      ->required()
      ->type_name("DATASET");
  parser
      ->add_option("--url", request->url,
                   "get it from here instead; of several files the folder, which ends in /")
      ->type_name("URL");
  const auto flags = std::make_shared<SettingFlags>(*parser, with_run_settings({"data_dir"}));
  parser->footer("Goes to --data-dir, $SUBSPACE_DATA_DIR, or else the user's cache.");
  return {parser, [request, flags] { return fetch_command(*request, flags->resolve()); }};
}

}  // namespace subspace::app
