// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/core/zip_archive.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <subspace/core/error.h>

namespace subspace {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<ZipMember> two_members() { return {{"a.json", "{}"}, {"folder/b.npy", "12345678"}}; }

TEST(Crc32, IsThePublishedOne) {
  EXPECT_EQ(crc32("123456789"), 0xCBF43926U);
  EXPECT_EQ(crc32(""), 0U);
}

RC_GTEST_PROP(ZipArchive, MembersSurvive, (const std::vector<std::string>& contents)) {
  RC_PRE(!contents.empty());
  std::vector<ZipMember> members;
  for (const std::string& content : contents) {
    members.push_back({"m" + std::to_string(members.size()), content});
  }
  const auto read = from_zip(to_zip(members));
  RC_ASSERT(read.size() == members.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    RC_ASSERT(read[i].name == members[i].name);
    RC_ASSERT(read[i].bytes == members[i].bytes);
  }
}

TEST(ZipArchive, EveryFlippedBitIsFound) {
  const std::string whole = to_zip(two_members());
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_THROW(from_zip(flipped), Error) << "bit " << bit;
  }
}

TEST(ZipArchive, EveryTruncationAndAdditionIsFound) {
  const std::string whole = to_zip(two_members());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(from_zip(whole.substr(0, size)), IoError) << size;
  }
  EXPECT_THAT([&] { from_zip(whole + "x"); }, ThrowsMessage<IoError>(HasSubstr("damaged archive")));
}

TEST(ZipArchive, OtherFilesAreRefused) {
  EXPECT_THAT([] { from_zip("no archive at all, but long enough to hold a header"); },
              ThrowsMessage<IoError>("damaged archive: it has no members"));
}

}  // namespace
}  // namespace subspace
