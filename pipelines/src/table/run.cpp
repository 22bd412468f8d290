// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <set>
#include <utility>

#include <subspace/core/error.h>
#include <subspace/core/parallel.h>
#include <subspace/core/sha256.h>
#include <subspace/datasets/registry.h>
#include <subspace/pipelines/cluster_job.h>
#include <subspace/pipelines/figures.h>
#include <subspace/pipelines/input.h>
#include <subspace/pipelines/table.h>

#include "neural_runtime.h"
#include "stopwatch.h"
#include "table/assemble.h"
#include "table/choose.h"
#include "table/compute.h"
#include "table/deadline.h"
#include "table/heading.h"
#include "table/machine.h"
#include "table/planned.h"

namespace subspace::pipelines {
namespace {

/// Only what we make ourselves, and so needs no files, is known to be free.
bool is_redistributable(const std::string& data) {
  const auto name = datasets::parse_dataset_name(data);
  return name && datasets::find_dataset(name->set).files.empty();
}

/// The device of the rows that learn, refused before anything is made if it is not there.
std::string device_of(const Recipe& recipe, const TableOptions& options) {
  const auto learns = [&](std::size_t row) { return asks_for_learning(recipe.rows[row].method); };
  return std::ranges::any_of(chosen_rows(recipe, options), learns) ? resolved_device(options.device)
                                                                   : "cpu";
}

class TableRun {
 public:
  TableRun(const Recipe& recipe, const TableOptions& options, const TableHooks& hooks,
           const Context& context)
      : recipe_(recipe),
        options_(options),
        hooks_(hooks),
        context_(context),
        device_(device_of(recipe, options)),
        source_(recipe.data, options.data_dir, recipe.image_size) {}

  TableResults run() {
    TableStore::check(options_.out, recipe_.name, options_.resume);
    load();  // data that cannot be had leaves no folder behind
    store_.emplace(options_.out, recipe_.name, options_.resume);
    rows_ = plan_rows(recipe_, options_, input_, *store_);
    announce();
    const Deadline deadline(context_.cancel, options_.budget_seconds);
    for (PlannedRow& row : rows_) {
      if (row.chosen) run_row(row, deadline);
    }
    return publish();
  }

 private:
  datasets::LoadOptions load_options() const {
    return {.image_size = recipe_.image_size, .color = recipe_.color};
  }

  std::string truth_file() const {
    if (!options_.truth.empty() || recipe_.truth.empty()) return options_.truth;
    return (recipe_.folder / recipe_.truth).string();
  }

  void load() {
    if (!truth_file().empty() && !std::filesystem::exists(truth_file())) {
      throw IoError(message("truth ", truth_file(), ": no such file"));
    }
    apply_threads(context_);
    Stopwatch watch;
    input_.points = source_.load_points(load_options(), context_);
    input_.load_seconds = watch.lap();
    input_.hash = content_sha256(input_.points.X);
    input_.training =
        message(device_, ", ", resolve_threads(context_), " threads, LibTorch ", neural_version());
  }

  void announce() const {
    if (!hooks_.planned) return;
    std::vector<RowEstimate> estimates;
    std::set<std::string> counted;
    for (const PlannedRow& planned : rows_) {
      const bool computes = planned.row->choose_from.empty();
      if (planned.chosen && computes)
        estimates.push_back(estimate(planned, input_, counted, context_));
    }
    hooks_.planned(estimates);
  }

  void run_row(PlannedRow& planned, const Deadline& deadline) {
    for (PlannedVariant& variant : planned.variants) {
      for (PlannedCell& cell : variant.cells) {
        if (cell.stored || !planned.failure.empty()) continue;
        context_.throw_if_cancelled();
        if (deadline.is_over()) planned.interruption = kOverBudget;
        if (!planned.interruption.empty()) return;
        if (hooks_.started) hooks_.started(planned.row->name, cell.seed);
        run_cell(planned, variant, cell, deadline);
        if (!cell.stored) continue;
        store_->save(cell.hash, *cell.stored);
        publish();
      }
    }
  }

  /// Fills in cell.stored, or says in the row why not.
  void run_cell(PlannedRow& planned, const PlannedVariant& variant, PlannedCell& cell,
                const Deadline& deadline) {
    Context context = context_;
    context.cancel = &deadline.token();
    CellJob job = {recipe_, input_, planned, variant, cell, device_};
    for (const std::string& hash : cell.trainings) {
      job.training_folders.push_back(store_->features_folder(hash));
    }
    try {
      cell.stored = compute_cell(job, context);
    } catch (const Cancelled&) {
      if (context_.cancel != nullptr && context_.cancel->requested()) throw;
      planned.interruption = kOverBudget;
    } catch (const Error& error) {
      planned.failure = error.what();
    }
  }

  /// Puts together what there is, keeps it and tells it.
  TableResults publish() {
    const datasets::PointSet& points = input_.points;
    if (!evaluator_) {
      evaluator_.emplace(truth_file(), source_, load_options(), points.X.cols(), points.X.rows(),
                         context_);
    }
    if (!thumbnails_ && points.image) thumbnails_ = make_thumbnails(points.X, *points.image);
    TableResults results = heading();
    std::vector<RowResult> rows;
    for (const PlannedRow& planned : rows_) {
      rows.push_back(planned.row->choose_from.empty() ? assemble_row(recipe_, planned, *evaluator_)
                                                      : choose_among_rows(planned, rows));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows_[i].chosen || !rows[i].cells.empty()) {
        results.rows.push_back(std::move(rows[i]));
      } else {
        results.left_out.push_back({rows[i].name, rows[i].protocol});
      }
    }
    store_->save_results(results);
    if (hooks_.changed) hooks_.changed(results);
    return results;
  }

  TableResults heading() const {
    TableResults results;
    fill_heading(results, recipe_, options_);
    results.data = {.input = input_.info(),
                    .num_clusters = recipe_.clusters,
                    .truth = evaluator_->truth(),
                    .truth_info = evaluator_->info(),
                    .redistributable = is_redistributable(recipe_.data),
                    .thumbnails = thumbnails_};
    return results;
  }

  const Recipe& recipe_;
  const TableOptions& options_;
  const TableHooks& hooks_;
  const Context& context_;
  std::string device_;
  Input source_;
  std::optional<TableStore> store_ = {};
  TableInput input_ = {};
  std::vector<PlannedRow> rows_ = {};
  std::optional<TableEvaluator> evaluator_ = {};
  std::optional<ThumbnailSheet> thumbnails_ = {};
};

}  // namespace

TableResults run_table(const Recipe& recipe, const TableOptions& options, const TableHooks& hooks,
                       const Context& context) {
  if (options.out.empty()) throw InvalidArgument("table: no folder for the results given");
  if (!recipe.trials.empty()) {
    throw InvalidArgument(message("table ", recipe.name, ": is of trials, see run_trials()"));
  }
  return TableRun(recipe, options, hooks, context).run();
}

}  // namespace subspace::pipelines
