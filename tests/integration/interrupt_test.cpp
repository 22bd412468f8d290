// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "program.h"

namespace subspace::testing {
namespace {

using Clock = std::chrono::steady_clock;

class Interrupt : public ProgramTest {
 protected:
  /// A run of hours.
  Arguments endless() {
    write_points("x.npy", Matrix::Random(50, 2000));
    return {"cluster", path("x.npy"),      "-k",         "50",
            "-m",      "kmeans",           "--set",      "restarts=1000000",
            "--set",   "tolerance=0",      "--progress", "json",
            "--out",   path("labels.npy"), "--json",     path("record.json")};
  }
};

/// Waits until the work itself is under way, or has told this.
void wait_for_progress(const Process& process, const std::string& told = "progress") {
  const auto deadline = Clock::now() + std::chrono::seconds(60);
  while (process.error_so_far().find(told) == std::string::npos && Clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

TEST_F(Interrupt, FirstSignalStopsWithinASecondAndWritesNothing) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Process process(SUBSPACE_PROGRAM, endless());
    wait_for_progress(process);
    const auto start = Clock::now();
    process.send(signal);
    const Finished finished = process.wait();
    EXPECT_EQ(finished.code, 130);
    // The promise is one second; a loaded machine may be late in telling us.
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(3));
    EXPECT_THAT(finished.err, ::testing::EndsWith("subspace: error: interrupted\n"));
    EXPECT_EQ(finished.out, "");
    EXPECT_FALSE(exists("labels.npy"));
    EXPECT_FALSE(exists("record.json"));
  }
}

/// An eigendecomposition of this order looks at nothing for many seconds.
TEST_F(Interrupt, WorkThatCannotNoticeIsEndedWithinASecondToo) {
  write_points("x.npy", Matrix::Random(50, 3000));
  Process process(SUBSPACE_PROGRAM,
                  {"cluster", path("x.npy"), "-k", "3", "-m", "ensc", "--set",
                   "affinity.kind=low-rank", "--progress", "json", "--out", path("labels.npy")});
  wait_for_progress(process, "\"done\":3000");
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  ASSERT_TRUE(process.running());
  const auto start = Clock::now();
  process.send(SIGINT);
  const Finished finished = process.wait();
  EXPECT_EQ(finished.code, 130);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(3));
  EXPECT_FALSE(exists("labels.npy"));
}

/// Before any work is under way: the program still reads its recipe, from a pipe that says nothing.
TEST_F(Interrupt, AnEarlySignalIsAnInterruptToo) {
  ASSERT_EQ(mkfifo(path("recipe.toml").c_str(), 0600), 0);
  for (const int signal : {SIGINT, SIGTERM}) {
    Process process(SUBSPACE_PROGRAM, {"table", path("recipe.toml"), "--out", path("out")});
    int pipe = -1;
    while (pipe < 0 && process.running()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      pipe = open(path("recipe.toml").c_str(), O_WRONLY | O_NONBLOCK);  // fails without a reader
    }
    process.send(signal);
    EXPECT_EQ(process.wait().code, 130);
    EXPECT_FALSE(exists("out"));
    close(pipe);
  }
}

TEST_F(Interrupt, SecondSignalStopsAtOnce) {
  Process process(SUBSPACE_PROGRAM, endless());
  wait_for_progress(process);
  process.send(SIGINT);
  process.send(SIGINT);
  EXPECT_EQ(process.wait().code, 130);
}

}  // namespace
}  // namespace subspace::testing
