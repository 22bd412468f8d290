// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include <subspace/core/random.h>

#include "small_run.h"

namespace subspace::neural {
namespace {

using testing::bytes_of;
using testing::ScratchFolder;
using Seconds = std::chrono::duration<double>;

/// Which run: see training_run.cpp.
struct Run {
  int steps = 0;
  std::string kind = "small";
};

pid_t start(const std::filesystem::path& folder, const Run& run) {
  std::string program = TRAINING_RUN_PROGRAM;
  std::string where = folder.string();
  std::string steps = std::to_string(run.steps);
  std::string kind = run.kind;
  char* arguments[] = {program.data(), where.data(), steps.data(), kind.data(), nullptr};
  // Threads that spin while they wait take the processor from those they wait for.
  ::setenv("OMP_WAIT_POLICY", "passive", 1);
  pid_t process = -1;
  const int error = ::posix_spawn(&process, program.c_str(), nullptr, nullptr, arguments, environ);
  EXPECT_EQ(error, 0);
  return process;
}

int wait_for(pid_t process) {
  int status = -1;
  ::waitpid(process, &status, 0);
  return status;
}

/// Which file is the newest checkpoint; every save puts another one in its place.
ino_t newest_of(const std::filesystem::path& folder) {
  struct stat status = {};
  return ::stat((folder / "checkpoint.zip").c_str(), &status) == 0 ? status.st_ino : 0;
}

/// Waits until the run has written a checkpoint, or has ended.
void wait_for_a_checkpoint(const std::filesystem::path& folder, pid_t process, ino_t before) {
  const auto ended = [&] {
    siginfo_t info = {};
    ::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT);
    return info.si_pid != 0;
  };
  for (ino_t now = before; (now == before || now == 0) && !ended(); now = newest_of(folder)) {
    std::this_thread::sleep_for(Seconds(5e-4));
  }
}

/// Starts the run and kills it at a random moment: now and then while it loads, mostly in the steps
/// and writes after its first new checkpoint. Whether the kill came before the end.
bool kill_once(const std::filesystem::path& folder, const Run& run, RandomStream& random) {
  const ino_t before = newest_of(folder);
  const pid_t process = start(folder, run);
  if (random.below(5) == 0) {
    std::this_thread::sleep_for(Seconds(0.3 * random.uniform()));
  } else {
    wait_for_a_checkpoint(folder, process, before);
    std::this_thread::sleep_for(Seconds(0.02 * random.uniform()));
  }
  ::kill(process, SIGKILL);
  const int status = wait_for(process);
  if (WIFSIGNALED(status)) return true;
  EXPECT_EQ(WEXITSTATUS(status), 0);
  return false;
}

/// A few kills in every run of the tests, more when asked.
int num_kills() {
  const char* asked = std::getenv("SUBSPACE_TEST_KILLS");
  return asked != nullptr ? std::atoi(asked) : 6;
}

void expect_the_same_bytes(const Run& run, int kills) {
  const ScratchFolder scratch;
  ASSERT_EQ(wait_for(start(scratch / "whole", run)), 0);
  RandomStream random = stream(static_cast<std::uint64_t>(::getpid()), Stream::kTest);
  int killed = 0;
  for (int i = 0; i < kills; ++i) killed += kill_once(scratch / "parts", run, random) ? 1 : 0;
  EXPECT_GE(2 * killed, kills) << "the run is too short for its kills";
  ASSERT_EQ(wait_for(start(scratch / "parts", run)), 0);
  EXPECT_EQ(bytes_of(scratch / "parts" / "checkpoint.zip"),
            bytes_of(scratch / "whole" / "checkpoint.zip"));
}

TEST(Kill, ResumedRunsEndInTheSameBytes) {
  expect_the_same_bytes({.steps = 12 * num_kills()}, num_kills());
}

TEST(Kill, OnTwoThreadsToo) { expect_the_same_bytes({.steps = 6, .kind = "wide"}, 1); }

}  // namespace
}  // namespace subspace::neural
