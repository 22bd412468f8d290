// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
// Servers and networks that fail in every way we know of.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "datasets/download_fixture.h"

namespace subspace::datasets {
namespace {

using DownloadFailureTest = DownloadTest;

TEST_F(DownloadFailureTest, NamesHttpErrors) {
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

TEST_F(DownloadFailureTest, AnErrorPageWithoutEndIsNotRead) {
  HttpServer server([](const HttpRequest&, HttpConnection& connection) {
    connection.send_head("403 Forbidden", {"Transfer-Encoding: chunked"});
    while (connection.send_chunk(std::string(100'000, 'x'))) {
    }
  });
  expect_io_error([&] { download(options(server)); }, "403 Forbidden");
}

TEST_F(DownloadFailureTest, FailuresThatPassAreTriedAgain) {
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

TEST_F(DownloadFailureTest, NamesARefusedConnection) {
  const std::string url = message("http://127.0.0.1:", subspace::testing::unused_port(), "/a");
  expect_io_error([&] { download({.url = url, .target = target_}); }, "Connection refused", url);
  EXPECT_THAT(files(), ElementsAre());
}

// No name server is asked: a label of more than 63 characters is no host name.
TEST_F(DownloadFailureTest, NamesAHostThatCannotBeFound) {
  const std::string host = std::string(70, 'a') + ".invalid";
  expect_io_error([&] { download({.url = "http://" + host + "/a", .target = target_}); },
                  "resolve host", host);
}

TEST_F(DownloadFailureTest, NamesAStalledConnection) {
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

TEST_F(DownloadFailureTest, ASlowConnectionIsNoStalledOne) {
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

TEST_F(DownloadFailureTest, FollowsRedirects) {
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

TEST_F(DownloadFailureTest, ARedirectToAFileIsRefused) {
  const auto secret = folder_.write("secret", "secret");
  HttpServer server(answer("302 Found", {"Location: file://" + secret.string()}));
  expect_io_error([&] { download(options(server)); }, "redirected", "http", server.url("/set.bin"));
  EXPECT_THAT(files(), ElementsAre("secret"));
}

TEST_F(DownloadFailureTest, ARedirectLoopEnds) {
  HttpServer server(answer("302 Found", {"Location: /set.bin"}));
  expect_io_error([&] { download(options(server)); }, "more than 8 redirects");
  EXPECT_EQ(server.requests().size(), 9U);
}

TEST_F(DownloadFailureTest, TlsToAServerWithoutItFails) {
  HttpServer server(offer(file_));
  DownloadOptions https = options(server);
  https.url.replace(0, 4, "https");
  expect_io_error([&] { download(https); }, https.url);
  EXPECT_THAT(files(), ElementsAre());
}

TEST_F(DownloadFailureTest, NoiseInPlaceOfHttpIsRefused) {
  HttpServer server([](const HttpRequest&, HttpConnection& connection) {
    connection.send("\x01\x02 this is not HTTP\r\n\r\n");
  });
  expect_io_error([&] { download(options(server)); }, server.url("/set.bin"));
  EXPECT_THAT(files(), ElementsAre());
}

TEST_F(DownloadFailureTest, SenselessLengthsAreRefused) {
  for (const std::string length : {"99999999999999999999999", "-5", "4x", "18446744073709551615"}) {
    HttpServer server(answer("200 OK", {"Content-Length: " + length}, "body"));
    DownloadOptions hurried = options(server);
    hurried.retries = 0;
    expect_io_error([&] { download(hurried); }, server.url("/set.bin"));
    EXPECT_FALSE(fs::exists(target_));
    fs::remove(part_);
  }
}

TEST_F(DownloadFailureTest, SenselessRangesStartOver) {
  HttpServer server(offer(file_));
  for (const std::string range :
       {"", "bytes", "bytes 120000-299999", "bytes x-y/z", "bytes 120000-299999/7",
        "bytes 120000-299999/300001", "lines 120000-299999/300000", "bytes */300000"}) {
    interrupt(server, file_, 120'000);
    server.set_handler([&](const HttpRequest& request, HttpConnection& connection) {
      if (request.header("range").empty()) {
        HttpFile(file_).answer(request, connection);
        return;
      }
      connection.send_head("206 Partial Content", {"Content-Range: " + range, "Content-Length: 4"});
      connection.send("junk");
    });
    EXPECT_FALSE(download(options(server)).resumed) << range;
    EXPECT_EQ(content_of(target_), file_.body);
  }
}

// They are sent back in a header and kept in a file of lines.
TEST_F(DownloadFailureTest, EtagsThatAreNoPlainTextAreNotUsed) {
  for (const std::string& etag : {std::string("\"a\x01z\""), std::string(5000, 'e')}) {
    file_.etag = etag;
    HttpServer server(offer(file_));
    interrupt(server, file_, 120'000);
    server.set_handler(offer(file_));
    EXPECT_FALSE(download(options(server)).resumed);
    EXPECT_EQ(server.requests().back().header("if-range"), "");
  }
}

TEST_F(DownloadFailureTest, OtherUrlsAreRefused) {
  for (const std::string url : {"file:///etc/passwd", "ftp://host/a", "", "no url", "http://",
                                "http://host name/", "http://host/\r\nX: y", "//host/a"}) {
    EXPECT_THROW(download({.url = url, .target = target_}), InvalidArgument) << url;
  }
  EXPECT_THAT(files(), ElementsAre());
}

TEST_F(DownloadFailureTest, PasswordsStayOutOfMessagesAndFiles) {
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
    EXPECT_THAT(error.what(), ::testing::Not(::testing::HasSubstr("hush")));
  }
  EXPECT_EQ(server.requests()[0].header("authorization"), "Basic dXNlcjpodXNo");
  EXPECT_THAT(content_of(folder_.path("set.bin.part.meta")),
              ::testing::Not(::testing::HasSubstr("hush")));
}

TEST_F(DownloadFailureTest, BadOptionsAreRefused) {
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

}  // namespace
}  // namespace subspace::datasets
