// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/neural/checkpoint.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <subspace/core/error.h>
#include <subspace/core/zip_archive.h>

#include "checkpoint_file.h"
#include "small_run.h"

namespace subspace::neural {
namespace {

using ::testing::AllOf;
using testing::bytes_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ScratchFolder;
using ::testing::ThrowsMessage;
using testing::write_bytes;

Checkpoint at_step(std::int64_t step) {
  Checkpoint checkpoint;
  checkpoint.info.version = "1.2.3";
  checkpoint.info.step = step;
  checkpoint.info.seed = 0xFFFFFFFFFFFFFFFFULL;
  checkpoint.info.shape = testing::kSmallShape;
  checkpoint.info.options = testing::small_options(17);
  checkpoint.info.options.optimizer.learning_rate = 0.1;
  checkpoint.info.num_threads = 2;
  checkpoint.arrays["network/a"] = {"<f4", {2}, "abcdefgh"};
  checkpoint.arrays["history"] = {"<f8", {0, 4}, ""};
  return checkpoint;
}

/// No file may grow beyond this while it lives: a full disk, as far as a writer can tell.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    signal_ = ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit = {bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, signal_);
  }

 private:
  rlimit before_ = {};
  sighandler_t signal_ = SIG_DFL;
};

TEST(CheckpointBytes, SayWhatTheyHold) {
  const Checkpoint read = from_bytes(to_bytes(at_step(9)));
  EXPECT_EQ(read.info.version, "1.2.3");
  EXPECT_EQ(read.info.step, 9);
  EXPECT_EQ(read.info.seed, 0xFFFFFFFFFFFFFFFFULL);
  EXPECT_EQ(read.info.shape, testing::kSmallShape);
  EXPECT_EQ(read.info.options.steps, 17);
  EXPECT_EQ(read.info.options.optimizer.learning_rate, 0.1);
  EXPECT_EQ(read.info.options.network.backbone, Backbone::kResnet10);
  EXPECT_EQ(read.arrays, at_step(9).arrays);
  EXPECT_EQ(to_bytes(read), to_bytes(at_step(9)));
}

TEST(CheckpointBytes, FlippedBitsAreFound) {
  const std::string whole = to_bytes(at_step(9));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
    EXPECT_THROW(from_bytes(flipped), Error) << "byte " << at;
  }
}

TEST(CheckpointBytes, TruncatedFilesAreFound) {
  const std::string whole = to_bytes(at_step(9));
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    EXPECT_THROW(from_bytes(whole.substr(0, size)), IoError) << size;
  }
}

// A zip with right checksums whose arrays are not those that the JSON was written for.
TEST(CheckpointBytes, ForeignArraysAreFound) {
  auto members = from_zip(to_bytes(at_step(9)));
  members.back().bytes.back() = 'X';
  EXPECT_THAT([&] { from_bytes(to_zip(members)); },
              ThrowsMessage<IoError>(HasSubstr("payload_sha256 is not that of the arrays")));
}

TEST(CheckpointBytes, OtherSchemasAndBrokenJsonAreRefused) {
  auto members = from_zip(to_bytes(at_step(9)));
  const std::string json = members[0].bytes;
  members[0].bytes.replace(json.find("checkpoint-2"), 12, "checkpoint-9");
  EXPECT_THAT([&] { from_bytes(to_zip(members)); },
              ThrowsMessage<IoError>(HasSubstr("must be 'subspace-checkpoint-2'")));
  members[0].bytes = "{";
  EXPECT_THAT([&] { from_bytes(to_zip(members)); },
              ThrowsMessage<IoError>(HasSubstr("checkpoint.json: ")));
  members[0].name = "other.json";
  EXPECT_THROW(from_bytes(to_zip(members)), IoError);
}

/// The bytes of a checkpoint whose JSON has one option less.
std::string without_option(const std::string& name) {
  std::vector<ZipMember> members = from_zip(to_bytes(at_step(5)));
  std::string& json = members[0].bytes;
  const std::size_t key = json.find("\"" + name + "\":");
  const std::size_t begin = json.rfind('\n', key);
  json.erase(begin, json.find('\n', key) - begin);
  return to_zip(members);
}

TEST(CheckpointBytes, OlderOnesHaveTheDefaultsOfOptionsThatCameLater) {
  const Checkpoint old = from_bytes(without_option("precision"));
  EXPECT_EQ(old.info.options.network.precision, Precision::kFloat32);
  EXPECT_EQ(old.info.options.optimizer.learning_rate, 0.1);
  EXPECT_EQ(from_bytes(without_option("schedule_steps")).info.options.optimizer.schedule_steps, 0);
  EXPECT_THAT([] { from_bytes(without_option("batch")); },
              ThrowsMessage<IoError>(HasSubstr("has no option 'batch'")));
}

TEST(CheckpointFolder, KeepsTwoGenerations) {
  const ScratchFolder scratch;
  CheckpointFolder folder(scratch.path());
  EXPECT_FALSE(folder.has_any());
  EXPECT_FALSE(folder.load().has_value());
  for (const int step : {1, 2, 3}) folder.save(at_step(step));
  EXPECT_EQ(find_checkpoint(scratch.path()).info.step, 3);
  EXPECT_EQ(bytes_of(folder.previous()), to_bytes(at_step(2)));
  const std::filesystem::directory_iterator files(scratch.path());
  EXPECT_EQ(std::distance(files, {}), 2);
}

TEST(CheckpointFolder, GoesBackFromADamagedOneAndSaysSo) {
  const ScratchFolder scratch;
  CheckpointFolder folder(scratch.path());
  folder.save(at_step(1));
  folder.save(at_step(2));
  const std::string whole = bytes_of(folder.newest());
  write_bytes(folder.newest(), whole.substr(0, whole.size() / 2));
  const FoundCheckpoint found = find_checkpoint(scratch.path());
  EXPECT_EQ(found.info.step, 1);
  EXPECT_EQ(found.file, folder.previous());
  EXPECT_THAT(found.warnings,
              ElementsAre(AllOf(HasSubstr("checkpoint.zip: damaged archive"),
                                HasSubstr("went back to"), HasSubstr("checkpoint.previous.zip"))));
}

TEST(CheckpointFolder, ADamagedOneNeverPushesOutAGoodOne) {
  const ScratchFolder scratch;
  CheckpointFolder(scratch.path()).save(at_step(1));
  CheckpointFolder(scratch.path()).save(at_step(2));
  write_bytes(scratch / "checkpoint.zip", "rubbish");
  CheckpointFolder folder(scratch.path());
  ASSERT_TRUE(folder.load().has_value());
  folder.save(at_step(3));
  EXPECT_EQ(bytes_of(folder.newest()), to_bytes(at_step(3)));
  EXPECT_EQ(bytes_of(folder.previous()), to_bytes(at_step(1)));
}

TEST(CheckpointFolder, AMissingNewestIsNoDamage) {
  const ScratchFolder scratch;
  CheckpointFolder(scratch.path()).save(at_step(1));
  std::filesystem::rename(scratch / "checkpoint.zip", scratch / "checkpoint.previous.zip");
  const FoundCheckpoint found = find_checkpoint(scratch.path());
  EXPECT_EQ(found.info.step, 1);
  EXPECT_THAT(found.warnings, IsEmpty());
}

TEST(CheckpointFolder, TwoDamagedOnesAreAnError) {
  const ScratchFolder scratch;
  write_bytes(scratch / "checkpoint.zip", "rubbish");
  write_bytes(scratch / "checkpoint.previous.zip", "rubbish");
  EXPECT_THAT([&] { find_checkpoint(scratch.path()); },
              ThrowsMessage<IoError>(HasSubstr("no checkpoint can be used")));
  EXPECT_THAT([&] { find_checkpoint(scratch / "nowhere"); },
              ThrowsMessage<IoError>(HasSubstr("holds no checkpoint")));
}

TEST(CheckpointFolder, AFullDiskLeavesEverythingAsItWas) {
  const ScratchFolder scratch;
  CheckpointFolder folder(scratch.path());
  folder.save(at_step(1));
  folder.save(at_step(2));
  {
    const FullDisk disk(1000);
    EXPECT_THAT([&] { folder.save(at_step(3)); },
                ThrowsMessage<IoError>(HasSubstr("cannot write")));
  }
  EXPECT_EQ(bytes_of(folder.newest()), to_bytes(at_step(2)));
  EXPECT_EQ(bytes_of(folder.previous()), to_bytes(at_step(1)));
  const std::filesystem::directory_iterator files(scratch.path());
  EXPECT_EQ(std::distance(files, {}), 2);
}

TEST(CheckpointFolder, TemporariesOfAKilledWriterAreRemoved) {
  const ScratchFolder scratch;
  write_bytes(scratch / "checkpoint.next.zip.tmp-123-0", "half a checkpoint");
  CheckpointFolder(scratch.path()).save(at_step(1));
  EXPECT_FALSE(std::filesystem::exists(scratch / "checkpoint.next.zip.tmp-123-0"));
}

}  // namespace
}  // namespace subspace::neural
