// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/datasets/sha256.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace subspace::datasets {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string portable_sha256(const std::string& text) {
  Sha256 hash;
  hash.use_portable_code();
  hash.update(bytes_of(text));
  return hash.finish();
}

// The examples of FIPS 180-2, appendix B, and the digest of the empty message.
TEST(Sha256Test, GivesThePublishedDigests) {
  const std::vector<std::pair<std::string, std::string>> vectors = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {std::string(1000000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
  for (const auto& [text, digest] : vectors) {
    EXPECT_EQ(sha256(bytes_of(text)), digest);
    EXPECT_EQ(portable_sha256(text), digest);
  }
}

RC_GTEST_PROP(Sha256Test, PiecesAndCodePathsDoNotMatter, (const std::vector<std::string>& pieces)) {
  Sha256 hash;
  std::string whole;
  for (const auto& piece : pieces) {
    hash.update(bytes_of(piece));
    whole += piece;
  }
  const std::string digest = hash.finish();
  RC_ASSERT(digest == sha256(bytes_of(whole)));
  RC_ASSERT(digest == portable_sha256(whole));
}

TEST(Sha256Test, EveryLengthAroundTheBlockSizeAgreesOnBothPaths) {
  for (std::size_t length = 0; length < 200; ++length) {
    const std::string text(length, static_cast<char>('a' + length % 26));
    EXPECT_EQ(sha256(bytes_of(text)), portable_sha256(text)) << length;
  }
}

TEST(Sha256Test, ContentOfAMatrixIsItsColumns) {
  Matrix X(2, 3);
  X << 1, 2, 3, 4, 5, 6;
  const double columns[] = {1, 4, 2, 5, 3, 6};
  EXPECT_EQ(content_sha256(X), sha256(std::as_bytes(std::span(columns))));
  Matrix larger = Matrix::Zero(5, 3);
  larger.topRows(2) = X;
  EXPECT_EQ(content_sha256(larger.topRows(2)), content_sha256(X)) << "a block with a stride";
}

}  // namespace
}  // namespace subspace::datasets
