// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// Downloads from servers on this machine that misbehave in every way we know of.
#include <gtest/gtest.h>

#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <thread>

#include <subspace/core/random.h>
#include <subspace/core/version.h>
#include <subspace/datasets/download.h>
#include <subspace/datasets/sha256.h>

#include "datasets/files.h"
#include "support/http_server.h"

namespace subspace::datasets {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using subspace::testing::HttpConnection;
using subspace::testing::HttpFile;
using subspace::testing::HttpRequest;
using subspace::testing::HttpServer;
using subspace::testing::offer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string random_bytes(std::size_t size, std::uint64_t seed = 1) {
  RandomStream random = stream(seed, Stream::kTest);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random.below(256));
  return bytes;
}

std::string hash_of(const std::string& bytes) { return sha256(std::as_bytes(std::span(bytes))); }

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Answers every request alike.
HttpServer::Handler answer(const std::string& status, const std::vector<std::string>& lines,
                           const std::string& body = "") {
  return [=](const HttpRequest&, HttpConnection& connection) {
    connection.send_head(status, lines);
    connection.send(body);
  };
}

class DownloadTest : public ::testing::Test {
 protected:
  // The environment of who runs the tests must not send them elsewhere.
  void SetUp() override {
    for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY",
                             "no_proxy", "NO_PROXY"}) {
      ::unsetenv(name);
    }
  }

  DownloadOptions options(const HttpServer& server, const std::string& path = "/set.bin") const {
    return {.url = server.url(path), .target = target_, .retry_delay = 1ms, .stall_timeout = 20s};
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(target_.parent_path())) {
      names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }
  /// Leaves a part of `file` behind, as an interrupted call does.
  void interrupt(HttpServer& server, HttpFile file, std::size_t bytes) const {
    file.drops = {bytes};
    server.set_handler(offer(file));
    DownloadOptions once = options(server);
    once.retries = 0;
    EXPECT_THROW(download(once), IoError);
  }

  TempFolder folder_;
  fs::path target_ = folder_.path("set.bin");
  fs::path part_ = folder_.path("set.bin.part");
  HttpFile file_ = {.body = random_bytes(300'000), .etag = "\"v1\""};
};

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

// Resuming.

TEST_F(DownloadTest, ADroppedConnectionIsContinued) {
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

TEST_F(DownloadTest, AnInterruptedCallIsContinuedByTheNext) {
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

TEST_F(DownloadTest, TheDateServesWhereThereIsNoStrongEtag) {
  file_.etag = "W/\"v1\"";
  file_.last_modified = "Wed, 21 Oct 2015 07:28:00 GMT";
  HttpServer server(offer(file_));
  interrupt(server, file_, 120'000);
  server.set_handler(offer(file_));
  EXPECT_TRUE(download(options(server)).resumed);
  EXPECT_EQ(server.requests().back().header("if-range"), file_.last_modified);
  EXPECT_EQ(content_of(target_), file_.body);
}

TEST_F(DownloadTest, WithoutEtagAndDateItStartsOver) {
  file_.etag = "";
  HttpServer server(offer(file_));
  interrupt(server, file_, 120'000);
  server.set_handler(offer(file_));
  EXPECT_FALSE(download(options(server)).resumed);
  EXPECT_EQ(server.requests().back().header("range"), "");
  EXPECT_EQ(content_of(target_), file_.body);
}

TEST_F(DownloadTest, APartFromAnotherUrlIsNotContinued) {
  HttpServer server(offer(file_));
  interrupt(server, file_, 120'000);
  server.set_handler(offer(file_));
  EXPECT_FALSE(download(options(server, "/other.bin")).resumed);
  EXPECT_EQ(server.requests().back().header("range"), "");
}

TEST_F(DownloadTest, APartOfUnknownOriginIsNotContinued) {
  folder_.write("set.bin.part", "whatever");
  folder_.write("set.bin.part.meta", "garbage\n");
  HttpServer server(offer(file_));
  EXPECT_FALSE(download(options(server)).resumed);
  EXPECT_EQ(content_of(target_), file_.body);
}

TEST_F(DownloadTest, AChangedFileStartsOver) {
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

TEST_F(DownloadTest, AServerThatIgnoresRangesStartsOver) {
  HttpServer server(offer(file_));
  interrupt(server, file_, 120'000);
  file_.knows_ranges = false;
  server.set_handler(offer(file_));
  EXPECT_FALSE(download(options(server)).resumed);
  EXPECT_EQ(server.requests().back().header("range"), "bytes=120000-");
  EXPECT_EQ(content_of(target_), file_.body);
}

TEST_F(DownloadTest, ARangeThatWasNotAskedForStartsOver) {
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

TEST_F(DownloadTest, APartialAnswerToAPlainRequestIsRefused) {
  HttpServer server(
      answer("206 Partial Content", {"Content-Range: bytes 0-3/10", "Content-Length: 4"}, "abcd"));
  expect_io_error([&] { download(options(server)); }, "206");
  EXPECT_THAT(files(), ElementsAre());
}

// The process may die between the last byte and the new name.
TEST_F(DownloadTest, ACompletePartIsRecognisedBy416) {
  HttpServer server(offer(file_));
  interrupt(server, file_, 299'999);
  std::ofstream(part_, std::ios::app | std::ios::binary) << file_.body.back();
  server.set_handler(offer(file_));
  const Downloaded result = download(options(server));
  EXPECT_TRUE(result.resumed);
  EXPECT_EQ(server.requests().back().header("range"), "bytes=300000-");
  EXPECT_EQ(content_of(target_), file_.body);
}

TEST_F(DownloadTest, APartThatIsTooLongStartsOver) {
  HttpServer server(offer(file_));
  interrupt(server, file_, 299'999);
  std::ofstream(part_, std::ios::app | std::ios::binary) << "more";
  server.set_handler(offer(file_));
  EXPECT_FALSE(download(options(server)).resumed);
  EXPECT_EQ(content_of(target_), file_.body);
}

TEST_F(DownloadTest, RetriesStartAnewWithEachMebibyte) {
  file_.body = random_bytes(5 << 20);
  file_.drops = std::vector<std::size_t>(4, 1 << 20);
  HttpServer server(offer(file_));
  DownloadOptions one_retry = options(server);
  one_retry.retries = 1;
  EXPECT_EQ(download(one_retry).sha256, hash_of(file_.body));
}

TEST_F(DownloadTest, ALengthThatNeverComesIsAnError) {
  HttpServer server(answer("200 OK", {"Content-Length: 5000", "ETag: \"v\""}, "short"));
  expect_io_error([&] { download(options(server)); }, "(tried 4 times)", server.url("/set.bin"));
  EXPECT_FALSE(fs::exists(target_));
}

TEST_F(DownloadTest, AResetConnectionIsTriedAgain) {
  HttpServer server([](const HttpRequest&, HttpConnection& connection) { connection.reset(); });
  expect_io_error([&] { download(options(server)); }, "(tried 4 times)");
  EXPECT_THAT(files(), ElementsAre());
}

TEST_F(DownloadTest, ABodyThatEndsWithTheConnectionNeedsAHash) {
  HttpServer server(answer("200 OK", {}, file_.body));
  expect_io_error([&] { download(options(server)); }, "sha256");
  EXPECT_THAT(files(), ElementsAre());
  DownloadOptions with_hash = options(server);
  with_hash.sha256 = hash_of(file_.body);
  EXPECT_EQ(download(with_hash).bytes, file_.body.size());
}

TEST_F(DownloadTest, AnotherHashIsRefused) {
  HttpServer server(offer(file_));
  DownloadOptions other = options(server);
  other.sha256 = std::string(64, '0');
  expect_io_error([&] { download(other); }, "SHA-256", hash_of(file_.body), other.sha256);
  EXPECT_THAT(files(), ElementsAre());
  other.sha256 = hash_of(file_.body);
  std::ranges::transform(other.sha256, other.sha256.begin(), ::toupper);
  EXPECT_EQ(download(other).bytes, file_.body.size());
}

// Errors of the server and of the way to it.

TEST_F(DownloadTest, NamesHttpErrors) {
  HttpServer server(answer("404 Not Found", {"Content-Length: 4"}, "gone"));
  expect_io_error([&] { download(options(server)); }, "404 Not Found: " + server.url("/set.bin"));
  EXPECT_EQ(server.requests().size(), 1U);
  server.set_handler(answer("599 Strange", {"Content-Length: 0"}));
  expect_io_error([&] { download(options(server)); }, "HTTP status 599");
  server.set_handler(answer("204 No Content", {}));
  expect_io_error([&] { download(options(server)); }, "204 No Content");
  server.set_handler(answer("304 Not Modified", {}));
  expect_io_error([&] { download(options(server)); }, "304 Not Modified");
  server.set_handler(answer("416 Range Not Satisfiable", {"Content-Length: 0"}));
  expect_io_error([&] { download(options(server)); }, "416 Range Not Satisfiable");
  EXPECT_THAT(files(), ElementsAre());
}

TEST_F(DownloadTest, AnErrorPageWithoutEndIsNotRead) {
  HttpServer server([](const HttpRequest&, HttpConnection& connection) {
    connection.send_head("403 Forbidden", {"Transfer-Encoding: chunked"});
    while (connection.send_chunk(std::string(100'000, 'x'))) {
    }
  });
  expect_io_error([&] { download(options(server)); }, "403 Forbidden");
}

TEST_F(DownloadTest, FailuresThatPassAreTriedAgain) {
  HttpServer server(answer("500 Internal Server Error", {"Content-Length: 4"}, "oops"));
  expect_io_error([&] { download(options(server)); }, "500 Internal Server Error",
                  server.url("/set.bin"));
  EXPECT_EQ(server.requests().size(), 4U);
  std::atomic<int> failures = 2;
  server.set_handler([&](const HttpRequest& request, HttpConnection& connection) {
    if (failures-- > 0) {
      connection.send_head("503 Service Unavailable", {"Content-Length: 0"});
    } else {
      HttpFile(file_).answer(request, connection);
    }
  });
  EXPECT_EQ(download(options(server)).bytes, file_.body.size());
}

TEST_F(DownloadTest, NamesARefusedConnection) {
  const std::string url = message("http://127.0.0.1:", subspace::testing::unused_port(), "/a");
  expect_io_error([&] { download({.url = url, .target = target_}); }, "Connection refused", url);
  EXPECT_THAT(files(), ElementsAre());
}

// No name server is asked: a label of more than 63 characters is no host name.
TEST_F(DownloadTest, NamesAHostThatCannotBeFound) {
  const std::string host = std::string(70, 'a') + ".invalid";
  expect_io_error([&] { download({.url = "http://" + host + "/a", .target = target_}); },
                  "resolve host", host);
}

TEST_F(DownloadTest, NamesAStalledConnection) {
  HttpServer server([](const HttpRequest& request, HttpConnection& connection) {
    if (request.target == "/body") {
      connection.send_head("200 OK", {"Content-Length: 5000", "ETag: \"v\""});
      connection.send("some");
    }
    connection.wait_until_closed();
  });
  for (const char* path : {"/head", "/body"}) {
    DownloadOptions impatient = options(server, path);
    impatient.stall_timeout = 1s;
    expect_io_error([&] { download(impatient); }, "no data for 1 s", server.url(path));
  }
  EXPECT_EQ(fs::file_size(part_), 4U);
}

TEST_F(DownloadTest, ASlowConnectionIsNoStalledOne) {
  HttpServer server([](const HttpRequest&, HttpConnection& connection) {
    connection.send_head("200 OK", {"Content-Length: 15"});
    for (int i = 0; i < 15; ++i) {
      connection.send("x");
      std::this_thread::sleep_for(100ms);
    }
  });
  DownloadOptions impatient = options(server);
  impatient.stall_timeout = 1s;
  EXPECT_EQ(download(impatient).bytes, 15U);
}

TEST_F(DownloadTest, FollowsRedirects) {
  HttpServer server([this](const HttpRequest& request, HttpConnection& connection) {
    if (request.target == "/set.bin") {
      connection.send_head("302 Found", {"Location: /elsewhere", "Content-Length: 2"});
      connection.send("no");
    } else {
      HttpFile(file_).answer(request, connection);
    }
  });
  EXPECT_EQ(download(options(server)).sha256, hash_of(file_.body));
}

TEST_F(DownloadTest, ARedirectToAFileIsRefused) {
  const auto secret = folder_.write("secret", "secret");
  HttpServer server(answer("302 Found", {"Location: file://" + secret.string()}));
  expect_io_error([&] { download(options(server)); }, "redirected", "http", server.url("/set.bin"));
  EXPECT_THAT(files(), ElementsAre("secret"));
}

TEST_F(DownloadTest, ARedirectLoopEnds) {
  HttpServer server(answer("302 Found", {"Location: /set.bin"}));
  expect_io_error([&] { download(options(server)); }, "more than 8 redirects");
  EXPECT_EQ(server.requests().size(), 9U);
}

TEST_F(DownloadTest, TlsToAServerWithoutItFails) {
  HttpServer server(offer(file_));
  DownloadOptions https = options(server);
  https.url.replace(0, 4, "https");
  expect_io_error([&] { download(https); }, https.url);
  EXPECT_THAT(files(), ElementsAre());
}

TEST_F(DownloadTest, NoiseInPlaceOfHttpIsRefused) {
  HttpServer server([](const HttpRequest&, HttpConnection& connection) {
    connection.send("\x01\x02 this is not HTTP\r\n\r\n");
  });
  expect_io_error([&] { download(options(server)); }, server.url("/set.bin"));
  EXPECT_THAT(files(), ElementsAre());
}

TEST_F(DownloadTest, OtherUrlsAreRefused) {
  for (const std::string url : {"file:///etc/passwd", "ftp://host/a", "", "no url", "http://",
                                "http://host name/", "http://host/\r\nX: y", "//host/a"}) {
    EXPECT_THROW(download({.url = url, .target = target_}), InvalidArgument) << url;
  }
  EXPECT_THAT(files(), ElementsAre());
}

TEST_F(DownloadTest, PasswordsStayOutOfMessagesAndFiles) {
  HttpServer server(offer(file_));
  file_.drops = {1000};
  server.set_handler(offer(file_));
  DownloadOptions secret = options(server);
  secret.url.insert(7, "user:hush@");
  secret.retries = 0;
  try {
    download(secret);
    ADD_FAILURE() << "expected an IoError";
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), ::testing::Not(HasSubstr("hush")));
  }
  EXPECT_EQ(server.requests()[0].header("authorization"), "Basic dXNlcjpodXNo");
  EXPECT_THAT(content_of(folder_.path("set.bin.part.meta")), ::testing::Not(HasSubstr("hush")));
}

TEST_F(DownloadTest, BadOptionsAreRefused) {
  const DownloadOptions good = {.url = "http://127.0.0.1/", .target = target_};
  const auto expect_refused = [&](const auto& change) {
    DownloadOptions bad = good;
    change(bad);
    EXPECT_THROW(download(bad), InvalidArgument);
  };
  expect_refused([](auto& bad) { bad.target = ""; });
  expect_refused([](auto& bad) { bad.target = "folder/"; });
  expect_refused([](auto& bad) { bad.most_bytes = 0; });
  expect_refused([](auto& bad) { bad.retries = -1; });
  expect_refused([](auto& bad) { bad.stall_timeout = 0s; });
  expect_refused([](auto& bad) { bad.sha256 = "abc"; });
  expect_refused([](auto& bad) { bad.sha256 = std::string(64, 'g'); });
}

// Proxies.

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

// Limits, disks and interruptions.

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
