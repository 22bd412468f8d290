// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <signal.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include <subspace/core/random.h>
#include <subspace/pipelines/catalogue.h>
#include <subspace/pipelines/results.h>

#include "program.h"

namespace subspace::testing {
namespace {

namespace fs = std::filesystem;
using Seconds = std::chrono::duration<double>;

constexpr int kKills = 20;

constexpr char kTop[] = R"(
data = "pictures"
clusters = 5
seeds = 20
)";

constexpr char kLearned[] = R"(
[[row]]
name = "TCR"
method = "tcr+kmeans"
seeds = 2
[row.set.tcr]
backbone = "resnet10"
steps = 60
batch = 40
filters = 4
hidden = 32
features = 8
distortion = 0.1
[[row]]
name = "three stages"
method = "nmce-head"
seeds = 1
[row.set.tcr]
backbone = "resnet10"
steps = 30
batch = 40
filters = 4
hidden = 32
features = 8
distortion = 0.1
[row.set.heads]
steps = 30
batch = 40
[row.set.tune]
steps = 30
batch = 40
)";

constexpr char kClassical[] = R"(
[[row]]
name = "k-means"
method = "kmeans"
set = {"kmeans.restarts" = 300, "kmeans.tolerance" = 0}
[[row]]
name = "kNN"
method = "spectral"
set = {"kmeans.restarts" = 300}
[[row]]
name = "EnSC"
method = "ensc"
set = {"kmeans.restarts" = 300}
)";

using LabelsOfCells = std::map<std::pair<std::string, std::uint64_t>, Labels>;

LabelsOfCells labels_in(const fs::path& folder) {
  LabelsOfCells labels;
  for (const auto& row : pipelines::read_results(folder).rows) {
    for (const auto& cell : row.cells) {
      labels[{row.name, cell.record.seed}] = cell.record.outcome.labels;
    }
  }
  return labels;
}

/// How many cells, networks and checkpoints are kept.
std::ptrdiff_t num_kept(const fs::path& folder) {
  std::ptrdiff_t count = 0;
  std::error_code gone;
  for (fs::recursive_directory_iterator it(folder, gone), end; it != end; it.increment(gone)) {
    count += it->path().string().find(".tmp-") == std::string::npos ? 1 : 0;
  }
  return count;
}

class TableKill : public ProgramTest {
 protected:
  Arguments table(const char* out) {
    return {"table", path("kill.toml"), "--out", path(out), "--resume", "--threads", "1", "-q"};
  }

  /// Waits until something more is kept, or the run has ended.
  void wait_for_news(const Process& process) const {
    const std::ptrdiff_t before = num_kept(path("parts"));
    while (process.running() && num_kept(path("parts")) == before) {
      std::this_thread::sleep_for(Seconds(1e-3));
    }
  }

  /// Starts the table and kills it: now and then while it loads, mostly soon after it has kept
  /// something, within the time of a cell. Whether the kill came before the end.
  bool kill_once(RandomStream& random, Seconds cell_time) {
    Process process(SUBSPACE_PROGRAM, table("parts"));
    if (random.below(4) == 0) {
      std::this_thread::sleep_for(Seconds(0.3 * random.uniform()));
    } else {
      wait_for_news(process);
      std::this_thread::sleep_for(cell_time * random.uniform());
    }
    if (process.running()) process.send(SIGKILL);
    return process.wait().code == 128 + SIGKILL;
  }
};

TEST_F(TableKill, TwentyKillsChangeNoLabel) {
  const bool learns = !pipelines::feature_learners().empty();
  write_pictures("pictures", 5, 24);
  write("kill.toml", std::string(kTop) + (learns ? kLearned : "") + kClassical);
  const auto start = std::chrono::steady_clock::now();
  const Finished whole = subspace(table("whole"));
  const Seconds took = std::chrono::steady_clock::now() - start;
  ASSERT_EQ(whole.code, 0) << whole.err;
  const LabelsOfCells wanted = labels_in(path("whole"));
  ASSERT_EQ(wanted.size(), learns ? 63U : 60U);

  RandomStream random = stream(11, Stream::kTest);
  int killed = 0, killed_in_training = 0;
  LabelsOfCells found;
  for (int i = 0; i < kKills; ++i) {
    const bool hit = kill_once(random, took / wanted.size());
    if (exists("parts/results.json")) {
      EXPECT_NO_THROW(found = labels_in(path("parts"))) << "half written";
    }
    killed += hit ? 1 : 0;
    killed_in_training += hit && exists("parts/features") && !found.contains({"TCR", 1}) ? 1 : 0;
  }
  EXPECT_GE(killed, 15) << "the table is too short for its kills";
  EXPECT_GE(killed_in_training, learns ? 1 : 0);
  EXPECT_LT(found.size(), wanted.size()) << "nothing was left to resume";
  const Finished rest = subspace(table("parts"));
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(labels_in(path("parts")), wanted);
}

}  // namespace
}  // namespace subspace::testing
