// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/parallel.h>
#include <subspace/metrics/partition.h>
#include <subspace/pipelines/build_info.h>
#include <subspace/pipelines/trials.h>

#include "source_commit.h"
#include "table/deadline.h"
#include "table/heading.h"
#include "table/machine.h"
#include "trials/plan.h"
#include "trials/room.h"
#include "trials/store.h"

namespace subspace::pipelines {
namespace {

class TrialsRun {
 public:
  TrialsRun(const Recipe& recipe, const TrialFamily& family, const TableOptions& options,
            const PlanHook& planned, const Context& context)
      : recipe_(recipe),
        family_(family),
        options_(options),
        planned_(planned),
        context_(context),
        room_(allowed_memory(context)),
        rows_(plan_trials(recipe, family, options)),
        store_(options.out, recipe.name, options.resume),
        truth_(family.trials.size()) {}

  TrialsResults run() {
    announce();
    const Deadline deadline(context_.cancel, options_.budget_seconds);
    for (PlannedTrials& planned : rows_) {
      if (!planned.chosen) continue;
      try {
        run_row(planned, deadline);
      } catch (const Cancelled&) {
        publish();
        if (context_.cancel != nullptr && context_.cancel->requested()) throw;
        planned.interruption = kOverBudget;
      }
      publish();
    }
    return publish();
  }

 private:
  void announce() const {
    if (!planned_) return;
    std::vector<RowEstimate> estimates;
    for (const PlannedTrials& planned : rows_) {
      if (planned.chosen) {
        estimates.push_back(estimate(planned, numbers_left(planned), family_, context_));
      }
    }
    planned_(estimates);
  }

  /// What is still to be done, by number.
  std::vector<std::size_t> numbers_left(const PlannedTrials& planned) const {
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < planned.trials.size(); ++i) {
      if (store_.find(planned.hashes[i]) == nullptr) left.push_back(i);
    }
    return left;
  }

  /// The same in an order that spreads over the family (multiples of the golden ratio): a row that
  /// is not complete is then a fair sample.
  std::vector<std::size_t> spread_left(const PlannedTrials& planned) const {
    std::vector<std::size_t> left = numbers_left(planned);
    const auto place = [](std::size_t number) {
      return std::fmod(0.6180339887498949 * static_cast<double>(number), 1.0);
    };
    std::ranges::sort(left, {}, place);
    return left;
  }

  /// Trials side by side, each on a single thread: they are small and many. Each may use all the
  /// memory, and they wait for one another where it is short.
  void run_row(PlannedTrials& planned, const Deadline& deadline) {
    const std::vector<std::size_t> left = spread_left(planned);
    Context outer = context_;
    outer.cancel = &deadline.token();
    const Context inner = {
        .num_threads = 1, .cancel = &deadline.token(), .max_memory = context_.max_memory};
    std::mutex mutex;
    for_tiles(
        outer, std::ssize(left), 1,
        [&](const Tile& tile) {
          const std::size_t number = left[static_cast<std::size_t>(tile.begin)];
          const std::string failure = run_trial(planned, number, deadline, inner);
          const std::lock_guard guard(mutex);
          if (planned.failure.empty()) planned.failure = failure;
        },
        planned.row->name);
  }

  /// The token of the deadline is set some time after it is over; many trials may end in between.
  void stop_if_asked(const Deadline& deadline) const {
    context_.throw_if_cancelled();
    if (deadline.is_over()) throw Cancelled();
  }

  /// Why it failed; empty where it did not.
  std::string run_trial(const PlannedTrials& planned, std::size_t number, const Deadline& deadline,
                        const Context& context) {
    const std::size_t index = planned.trials[number];
    const Trial& trial = family_.trials[index];
    try {
      const Room::Place place(room_, cost_of(planned, number, family_, context).bytes);
      const Matrix X = family_.points(index);
      stop_if_asked(deadline);
      const Outcome outcome =
          make_clusterer(*planned.row, trial).run(X, trial.num_clusters, 0, context);
      store_.append(planned.hashes[number], trial.name,
                    {.labels = outcome.labels,
                     .seconds = outcome.seconds.total,
                     .converged = outcome.converged,
                     .source_commit = source_commit()});
      return {};
    } catch (const Cancelled&) {
      throw;
    } catch (const IoError&) {
      throw;  // results that cannot be kept are of no use
    } catch (const Error& error) {
      return message("trial ", trial.name, ": ", error.what());
    }
  }

  TrialOutcome evaluate(std::size_t trial, const StoredTrial& stored) {
    if (truth_[trial].empty()) truth_[trial] = family_.truth(trial);
    const PartitionMetrics metrics = evaluate_partition(stored.labels, truth_[trial]);
    return {.error = 100.0 * (1.0 - metrics.acc),
            .seconds = stored.seconds,
            .converged = stored.converged,
            .other_source = stored.source_commit != source_commit()};
  }

  TrialsRow assemble(const PlannedTrials& planned) {
    const RecipeRow& row = *planned.row;
    TrialsRow result = {
        .name = row.name,
        .method = row.method,
        .set = row.set,
        .protocol = row.protocol,
        .note = row.note,
        .tuned_on_labels = row.tuned_on_labels,
        .published = row.published,
        .groups = row.groups.empty() ? family_.groups : row.groups,
        .message = planned.failure.empty() ? planned.interruption : planned.failure,
        .outcomes = std::vector<std::optional<TrialOutcome>>(family_.trials.size())};
    std::size_t done = 0;
    for (std::size_t i = 0; i < planned.trials.size(); ++i) {
      const StoredTrial* stored = store_.find(planned.hashes[i]);
      if (stored == nullptr) continue;
      result.outcomes[planned.trials[i]] = evaluate(planned.trials[i], *stored);
      ++done;
    }
    result.state = !row.settings_published         ? RowState::kNoSettings
                   : !planned.failure.empty()      ? RowState::kFailed
                   : done == planned.trials.size() ? RowState::kDone
                   : done > 0                      ? RowState::kPartial
                                                   : RowState::kNotRun;
    return result;
  }

  /// Puts together what there is and keeps it.
  TrialsResults publish() {
    TrialsResults results;
    fill_heading(results, recipe_, options_);
    results.family = family_.name;
    results.groups = family_.groups;
    results.together = family_.together;
    results.trials = family_.trials;
    for (const PlannedTrials& planned : rows_) {
      TrialsRow row = assemble(planned);
      if (planned.chosen || row.state == RowState::kDone || row.state == RowState::kPartial) {
        results.rows.push_back(std::move(row));
      } else {
        results.left_out.push_back({row.name, row.protocol});
      }
    }
    store_.save_results(results);
    return results;
  }

  const Recipe& recipe_;
  const TrialFamily& family_;
  const TableOptions& options_;
  const PlanHook& planned_;
  const Context& context_;
  Room room_;
  std::vector<PlannedTrials> rows_;
  TrialStore store_;
  std::vector<Labels> truth_;  ///< of the trials that have labels
};

void check_options(const TableOptions& options) {
  if (options.out.empty()) throw InvalidArgument("table: no folder for the results given");
  if (options.seeds) {
    throw InvalidArgument("--seeds: every trial is run with seed 0, must be left out");
  }
  if (options.first_seed != 0) {
    throw InvalidArgument("--first-seed: every trial is run with seed 0, must be left out");
  }
  if (!options.truth.empty()) {
    throw InvalidArgument(
        message("--truth ", options.truth, ": trials have truths of their own, must be left out"));
  }
}

}  // namespace

TrialsResults run_trials(const Recipe& recipe, const TrialFamily& family,
                         const TableOptions& options, const PlanHook& planned,
                         const Context& context) {
  check_options(options);
  return TrialsRun(recipe, family, options, planned, context).run();
}

}  // namespace subspace::pipelines
