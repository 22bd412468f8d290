// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <gtest/gtest.h>

#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>

#include <subspace/core/random.h>
#include <subspace/datasets/download.h>
#include <subspace/datasets/sha256.h>

#include "datasets/files.h"
#include "support/http_server.h"

namespace subspace::datasets {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using subspace::testing::HttpConnection;
using subspace::testing::HttpFile;
using subspace::testing::HttpRequest;
using subspace::testing::HttpServer;
using subspace::testing::offer;
using ::testing::ElementsAre;

inline std::string random_bytes(std::size_t size, std::uint64_t seed = 1) {
  RandomStream random = stream(seed, Stream::kTest);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random.below(256));
  return bytes;
}

inline std::string hash_of(const std::string& bytes) {
  return sha256(std::as_bytes(std::span(bytes)));
}

inline std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Answers every request alike.
inline HttpServer::Handler answer(const std::string& status, const std::vector<std::string>& lines,
                                  const std::string& body = "") {
  return [=](const HttpRequest&, HttpConnection& connection) {
    connection.send_head(status, lines);
    connection.send(body);
  };
}

/// Downloads to set.bin in a folder of its own.
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

}  // namespace subspace::datasets
