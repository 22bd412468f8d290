// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/types.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <subspace/core/types.h>

#include "datasets/files.h"

namespace subspace::testing {

using Arguments = std::vector<std::string>;

/// What a finished program left behind.
struct Finished {
  int code = -1;  ///< exit code, or 128 + signal
  std::string out = {};
  std::string err = {};
};

/// A program under way, its output going to files.
class Process {
 public:
  /// `environment` entries NAME=value are added to a clean one without SUBSPACE_*.
  Process(const std::string& program, const Arguments& arguments,
          const Arguments& environment = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const;
  bool running() const;
  std::string error_so_far() const;
  Finished wait();

 private:
  datasets::TempFolder folder_;
  pid_t pid_ = -1;
};

Finished run_program(const std::string& program, const Arguments& arguments,
                     const Arguments& environment = {});

/// The built `subspace`.
Finished subspace(const Arguments& arguments, const Arguments& environment = {});

/// A folder with data sets to run on.
class ProgramTest : public ::testing::Test {
 protected:
  /// Three independent subspaces, 90 points, as x.npy; their truth as y.npy.
  void write_union();
  /// Stripes, a direction an object and a phase a pose: 16 x 16 grey pictures objK__V.png.
  std::string write_pictures(const std::string& name, int objects, int poses) const;
  std::string write_points(const std::string& name, const Matrix& X) const;
  std::string write(const std::string& name, const std::string& bytes) const {
    return folder_.write(name, bytes).string();
  }
  std::string path(const std::string& name) const { return folder_.path(name).string(); }
  std::string read(const std::string& name) const;
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_.path(name)); }

  datasets::TempFolder folder_;
  Labels truth_;
};

/// Expects the code and exactly one line "subspace: error: ..." on standard error that has all
/// `parts`, and nothing on standard output.
template <typename... Parts>
void expect_refusal(const Finished& finished, int code, const Parts&... parts) {
  EXPECT_EQ(finished.code, code) << finished.err;
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(finished.err, ::testing::StartsWith("subspace: error: "));
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
  EXPECT_THAT(finished.err,
              ::testing::AllOf(::testing::EndsWith("\n"), ::testing::HasSubstr(parts)...));
}

}  // namespace subspace::testing
