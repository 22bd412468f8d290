// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/folder_lock.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include <subspace/core/error.h>

namespace subspace {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::ThrowsMessage;

class FolderLockTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / message("subspace-lock-", ::getpid());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  auto second_lock() {
    return [this] { FolderLock lock(folder_); };
  }
  const auto refused() {
    return ThrowsMessage<InvalidArgument>(EndsWith(": another process works in it"));
  }

  /// In a child, of which nothing of the test may run on.
  void hold_until_killed(int ready) const noexcept {
    try {
      const FolderLock lock(folder_);
      const bool told = ::write(ready, "x", 1) == 1;
      while (told) ::pause();
    } catch (const Error&) {
      return;
    }
  }

  fs::path folder_;
};

TEST_F(FolderLockTest, IsHeldByOneAtATime) {
  {
    const FolderLock lock(folder_);
    EXPECT_THAT(second_lock(), refused());
  }
  EXPECT_NO_THROW(second_lock()());
}

TEST_F(FolderLockTest, EndsWithAProcessThatIsKilled) {
  int ready[2] = {};
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    hold_until_killed(ready[1]);
    ::_exit(1);
  }
  ASSERT_GE(child, 0);
  ::close(ready[1]);  // so that a child that dies ends the read
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_THAT(second_lock(), refused());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_NO_THROW(second_lock()());
  ::close(ready[0]);
}

TEST_F(FolderLockTest, AFolderThatIsNotThereIsAnError) {
  EXPECT_THROW(FolderLock lock(folder_ / "missing"), IoError);
}

}  // namespace
}  // namespace subspace
