// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <set>
#include <thread>

#include <subspace/core/error.h>
#include <subspace/datasets/synthetic.h>
#include <subspace/pipelines/catalogue.h>

namespace subspace::pipelines {
namespace {

/// A clusterer with what makes it work for a second or more, far longer than a test waits before it
/// asks for the end. A slower machine takes longer, so that the request always comes in time.
struct LongRun {
  std::string method = {};
  int points = 0;
  std::vector<KeyText> settings = {};
};

std::vector<LongRun> long_runs() {
  std::vector<LongRun> all = {
      {"kmeans", 4000, {{"restarts", "2000"}}},
      {"ksubspaces", 3000, {{"restarts", "500"}}},
      {"alc", 1500, {{"rounds", "1000"}}},
      {"spectral", 12000},
      {"ensc", 4000},
      {"ssc", 4000},
      {"ssc", 1500, {{"solver", "admm"}}},
      {"ssc", 1500, {{"solver", "official"}}},
      {"ssc", 1500, {{"affine", "true"}}},
      {"ssc", 1000, {{"outliers", "true"}}},
      {"kssc", 3000},
      {"ssc-omp", 8000},
      {"lsr", 3000},
      {"edsc", 3000},
      {"edsc", 1000, {{"outliers", "true"}, {"growth", "1.02"}}},
      {"lrr", 1500},
      {"lrr", 1500, {{"schedule", "published"}}},
      {"smce", 4000},
      {"esc", 4000},
  };
#ifdef SUBSPACE_WITH_OSQP
  all.push_back({"ssc", 500, {{"solver", "osqp"}}});
  all.push_back({"kssc", 500, {{"solver", "osqp"}}});
#endif
  return all;
}

Matrix points_of(const LongRun& run) {
  constexpr int kSubspaces = 10;
  return datasets::union_of_subspaces({.num_subspaces = kSubspaces,
                                       .dimension = 8,
                                       .ambient = 60,
                                       .points_per_subspace = run.points / kSubspaces,
                                       .noise = 0.3,
                                       .seed = 3})
      .points.X;
}

std::string name_of(const LongRun& run) {
  std::string name = run.method;
  for (const auto& [key, value] : run.settings) name += " " + key + "=" + value;
  return name;
}

/// Five hundred times what the slowest, SSC by OSQP, took on two busy cores: no busier machine and
/// no sanitizer fails here, but a run that never asks does.
constexpr double kMostSecondsToTheEnd = 30.0;

TEST(Cancellation, FromAnotherThreadEndsEveryLongRunSoon) {
  using Clock = std::chrono::steady_clock;
  for (const LongRun& each : long_runs()) {
    const Matrix X = points_of(each);
    CancelToken token;
    Clock::time_point asked;
    std::jthread asker([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      asked = Clock::now();
      token.request();
    });
    EXPECT_THROW(run(X, 10, each.method, each.settings, 0, {.cancel = &token}), Cancelled)
        << name_of(each);
    const Clock::time_point ended = Clock::now();
    asker.join();
    const std::chrono::duration<double> seconds = ended - asked;
    EXPECT_LT(seconds.count(), kMostSecondsToTheEnd) << name_of(each);
  }
}

/// Asks for the end at the first report of a phase, and counts what is reported after it.
struct Stopper {
  std::string phase = {};
  CancelToken token = {};
  int reports_after = 0;
  bool other_phase_after = false;

  void operator()(const ProgressEvent& event) {
    if (token.requested()) {
      ++reports_after;
      other_phase_after = other_phase_after || event.phase != phase;
    } else if (event.phase == phase) {
      token.request();
    }
  }
};

std::set<std::string> phases_of(const Matrix& X, const LongRun& each) {
  std::set<std::string> phases;
  run(X, 3, each.method, each.settings, 0,
      {.progress = [&](const ProgressEvent& event) { phases.insert(event.phase); }});
  return phases;
}

/// What is under way in the other threads may still report, nothing after it.
TEST(Cancellation, AtTheFirstReportOfAPhaseEndsThatPhase) {
  constexpr int kThreads = 2;
  for (LongRun each : long_runs()) {
    each.points = 150;
    std::erase_if(each.settings, [](const KeyText& set) {  // nothing but time is in them
      return set.first == "restarts" || set.first == "growth" || set.first == "rounds";
    });
    const Matrix X = points_of(each);
    for (const std::string& phase : phases_of(X, each)) {
      Stopper stopper{.phase = phase};
      const Context context{
          .num_threads = kThreads, .progress = std::ref(stopper), .cancel = &stopper.token};
      EXPECT_THROW(run(X, 3, each.method, each.settings, 0, context), Cancelled)
          << each.method << ", " << phase;
      EXPECT_LE(stopper.reports_after, kThreads) << each.method << ", " << phase;
      EXPECT_FALSE(stopper.other_phase_after) << each.method << ", " << phase;
    }
  }
}

}  // namespace
}  // namespace subspace::pipelines
