// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// Downloads that break off and are continued, or are not.
#include <gtest/gtest.h>

#include "datasets/download_fixture.h"

namespace subspace::datasets {
namespace {

using DownloadResumeTest = DownloadTest;

TEST_F(DownloadResumeTest, ADroppedConnectionIsContinued) {
  file_.drops = {100'000, 50'000};
  HttpServer server(offer(file_));
  const Downloaded result = download(options(server));
  EXPECT_EQ(result.sha256, hash_of(file_.body));
  EXPECT_FALSE(result.resumed);
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[1].header("range"), "bytes=100000-");
  EXPECT_EQ(requests[1].header("if-range"), "\"v1\"");
  EXPECT_EQ(requests[2].header("range"), "bytes=150000-");
}

TEST_F(DownloadResumeTest, AnInterruptedCallIsContinuedByTheNext) {
  HttpServer server(offer(file_));
  interrupt(server, file_, 120'000);
  EXPECT_THAT(files(), ElementsAre("set.bin.part", "set.bin.part.meta"));
  EXPECT_EQ(fs::file_size(part_), 120'000U);
  server.set_handler(offer(file_));
  const Downloaded result = download(options(server));
  EXPECT_TRUE(result.resumed);
  EXPECT_EQ(result.sha256, hash_of(file_.body));
  EXPECT_EQ(server.requests().back().header("range"), "bytes=120000-");
  EXPECT_THAT(files(), ElementsAre("set.bin"));
}

TEST_F(DownloadResumeTest, TheDateServesWhereThereIsNoStrongEtag) {
  file_.etag = "W/\"v1\"";
  file_.last_modified = "Wed, 21 Oct 2015 07:28:00 GMT";
  HttpServer server(offer(file_));
  interrupt(server, file_, 120'000);
  server.set_handler(offer(file_));
  EXPECT_TRUE(download(options(server)).resumed);
  EXPECT_EQ(server.requests().back().header("if-range"), file_.last_modified);
  EXPECT_EQ(content_of(target_), file_.body);
}

TEST_F(DownloadResumeTest, WithoutEtagAndDateItStartsOver) {
  file_.etag = "";
  HttpServer server(offer(file_));
  interrupt(server, file_, 120'000);
  server.set_handler(offer(file_));
  EXPECT_FALSE(download(options(server)).resumed);
  EXPECT_EQ(server.requests().back().header("range"), "");
  EXPECT_EQ(content_of(target_), file_.body);
}

TEST_F(DownloadResumeTest, APartFromAnotherUrlIsNotContinued) {
  HttpServer server(offer(file_));
  interrupt(server, file_, 120'000);
  server.set_handler(offer(file_));
  EXPECT_FALSE(download(options(server, "/other.bin")).resumed);
  EXPECT_EQ(server.requests().back().header("range"), "");
}

TEST_F(DownloadResumeTest, APartOfUnknownOriginIsNotContinued) {
  folder_.write("set.bin.part", "whatever");
  folder_.write("set.bin.part.meta", "garbage\n");
  HttpServer server(offer(file_));
  EXPECT_FALSE(download(options(server)).resumed);
  EXPECT_EQ(content_of(target_), file_.body);
}

TEST_F(DownloadResumeTest, AChangedFileStartsOver) {
  HttpServer server(offer(file_));
  for (const bool heeds_if_range : {true, false}) {
    interrupt(server, file_, 120'000);
    const HttpFile changed = {
        .body = random_bytes(250'000, 2), .etag = "\"v2\"", .heeds_if_range = heeds_if_range};
    server.set_handler(offer(changed));
    EXPECT_FALSE(download(options(server)).resumed);
    EXPECT_EQ(content_of(target_), changed.body);
  }
}

TEST_F(DownloadResumeTest, AServerThatIgnoresRangesStartsOver) {
  HttpServer server(offer(file_));
  interrupt(server, file_, 120'000);
  file_.knows_ranges = false;
  server.set_handler(offer(file_));
  EXPECT_FALSE(download(options(server)).resumed);
  EXPECT_EQ(server.requests().back().header("range"), "bytes=120000-");
  EXPECT_EQ(content_of(target_), file_.body);
}

TEST_F(DownloadResumeTest, ARangeThatWasNotAskedForStartsOver) {
  HttpServer server(offer(file_));
  interrupt(server, file_, 120'000);
  server.set_handler([this](const HttpRequest& request, HttpConnection& connection) {
    if (request.header("range").empty()) {
      HttpFile(file_).answer(request, connection);
      return;
    }
    connection.send_head("206 Partial Content", {"Content-Range: bytes 119999-299999/300000",
                                                 "ETag: \"v1\"", "Content-Length: 180001"});
    connection.send(std::string_view(file_.body).substr(119'999));
  });
  EXPECT_FALSE(download(options(server)).resumed);
  EXPECT_EQ(content_of(target_), file_.body);
}

TEST_F(DownloadResumeTest, APartialAnswerToAPlainRequestIsRefused) {
  HttpServer server(
      answer("206 Partial Content", {"Content-Range: bytes 0-3/10", "Content-Length: 4"}, "abcd"));
  expect_io_error([&] { download(options(server)); }, "206");
  EXPECT_THAT(files(), ElementsAre());
}

// The process may die between the last byte and the new name.
TEST_F(DownloadResumeTest, ACompletePartIsRecognisedBy416) {
  HttpServer server(offer(file_));
  interrupt(server, file_, 299'999);
  std::ofstream(part_, std::ios::app | std::ios::binary) << file_.body.back();
  server.set_handler(offer(file_));
  const Downloaded result = download(options(server));
  EXPECT_TRUE(result.resumed);
  EXPECT_EQ(server.requests().back().header("range"), "bytes=300000-");
  EXPECT_EQ(content_of(target_), file_.body);
}

TEST_F(DownloadResumeTest, APartThatIsTooLongStartsOver) {
  HttpServer server(offer(file_));
  interrupt(server, file_, 299'999);
  std::ofstream(part_, std::ios::app | std::ios::binary) << "more";
  server.set_handler(offer(file_));
  EXPECT_FALSE(download(options(server)).resumed);
  EXPECT_EQ(content_of(target_), file_.body);
}

TEST_F(DownloadResumeTest, RetriesStartAnewWithEachMebibyte) {
  file_.body = random_bytes(5 << 20);
  file_.drops = std::vector<std::size_t>(4, 1 << 20);
  HttpServer server(offer(file_));
  DownloadOptions one_retry = options(server);
  one_retry.retries = 1;
  EXPECT_EQ(download(one_retry).sha256, hash_of(file_.body));
}

TEST_F(DownloadResumeTest, ALengthThatNeverComesIsAnError) {
  HttpServer server(answer("200 OK", {"Content-Length: 5000", "ETag: \"v\""}, "short"));
  expect_io_error([&] { download(options(server)); }, "(tried 4 times)", server.url("/set.bin"));
  EXPECT_FALSE(fs::exists(target_));
}

TEST_F(DownloadResumeTest, AResetConnectionIsTriedAgain) {
  HttpServer server([](const HttpRequest&, HttpConnection& connection) { connection.reset(); });
  expect_io_error([&] { download(options(server)); }, "(tried 4 times)");
  EXPECT_THAT(files(), ElementsAre());
}

TEST_F(DownloadResumeTest, ABodyThatEndsWithTheConnectionNeedsAHash) {
  HttpServer server(answer("200 OK", {}, file_.body));
  expect_io_error([&] { download(options(server)); }, "sha256");
  EXPECT_THAT(files(), ElementsAre());
  DownloadOptions with_hash = options(server);
  with_hash.sha256 = hash_of(file_.body);
  EXPECT_EQ(download(with_hash).bytes, file_.body.size());
}

TEST_F(DownloadResumeTest, AnotherHashIsRefused) {
  HttpServer server(offer(file_));
  DownloadOptions other = options(server);
  other.sha256 = std::string(64, '0');
  expect_io_error([&] { download(other); }, "SHA-256", hash_of(file_.body), other.sha256);
  EXPECT_THAT(files(), ElementsAre());
  other.sha256 = hash_of(file_.body);
  std::ranges::transform(other.sha256, other.sha256.begin(), ::toupper);
  EXPECT_EQ(download(other).bytes, file_.body.size());
}

}  // namespace
}  // namespace subspace::datasets
