// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/types.h>
#include <subspace/pipelines/recipe.h>
#include <subspace/pipelines/results.h>
#include <subspace/pipelines/table.h>

/// Tables whose rows are run over many clustering problems and report the mean of their errors.
namespace subspace::pipelines {

/// Version of the JSON of TrialsResults; changes when a key changes its meaning or goes.
inline constexpr char kTrialsSchema[] = "subspace-trials-1";

/// One clustering problem of a family.
struct Trial {
  std::string name = {};   ///< "1R2RC", "3+7"; unique
  std::string group = {};  ///< "2 motions"
  int num_clusters = 0;    ///< the true one: all that a method is told of the truth
  Index num_points = 0;
  Index dimension = 0;
  std::string hash = {};  ///< names its points for good
};

/// Clustering problems of one kind, each with its own points, truth and number of clusters.
struct TrialFamily {
  std::string name = {};
  std::vector<std::string> groups = {};  ///< of the trials, in the order of reports
  std::string together = {};             ///< name of all groups taken together; empty: they are not
  std::vector<Trial> trials = {};
  std::function<Matrix(std::size_t trial)> points = {};  ///< D x N; called by many threads
  std::function<Labels(std::size_t trial)> truth = {};   ///< for the evaluator alone
};

/// "hopkins155": the 155 sequences, in groups "2 motions" and "3 motions", together "all".
/// "yaleb-subjects": faces of n of the 38 subjects of Extended Yale B, see yaleb_choices(), in
/// groups "n subjects".
SUBSPACE_API std::vector<std::string> trial_family_names();
/// Reads the data of a family once, and keeps it. Throws InvalidArgument for another name, IoError
/// where the files are not found.
SUBSPACE_API TrialFamily load_trials(const std::string& name, const std::string& data_dir,
                                     const Context& context = {});
/// The choices of `count` subjects inside each of the groups 1-10, 11-20, 21-30 and 31-38
/// [Elhamifar, Vidal, PAMI 2013]: 163, 416, 812, 136, 3 for 2, 3, 5, 8, 10. Count from 1.
SUBSPACE_API std::vector<std::vector<int>> yaleb_choices(int count);

/// What a row came to in one trial.
struct TrialOutcome {
  double error = 0.0;  ///< percent of points in a wrong cluster
  double seconds = 0.0;
  bool converged = false;
  bool other_source = false;  ///< another commit of the suite computed it
};

struct TrialsRow {
  std::string name = {};
  std::string method = {};
  std::vector<KeyText> set = {};
  Protocol protocol = Protocol::kLabelFree;
  std::string note = {};
  bool tuned_on_labels = false;
  std::optional<Published> published = {};
  std::vector<std::string> groups = {};  ///< that it is run on
  RowState state = RowState::kNotRun;
  std::string message = {};                                ///< why it failed or was not run
  std::vector<std::optional<TrialOutcome>> outcomes = {};  ///< as TrialsResults::trials
};

struct TrialsResults {
  std::string name = {};  ///< of the recipe
  std::string title = {};
  std::string note = {};
  std::string version = {};
  std::string source_commit = {};
  std::string recipe_sha256 = {};
  std::string recipe = {};
  std::string command = {};
  NamedValues machine = {};
  std::string family = {};
  std::vector<std::string> groups = {};
  std::string together = {};
  std::vector<Trial> trials = {};
  std::vector<TrialsRow> rows = {};
  std::vector<LeftOutRow> left_out = {};
};

/// A row over the trials of one group.
struct GroupSummary {
  std::string group = {};
  int wanted = 0;  ///< trials of the group
  int done = 0;
  double mean = 0.0;     ///< of the errors in percent; NaN where none is done
  double median = 0.0;   ///< likewise
  double max = 0.0;      ///< likewise
  double seconds = 0.0;  ///< of all that are done
  int unconverged = 0;
  std::optional<double> published = {};
};
/// One a group that the row is run on, then all together where the family has a name for that and
/// the row is run on all.
SUBSPACE_API std::vector<GroupSummary> summarize(const TrialsResults& results,
                                                 const TrialsRow& row);

/// Runs what the recipe asks for over the family and the folder does not hold yet. Trials run side
/// by side, each on one thread, with seed 0; every finished one is kept at once in `trials.jsonl`
/// under the hash of version, back end, method, options, points and number of clusters, so that a
/// run that was killed goes on where it was. The truth is asked for labels that exist only.
/// TableOptions::seeds and ::truth must not be given.
/// Throws as run_table() does.
SUBSPACE_API TrialsResults run_trials(const Recipe& recipe, const TrialFamily& family,
                                      const TableOptions& options, const PlanHook& planned = {},
                                      const Context& context = {});

SUBSPACE_API std::string to_json(const TrialsResults& results);
/// Throws IoError under the name `shown_as` when the text is not what to_json() writes.
SUBSPACE_API TrialsResults trials_from_json(const std::string& text, const std::string& shown_as);
/// A results.json, or the folder of one: whether it is of trials, and the results. Throw IoError.
SUBSPACE_API bool holds_trials(const std::filesystem::path& path);
SUBSPACE_API TrialsResults read_trials(const std::filesystem::path& path);
/// A table a protocol: row by row, group by group.
SUBSPACE_API std::string markdown_report(const TrialsResults& results);
/// The same as a page that needs nothing but itself.
SUBSPACE_API std::string html_report(const TrialsResults& results);
/// One line for each row and trial [RFC 4180].
SUBSPACE_API std::string csv_report(const TrialsResults& results);
/// The same as Markdown's, for \input with the package booktabs.
SUBSPACE_API std::string latex_report(const TrialsResults& results);
/// As write_report() of tables does.
SUBSPACE_API void write_report(const TrialsResults& results, const std::filesystem::path& path);
/// The same tables for a terminal.
SUBSPACE_API std::string text_report(const TrialsResults& results);

}  // namespace subspace::pipelines
