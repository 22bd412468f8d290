// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <subspace/core/atomic_file.h>
#include <subspace/core/error.h>

#include "support/message_of.h"

namespace subspace {
namespace {

namespace fs = std::filesystem;

class AtomicFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              message("subspace-atomic-", ::getpid(), "-",
                      ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string content(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
};

TEST_F(AtomicFile, WritesAndReplacesWholeFiles) {
  const fs::path path = folder_ / "a.txt";
  write_file_atomically(path, std::string("first, longer\0text", 18));
  write_file_atomically(path, "second");
  EXPECT_EQ(content(path), "second");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, AnExceptionWhileWritingLeavesTheOldFileAndNoTemporary) {
  const fs::path path = folder_ / "a.txt";
  write_file_atomically(path, "old");
  EXPECT_THROW(write_file_atomically(path,
                                     [](std::ostream& out) {
                                       out << "half";
                                       throw std::runtime_error("stop");
                                     }),
               std::runtime_error);
  EXPECT_EQ(content(path), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, NamesThePathAndTheCause) {
  const fs::path missing = folder_ / "no-such-folder" / "a.txt";
  const std::string refused =
      testing::message_of<IoError>([&] { write_file_atomically(missing, "x"); });
  EXPECT_EQ(refused, "cannot write " + missing.string() + ": No such file or directory");
  EXPECT_EQ(testing::message_of<IoError>([&] { write_file_atomically(folder_, "x"); }),
            "cannot write " + folder_.string() + ": it is a folder");
}

TEST_F(AtomicFile, ReplacesNeitherPipesNorDevicesNorLinks) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(testing::message_of<IoError>([&] { write_file_atomically(pipe, "x"); }),
            "cannot write " + pipe.string() + ": it is no regular file");
  EXPECT_TRUE(fs::is_fifo(pipe));
  const fs::path link = folder_ / "link";
  write_file_atomically(folder_ / "target", "old");
  fs::create_symlink("target", link);
  write_file_atomically(link, "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(content(folder_ / "target"), "new");
}

TEST_F(AtomicFile, AStreamThatFailedIsAnErrorAndLeavesNothing) {
  const fs::path path = folder_ / "a.txt";
  const std::string refused = testing::message_of<IoError>([&] {
    write_file_atomically(path, [](std::ostream& out) { out.setstate(std::ios::badbit); });
  });
  EXPECT_NE(refused.find(path.string()), std::string::npos);
  EXPECT_EQ(files(), 0);
}

// A limit on the size of files stands for a full disk: writing past it fails in the middle.
TEST_F(AtomicFile, ADiskThatFillsUpLeavesTheOldFileAndNoTemporary) {
  const fs::path path = folder_ / "a.txt";
  write_file_atomically(path, "old");
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 100000, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string refused =
      testing::message_of<IoError>([&] { write_file_atomically(path, std::string(1000000, 'x')); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(refused, "cannot write " + path.string() + ": File too large");
  EXPECT_EQ(content(path), "old");
  EXPECT_EQ(files(), 1);
}

}  // namespace
}  // namespace subspace
