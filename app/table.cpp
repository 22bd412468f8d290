// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <memory>
#include <sstream>

#include <subspace/core/error.h>
#include <subspace/core/parameters.h>

#include "commands.h"
#include "exit_code.h"
#include "run_table.h"
#include "session.h"
#include "setting_flags.h"
#include "training_process.h"

namespace subspace::app {
namespace {

using pipelines::Recipe;

struct Request {
  std::string recipe = {};
  std::string data = {};
  std::string protocol = "label-free";
  std::string methods = {};
  std::string seeds = {};
  std::string first_seed = {};
  std::string budget = {};
  std::string out = {};
  bool resume = false;
};

std::string without_outer_spaces(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

bool is_row(const Recipe& recipe, const std::string& name) {
  return std::ranges::find(recipe.rows, name, &pipelines::RecipeRow::name) != recipe.rows.end();
}

/// "a, b": names of rows and methods. The name of a row may hold commas itself: the longest that
/// the list goes on with is meant.
std::vector<std::string> split(const std::string& list, const Recipe& recipe) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < list.size();) {
    std::size_t end = std::min(list.find(',', begin), list.size());
    for (std::size_t longer = end; longer < list.size();) {
      longer = std::min(list.find(',', longer + 1), list.size());
      if (is_row(recipe, without_outer_spaces(list.substr(begin, longer - begin)))) end = longer;
    }
    const std::string word = without_outer_spaces(list.substr(begin, end - begin));
    if (!word.empty()) words.push_back(word);
    begin = end + 1;
  }
  return words;
}

pipelines::TableOptions options_of(const Request& request, const Recipe& recipe,
                                   const pipelines::RunSettings& settings) {
  pipelines::TableOptions options;
  options.out = request.out.empty() ? std::filesystem::path("results") / recipe.name
                                    : std::filesystem::path(request.out);
  options.resume = request.resume;
  options.protocol = pipelines::parse_protocol(request.protocol, "--protocol");
  options.methods = split(request.methods, recipe);
  if (options.methods.empty() && !request.methods.empty()) {
    throw InvalidArgument(
        message("--methods '", request.methods, "', must be names of rows or methods"));
  }
  if (!request.seeds.empty()) {
    int seeds = 0;
    set_from_text(parameter("seeds", seeds, "").at_least(1).at_most(100000), request.seeds,
                  "--seeds");
    options.seeds = seeds;
  }
  if (!request.first_seed.empty()) {
    set_from_text(parameter("first_seed", options.first_seed, "").at_least(0).at_most(100000),
                  request.first_seed, "--first-seed");
  }
  if (!request.budget.empty())
    options.budget_seconds = pipelines::parse_duration(request.budget, "--budget");
  options.truth = settings.truth;
  options.data_dir = settings.data_dir;
  options.device = settings.device;
  return options;
}

std::string list_text() {
  std::ostringstream out;
  for (const std::string& name : pipelines::recipe_names()) {
    out << name << "\n    " << pipelines::find_recipe(name).title << "\n";
  }
  out << "\n`subspace table NAME` runs one; a recipe of your own is a TOML file.\n";
  return out.str();
}

int table_command(const Request& request, const pipelines::RunSettings& settings) {
  if (request.recipe.empty()) {
    print_result(list_text());
    return kDone;
  }
  prepare_training_process();  // before anything is read: a recipe may come through a pipe
  Recipe recipe = pipelines::find_recipe(request.recipe);
  if (!recipe.trials.empty()) {
    if (!request.data.empty()) {
      throw InvalidArgument(message("--data ", request.data, ": table ", recipe.name,
                                    " is of trials of its own, must be left out"));
    }
    return run_trials(recipe, options_of(request, recipe, settings), settings);
  }
  if (!request.data.empty()) {
    recipe.data = request.data;
    recipe.truth.clear();  // which was of the other
  }
  return run_table(recipe, options_of(request, recipe, settings), settings);
}

}  // namespace

Command add_table_command(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "table", "run a table of methods on a data set or a family of them, or list the recipes");
  const auto request = std::make_shared<Request>();
  parser
      ->add_option("RECIPE", request->recipe,
                   "name of a built-in recipe, or a TOML file; none: list them")
      ->type_name("RECIPE");
  parser
      ->add_option("--data", request->data,
                   "data set or file to run it on, instead of the recipe's")
      ->type_name("INPUT");
  parser->add_option("--protocol", request->protocol, "which rows: label-free unless said")
      ->type_name("label-free|paper|oracle");
  parser
      ->add_option("--methods", request->methods,
                   "rows or methods to run, separated by commas; all unless said")
      ->type_name("A,B");
  parser
      ->add_option("--seeds", request->seeds,
                   "seeds 0 .. N-1 of every row, instead of the recipe's")
      ->type_name("N");
  parser
      ->add_option("--first-seed", request->first_seed,
                   "the first of them instead of 0: seeds M .. M+N-1 with --seeds N; results name "
                   "these alone until --seeds M+N --resume, without --first-seed, puts all "
                   "together")
      ->type_name("M");
  parser
      ->add_option("--budget", request->budget,
                   "stop after this time, e.g. 30m; what is not done can be resumed")
      ->type_name("TIME");
  parser->add_option("-o,--out", request->out, "folder of the results; results/NAME unless said")
      ->type_name("DIR");
  parser->add_flag("--resume", request->resume, "go on with the results in the folder");
  const auto flags = std::make_shared<SettingFlags>(
      *parser, with_conduct_settings({"truth", "data_dir", "device"}));
  parser->footer(
      "Finished cells are kept at once: a run that was killed goes on with --resume.\n"
      "Exit: 0 done, 2 usage, 3 bad data, 4 a row failed or did not converge (results written),\n"
      "  130 interrupted (what was done is kept).");
  return {parser, [flags, request] { return table_command(*request, flags->resolve()); }};
}

}  // namespace subspace::app
