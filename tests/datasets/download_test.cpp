// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// Downloads that go well, and what this machine itself puts in their way.
#include <gtest/gtest.h>

#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <thread>

#include <subspace/core/version.h>

#include "datasets/download_fixture.h"

namespace subspace::datasets {
namespace {

TEST_F(DownloadTest, FetchesTheFile) {
  HttpServer server(offer(file_));
  const Downloaded result = download(options(server));
  EXPECT_EQ(result.bytes, file_.body.size());
  EXPECT_EQ(result.sha256, hash_of(file_.body));
  EXPECT_FALSE(result.resumed);
  EXPECT_EQ(content_of(target_), file_.body);
  EXPECT_THAT(files(), ElementsAre("set.bin"));
  ASSERT_EQ(server.requests().size(), 1U);
  EXPECT_EQ(server.requests()[0].target, "/set.bin");
  EXPECT_EQ(server.requests()[0].header("user-agent"), "subspace/" SUBSPACE_VERSION);
  EXPECT_EQ(server.requests()[0].header("range"), "");
}

TEST_F(DownloadTest, FetchesAnEmptyFile) {
  HttpServer server(offer({.body = ""}));
  EXPECT_EQ(download(options(server)).bytes, 0U);
  EXPECT_THAT(files(), ElementsAre("set.bin"));
}

TEST_F(DownloadTest, ReplacesAnOldFile) {
  folder_.write("set.bin", "old");
  HttpServer server(offer(file_));
  download(options(server));
  EXPECT_EQ(content_of(target_), file_.body);
}

TEST_F(DownloadTest, KeepsAnOldFileWhenItFails) {
  folder_.write("set.bin", "old");
  HttpServer server(answer("404 Not Found", {"Content-Length: 4"}, "gone"));
  EXPECT_THROW(download(options(server)), IoError);
  EXPECT_EQ(content_of(target_), "old");
  EXPECT_THAT(files(), ElementsAre("set.bin"));
}

TEST_F(DownloadTest, ChunksNeedNoLength) {
  HttpServer server([&](const HttpRequest&, HttpConnection& connection) {
    connection.send_head("200 OK", {"Transfer-Encoding: chunked"});
    connection.send_chunk(file_.body.substr(0, 1000));
    connection.send_chunk(file_.body.substr(1000));
    connection.send_chunk("");
  });
  EXPECT_EQ(download(options(server)).sha256, hash_of(file_.body));
}

TEST_F(DownloadTest, ChunksWithoutTheLastAreADroppedConnection) {
  HttpServer server([&](const HttpRequest&, HttpConnection& connection) {
    connection.send_head("200 OK", {"Transfer-Encoding: chunked"});
    connection.send_chunk(file_.body);
  });
  expect_io_error([&] { download(options(server)); }, "(tried 4 times)", server.url("/set.bin"));
  EXPECT_EQ(server.requests().size(), 4U);
  EXPECT_FALSE(fs::exists(target_));
}

TEST_F(DownloadTest, ReportsBytes) {
  std::vector<ProgressEvent> events;
  HttpServer server(offer(file_));
  download(options(server),
           {.progress = [&](const ProgressEvent& event) { events.push_back(event); }});
  ASSERT_FALSE(events.empty());
  EXPECT_TRUE(std::ranges::is_sorted(events, {}, &ProgressEvent::done));
  EXPECT_EQ(events.back().phase, "download");
  EXPECT_EQ(events.back().done, 300'000);
  EXPECT_EQ(events.back().total, 300'000);
}

TEST_F(DownloadTest, TheProxyOfTheEnvironmentIsNotUsedForThisMachine) {
  HttpServer server(offer(file_));
  ::setenv("http_proxy", message("http://127.0.0.1:", subspace::testing::unused_port()).c_str(), 1);
  ::setenv("no_proxy", "example.org", 1);
  EXPECT_EQ(download(options(server)).bytes, file_.body.size());
}

TEST_F(DownloadTest, TheProxyOfTheEnvironmentIsUsedForOthers) {
  HttpServer proxy(offer(file_));
  ::setenv("http_proxy", proxy.url("").c_str(), 1);
  const Downloaded result = download({.url = "http://data.invalid/set.bin", .target = target_});
  EXPECT_EQ(result.bytes, file_.body.size());
  EXPECT_EQ(proxy.requests()[0].target, "http://data.invalid/set.bin");
}

TEST_F(DownloadTest, ATooLargeFileIsRefusedByItsLength) {
  HttpServer server(offer(file_));
  DownloadOptions small = options(server);
  small.most_bytes = file_.body.size() - 1;
  expect_io_error([&] { download(small); }, "300000 bytes", "at most 299999",
                  server.url("/set.bin"));
  EXPECT_THAT(files(), ElementsAre());
  small.most_bytes = file_.body.size();
  EXPECT_EQ(download(small).bytes, file_.body.size());
}

TEST_F(DownloadTest, ATooLargeFileWithoutLengthIsRefusedOnTheWay) {
  HttpServer server([](const HttpRequest&, HttpConnection& connection) {
    connection.send_head("200 OK", {"Transfer-Encoding: chunked"});
    while (connection.send_chunk(std::string(10'000, 'x'))) {
    }
  });
  DownloadOptions small = options(server);
  small.most_bytes = 100'000;
  expect_io_error([&] { download(small); }, "more than the 100000 bytes allowed");
  EXPECT_THAT(files(), ElementsAre());
}

TEST_F(DownloadTest, APartThatIsLargerThanAllowedIsDropped) {
  HttpServer server(offer(file_));
  interrupt(server, file_, 200'000);
  server.set_handler(offer(file_));
  DownloadOptions small = options(server);
  small.most_bytes = 100'000;
  expect_io_error([&] { download(small); }, "at most 100000");
  EXPECT_THAT(files(), ElementsAre());
}

TEST_F(DownloadTest, CancellingKeepsThePart) {
  CancelToken cancel;
  HttpServer server([&](const HttpRequest& request, HttpConnection& connection) {
    HttpFile broken = file_;
    broken.drops = {70'000};
    broken.answer(request, connection);
    cancel.request();
    connection.wait_until_closed();
  });
  EXPECT_THROW(download(options(server), {.cancel = &cancel}), Cancelled);
  EXPECT_FALSE(fs::exists(target_));
  const auto kept = fs::exists(part_) ? fs::file_size(part_) : 0;
  EXPECT_LE(kept, 70'000U);
  server.set_handler(offer(file_));
  EXPECT_EQ(download(options(server)).resumed, kept > 0);
  EXPECT_EQ(content_of(target_), file_.body);
}

TEST_F(DownloadTest, CancellingEndsTheWaitForARetry) {
  CancelToken cancel;
  HttpServer server([&](const HttpRequest&, HttpConnection& connection) {
    connection.send_head("503 Service Unavailable", {"Content-Length: 0"});
    cancel.request();
  });
  DownloadOptions patient = options(server);
  patient.retry_delay = 1h;
  EXPECT_THROW(download(patient, {.cancel = &cancel}), Cancelled);
}

TEST_F(DownloadTest, AnExceptionOfTheCallbackPassesThrough) {
  HttpServer server(offer(file_));
  const Context context = {
      .progress = [](const ProgressEvent&) { throw std::logic_error("mine"); }};
  EXPECT_THROW(download(options(server), context), std::logic_error);
}

TEST_F(DownloadTest, FoldersThatCannotBeWrittenAreNamed) {
  HttpServer server(offer(file_));
  DownloadOptions elsewhere = options(server);
  elsewhere.target = folder_.path("missing") / "set.bin";
  expect_io_error([&] { download(elsewhere); }, "cannot write", elsewhere.target.string(),
                  "No such file or directory");
  elsewhere.target = folder_.write("plain", "") / "set.bin";
  expect_io_error([&] { download(elsewhere); }, elsewhere.target.string(), "Not a directory");
  elsewhere.target = folder_.path("folder");
  fs::create_directory(elsewhere.target);
  expect_io_error([&] { download(elsewhere); }, elsewhere.target.string(), "it is a folder");
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(DownloadTest, AReadOnlyFolderIsNamed) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  HttpServer server(offer(file_));
  fs::permissions(target_.parent_path(), fs::perms::owner_read | fs::perms::owner_exec);
  expect_io_error([&] { download(options(server)); }, part_.string(), "Permission denied");
  fs::permissions(target_.parent_path(), fs::perms::owner_all);
}

TEST_F(DownloadTest, ALinkInPlaceOfThePartIsNotFollowed) {
  HttpServer server(offer(file_));
  const auto victim = folder_.write("victim", "precious");
  fs::create_symlink(victim, part_);
  expect_io_error([&] { download(options(server)); }, part_.string());
  EXPECT_EQ(content_of(victim), "precious");
}

// A limit on file sizes stands in for a full disk: write() fails half way in the same manner.
TEST_F(DownloadTest, AFullDiskIsNamedAndThePartKept) {
  HttpServer server(offer(file_));
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small = {100'000, before.rlim_max};
  const auto old_handler = ::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  expect_io_error([&] { download(options(server)); }, "cannot write " + part_.string(),
                  "File too large");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(fs::file_size(part_), 100'000U);
  EXPECT_TRUE(download(options(server)).resumed);
  EXPECT_EQ(content_of(target_), file_.body);
}

TEST_F(DownloadTest, TwoDownloadsOfOneTargetDoNotMix) {
  HttpServer server(offer(file_));
  interrupt(server, file_, 1000);
  std::FILE* const other = std::fopen(part_.c_str(), "r+");
  ASSERT_NE(other, nullptr);
  ASSERT_EQ(::flock(::fileno(other), LOCK_EX), 0);
  expect_io_error([&] { download(options(server)); }, part_.string(), "another download");
  std::fclose(other);
  EXPECT_TRUE(download(options(server)).resumed);
}

TEST_F(DownloadTest, ManyThreadsMayDownload) {
  HttpServer server(offer(file_));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      DownloadOptions own = options(server);
      own.target = folder_.path(message("set", i));
      EXPECT_EQ(download(own).sha256, hash_of(file_.body));
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(files().size(), 4U);
}

}  // namespace
}  // namespace subspace::datasets
