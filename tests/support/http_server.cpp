// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "support/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace subspace::testing {
namespace {

struct Listener {
  int socket = -1;
  int port = 0;
};

Listener listen_on_loopback() {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  const bool listens = listener >= 0 && ::bind(listener, generic, size) == 0 &&
                       ::listen(listener, 16) == 0 && ::getsockname(listener, generic, &size) == 0;
  if (!listens) throw std::runtime_error("cannot listen on 127.0.0.1");
  return {listener, ntohs(address.sin_port)};
}

/// Whether there is something to read (or an end) before the server is told to stop.
bool wait_for_input(int socket, int stop) {
  std::array<pollfd, 2> both = {pollfd{socket, POLLIN, 0}, pollfd{stop, POLLIN, 0}};
  return ::poll(both.data(), both.size(), -1) > 0 && both[1].revents == 0;
}

HttpRequest parse_request(const std::string& head) {
  std::istringstream lines(head);
  HttpRequest request;
  std::string line;
  std::getline(lines, line);
  std::istringstream(line) >> request.method >> request.target;
  while (std::getline(lines, line)) {
    const auto colon = line.find(": ");
    if (colon == std::string::npos) continue;
    std::string name = line.substr(0, colon);
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    request.headers[name] = line.substr(colon + 2, line.find('\r') - colon - 2);
  }
  return request;
}

}  // namespace

std::string HttpRequest::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

bool HttpConnection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    std::array<pollfd, 2> both = {pollfd{socket_, POLLOUT, 0}, pollfd{stop_, POLLIN, 0}};
    if (::poll(both.data(), both.size(), -1) <= 0 || both[1].revents != 0) return false;
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void HttpConnection::send_head(const std::string& status, const std::vector<std::string>& lines) {
  std::string head = "HTTP/1.1 " + status + "\r\nConnection: close\r\n";
  for (const auto& line : lines) head += line + "\r\n";
  send(head + "\r\n");
}

bool HttpConnection::send_chunk(std::string_view bytes) {
  std::array<char, 32> size = {};
  std::snprintf(size.data(), size.size(), "%zx\r\n", bytes.size());
  return send(size.data() + std::string(bytes) + "\r\n");
}

void HttpConnection::wait_until_closed() {
  std::array<char, 1024> ignored;
  while (wait_for_input(socket_, stop_) && ::recv(socket_, ignored.data(), ignored.size(), 0) > 0) {
  }
}

void HttpConnection::reset() {
  const linger at_once = {1, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

HttpServer::HttpServer(Handler handler) : handler_(std::move(handler)) {
  const Listener listener = listen_on_loopback();
  listener_ = listener.socket;
  port_ = listener.port;
  if (::pipe(stop_) != 0) throw std::runtime_error("no pipe");
  thread_ = std::thread([this] { serve(); });
}

HttpServer::~HttpServer() {
  ::close(stop_[1]);
  thread_.join();
  ::close(stop_[0]);
  ::close(listener_);
}

std::string HttpServer::url(const std::string& path) const {
  return "http://127.0.0.1:" + std::to_string(port_) + path;
}

void HttpServer::set_handler(Handler handler) {
  const std::lock_guard lock(mutex_);
  handler_ = std::move(handler);
}

std::vector<HttpRequest> HttpServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void HttpServer::serve() {
  while (wait_for_input(listener_, stop_[0])) {
    const int socket = ::accept(listener_, nullptr, nullptr);
    if (socket < 0) continue;
    answer(socket);
    ::close(socket);
  }
}

void HttpServer::answer(int socket) {
  std::string head;
  std::array<char, 4096> buffer;
  while (head.find("\r\n\r\n") == std::string::npos) {
    if (!wait_for_input(socket, stop_[0])) return;
    const ssize_t n = ::recv(socket, buffer.data(), buffer.size(), 0);
    if (n <= 0) return;
    head.append(buffer.data(), static_cast<std::size_t>(n));
    if (head.front() < 'A' || head.front() > 'Z') return;  // TLS, say: no head of HTTP will come
  }
  const HttpRequest request = parse_request(head);
  Handler handler;
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    handler = handler_;
  }
  HttpConnection connection(socket, stop_[0]);
  handler(request, connection);
}

HttpServer::Handler offer(HttpFile file) {
  const auto shared = std::make_shared<HttpFile>(std::move(file));
  return [shared](const HttpRequest& request, HttpConnection& connection) {
    shared->answer(request, connection);
  };
}

int unused_port() {
  const Listener listener = listen_on_loopback();
  ::close(listener.socket);
  return listener.port;
}

void HttpFile::answer(const HttpRequest& request, HttpConnection& connection) {
  const std::string range = request.header("range"), if_range = request.header("if-range");
  const bool matches =
      !heeds_if_range || if_range.empty() || if_range == etag || if_range == last_modified;
  std::size_t first = 0;
  std::string status = "200 OK";
  std::vector<std::string> lines;
  const std::string total = std::to_string(body.size());
  if (knows_ranges && matches && range.starts_with("bytes=")) {
    first = std::stoul(range.substr(6));
    status = first < body.size() ? "206 Partial Content" : "416 Range Not Satisfiable";
    lines.push_back("Content-Range: bytes " +
                    (first < body.size()
                         ? std::to_string(first) + "-" + std::to_string(body.size() - 1)
                         : "*") +
                    "/" + total);
    first = std::min(first, body.size());
  }
  if (!etag.empty()) lines.push_back("ETag: " + etag);
  if (!last_modified.empty()) lines.push_back("Last-Modified: " + last_modified);
  lines.push_back("Content-Length: " + std::to_string(body.size() - first));
  connection.send_head(status, lines);
  const std::size_t answer = num_answers++;
  const std::size_t most = answer < drops.size() ? drops[answer] : body.size();
  connection.send(std::string_view(body).substr(first, most));
}

}  // namespace subspace::testing
