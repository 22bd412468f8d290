// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// Whole sets from a server on this machine: verified before they get their names.
#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <filesystem>

#include <subspace/core/error.h>
#include <subspace/datasets/fetch.h>

#include "datasets/files.h"
#include "support/http_server.h"
#include "support/message_of.h"

namespace subspace::datasets {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::HttpFile;
using testing::HttpServer;
using testing::message_of;
using testing::offer;

/// A .mat like USPS.mat: 9298 samples of 256 values in 0..1, ten classes.
std::string usps_like(int samples) {
  const MatWriter mat;
  const auto count = static_cast<std::size_t>(samples);
  std::vector<float> values(count * 256, 0.5F);
  std::vector<std::uint8_t> labels(count);
  for (std::size_t i = 0; i < count; ++i) labels[i] = static_cast<std::uint8_t>(1 + i % 10);
  return mat.header() +
         mat.compressed(mat.array(7, {samples, 256}, "fea", mat.element(7, raw(values)))) +
         mat.compressed(mat.array(9, {samples, 1}, "gnd", mat.element(2, raw(labels))));
}

/// The 10000 records of a CIFAR-10 test batch in a .tar.gz under `folder`.
std::string cifar_like(const std::string& folder) {
  std::string records;
  for (int i = 0; i < 10000; ++i) {
    records += static_cast<char>(i % 10);
    records.append(3072, static_cast<char>(i % 256));
  }
  std::string out(std::size_t{1} << 25, '\0');
  std::size_t used = 0;
  archive* writer = archive_write_new();
  archive_write_add_filter_gzip(writer);
  archive_write_set_format_ustar(writer);
  archive_write_open_memory(writer, out.data(), out.size(), &used);
  archive_entry* entry = archive_entry_new();
  archive_entry_set_pathname(entry, (folder + "/test_batch.bin").c_str());
  archive_entry_set_size(entry, static_cast<la_int64_t>(records.size()));
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_perm(entry, 0644);
  archive_write_header(writer, entry);
  archive_write_data(writer, records.data(), records.size());
  archive_entry_free(entry);
  archive_write_close(writer);
  archive_write_free(writer);
  out.resize(used);
  return out;
}

class FetchSetTest : public ::testing::Test {
 protected:
  Fetched fetch(const std::string& name, const std::string& url = {}) {
    return fetch_dataset(name, {.folder = folder_.path("data"), .url = url});
  }
  /// Whether nothing but empty folders is left of a failed attempt.
  bool is_clean() const {
    std::error_code ignored;
    for (const auto& item : fs::recursive_directory_iterator(folder_.path("data"), ignored)) {
      if (!item.is_directory()) return false;
    }
    return true;
  }

  TempFolder folder_;
};

TEST_F(FetchSetTest, ASetWithoutAKnownHashIsAcceptedByItsCounts) {
  HttpServer server(offer({.body = usps_like(9298)}));
  const Fetched fetched = fetch("usps", server.url("/USPS.mat"));
  EXPECT_FALSE(fetched.was_there);
  EXPECT_FALSE(fetched.verification.hash_known);
  EXPECT_EQ(fetched.verification.samples, 9298);
  EXPECT_TRUE(fs::exists(folder_.path("data/usps/USPS.mat")));
  EXPECT_FALSE(fs::exists(folder_.path("data/.incoming")));
  // The second time it is there, and nobody is asked.
  EXPECT_TRUE(fetch("usps").was_there);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(FetchSetTest, AnotherFileIsRefusedAndRemoved) {
  HttpServer server(offer({.body = usps_like(100)}));
  EXPECT_THAT(message_of<IoError>([&] { fetch("usps", server.url("/USPS.mat")); }),
              ::testing::AllOf(HasSubstr("is not usps and was removed"),
                               HasSubstr("100 labels, expected 9298")));
  EXPECT_TRUE(is_clean());
}

TEST_F(FetchSetTest, ASetWithAKnownHashMustHaveIt) {
  const MatWriter mat;
  std::vector<std::uint8_t> pixels(400 * 1024, 7), labels(400);
  for (std::size_t i = 0; i < 400; ++i) labels[i] = static_cast<std::uint8_t>(1 + i / 10);
  HttpServer server(
      offer({.body = mat.header() + mat.array(9, {400, 1024}, "fea", mat.element(2, raw(pixels))) +
                     mat.array(9, {400, 1}, "gnd", mat.element(2, raw(labels)))}));
  EXPECT_THAT(message_of<IoError>([&] { fetch("orl", server.url("/ORL_32x32.mat")); }),
              HasSubstr("decoded values have SHA-256"));
  EXPECT_TRUE(is_clean());
}

TEST_F(FetchSetTest, ArchivesAreUnpackedIntoPlace) {
  HttpServer server(offer({.body = cifar_like("cifar-10-batches-bin")}));
  const Fetched fetched = fetch("cifar10-test", server.url("/cifar-10-binary.tar.gz"));
  EXPECT_EQ(fetched.verification.samples, 10000);
  EXPECT_TRUE(fs::exists(folder_.path("data/cifar10/cifar-10-batches-bin/test_batch.bin")));
  EXPECT_FALSE(fs::exists(folder_.path("data/.incoming")));
}

TEST_F(FetchSetTest, AnArchiveOfSomethingElseIsRefused) {
  HttpServer server(offer({.body = cifar_like("other")}));
  EXPECT_THAT(message_of<IoError>([&] { fetch("cifar10-test", server.url("/c.tar.gz")); }),
              HasSubstr("has no folder cifar-10-batches-bin"));
  EXPECT_TRUE(is_clean());
}

TEST_F(FetchSetTest, AddressesAreNoFileNames) {
  HttpServer server(offer({.body = cifar_like("cifar-10-batches-bin")}));
  for (const char* path : {"/", "/x/..", "/cifar10-test", "/unpacked"}) {
    fs::remove_all(folder_.path("data"));
    EXPECT_EQ(fetch("cifar10-test", server.url(path)).verification.samples, 10000) << path;
  }
}

TEST_F(FetchSetTest, AFileInTheWayIsNoticedBeforeTheDownload) {
  fs::create_directory(folder_.path("data"));
  folder_.write("data/usps", "a file");
  HttpServer server(offer({.body = usps_like(9298)}));
  EXPECT_THAT(message_of<IoError>([&] { fetch("usps", server.url("/USPS.mat")); }),
              HasSubstr("cannot be made"));
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(FetchSetTest, AnInterruptedFetchGoesOnWhereItBrokeOff) {
  HttpFile file = {.body = usps_like(9298), .etag = "\"one\""};
  file.drops = {file.body.size() / 2, 10, 10, 10};
  HttpServer server(offer(file));
  EXPECT_THROW(fetch("usps", server.url("/USPS.mat")), IoError);
  EXPECT_FALSE(fs::exists(folder_.path("data/usps/USPS.mat")));
  fetch("usps", server.url("/USPS.mat"));
  EXPECT_THAT(server.requests().back().header("range"), HasSubstr("bytes="));
}

TEST_F(FetchSetTest, SetsOfSeveralFilesNeedAFolder) {
  EXPECT_THAT(message_of<InvalidArgument>([&] { fetch("mnist", "http://127.0.0.1/x.gz"); }),
              HasSubstr("must end in '/'"));
  EXPECT_THAT(message_of<IoError>([&] { fetch("yaleb"); }), HasSubstr("no address is registered"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { fetch("nmist"); }), HasSubstr("mnist"));
}

}  // namespace
}  // namespace subspace::datasets
