// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace subspace::testing {

struct HttpRequest {
  std::string method = {};
  std::string target = {};                          ///< as sent: a path, or an URL for a proxy
  std::map<std::string, std::string> headers = {};  ///< names in lower case

  /// The field's value, or "".
  std::string header(const std::string& name) const;
};

/// The answering side of one connection, closed with the handler's return.
class HttpConnection {
 public:
  HttpConnection(int socket, int stop) : socket_(socket), stop_(stop) {}

  /// Sends bytes as they are; false when the client is gone.
  bool send(std::string_view bytes);
  /// Sends "HTTP/1.1 <status>", the header lines given and the blank line.
  void send_head(const std::string& status, const std::vector<std::string>& lines);
  /// Sends one chunk of a chunked body; the empty one ends it.
  bool send_chunk(std::string_view bytes);
  /// Does nothing until the client closes the connection or the server is destroyed.
  void wait_until_closed();
  /// Closes with a reset, as a crashed host does.
  void reset();

 private:
  int socket_;
  int stop_;
};

/// A server on 127.0.0.1 with a port of its own, which answers one request a connection, one
/// connection after the other, through a handler that may do as it likes.
class HttpServer {
 public:
  using Handler = std::function<void(const HttpRequest&, HttpConnection&)>;

  explicit HttpServer(Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Answers later requests in another way.
  void set_handler(Handler handler);

  int port() const { return port_; }
  std::string url(const std::string& path) const;
  /// The requests so far, in their order.
  std::vector<HttpRequest> requests() const;

 private:
  void serve();
  void answer(int socket);

  int listener_ = -1;
  int stop_[2] = {-1, -1};  ///< a pipe whose closed end says stop
  int port_ = 0;
  mutable std::mutex mutex_;
  Handler handler_;
  std::vector<HttpRequest> requests_;
  std::thread thread_;
};

/// A port of 127.0.0.1 on which nobody listens.
int unused_port();

/// A file as a server offers it. Answers ranges by RFC 9110 unless told otherwise.
struct HttpFile {
  std::string body = {};
  std::string etag = {};
  std::string last_modified = {};
  bool knows_ranges = true;
  bool heeds_if_range = true;
  /// Bytes of the body after which the n-th answer breaks off; answers beyond the list are whole.
  std::vector<std::size_t> drops = {};

  std::size_t num_answers = 0;  ///< so far

  void answer(const HttpRequest& request, HttpConnection& connection);
};
/// Answers every request with the file.
HttpServer::Handler offer(HttpFile file);

}  // namespace subspace::testing
