// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include <subspace/datasets/image.h>
#include <subspace/datasets/save.h>
#include <subspace/datasets/synthetic.h>

namespace subspace::testing {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> clean_environment(const Arguments& added) {
  std::vector<std::string> all = added;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (std::string(*entry).rfind("SUBSPACE_", 0) != 0) all.emplace_back(*entry);
  }
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

Process::Process(const std::string& program, const Arguments& arguments,
                 const Arguments& environment) {
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = clean_environment(environment);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, folder_.path("out").c_str(), O_WRONLY | O_CREAT,
                                   0600);
  posix_spawn_file_actions_addopen(&files, 2, folder_.path("err").c_str(), O_WRONLY | O_CREAT,
                                   0600);
  const int failed = posix_spawnp(&pid_, program.c_str(), &files, nullptr, pointers(words).data(),
                                  pointers(variables).data());
  posix_spawn_file_actions_destroy(&files);
  EXPECT_EQ(failed, 0) << program;
}

Process::~Process() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void Process::send(int signal) const { EXPECT_EQ(kill(pid_, signal), 0); }

bool Process::running() const {
  siginfo_t info = {};
  EXPECT_EQ(waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT), 0);
  return info.si_pid == 0;
}

std::string Process::error_so_far() const { return content(folder_.path("err")); }

Finished Process::wait() {
  int status = 0;
  EXPECT_EQ(waitpid(pid_, &status, 0), pid_);
  pid_ = -1;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          content(folder_.path("out")), content(folder_.path("err"))};
}

Finished run_program(const std::string& program, const Arguments& arguments,
                     const Arguments& environment) {
  return Process(program, arguments, environment).wait();
}

Finished subspace(const Arguments& arguments, const Arguments& environment) {
  return run_program(SUBSPACE_PROGRAM, arguments, environment);
}

void ProgramTest::write_union() {
  const datasets::Generated data = datasets::union_of_subspaces(
      {.num_subspaces = 3, .dimension = 3, .ambient = 20, .points_per_subspace = 30, .seed = 3});
  truth_ = data.truth;
  write_points("x.npy", data.points.X);
  datasets::save_labels(folder_.path("y.npy"), truth_);
}

std::string ProgramTest::write_pictures(const std::string& name, int objects, int poses) const {
  constexpr datasets::ImageShape kShape = {.channels = 1, .height = 16, .width = 16};
  const std::filesystem::path folder = folder_.path(name);
  std::filesystem::create_directories(folder);
  for (int object = 0; object < objects; ++object) {
    for (int pose = 0; pose < poses; ++pose) {
      std::vector<std::uint8_t> pixels;
      for (int i = 0; i < kShape.height * kShape.width; ++i) {
        const double wave = std::cos(object) * (i % kShape.width) +
                            std::sin(object) * static_cast<double>(i / kShape.width) + 0.7 * pose;
        pixels.push_back(static_cast<std::uint8_t>(127.5 + 127.0 * std::sin(wave)));
      }
      datasets::save_png(
          folder / ("obj" + std::to_string(object + 1) + "__" + std::to_string(pose) + ".png"),
          kShape, pixels);
    }
  }
  return folder.string();
}

std::string ProgramTest::write_points(const std::string& name, const Matrix& X) const {
  datasets::save_points(folder_.path(name), X);
  return path(name);
}

std::string ProgramTest::read(const std::string& name) const { return content(folder_.path(name)); }

}  // namespace subspace::testing
