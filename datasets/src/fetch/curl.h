// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <curl/curl.h>

#include <array>
#include <memory>
#include <signal.h>
#include <string>

namespace subspace::datasets {

/// An URL taken apart and checked.
struct Url {
  std::string full = {};   ///< what is requested
  std::string shown = {};  ///< without user and password: for messages and files
  bool is_https = false;
};
/// Throws InvalidArgument unless `text` is a well-formed URL of http or https with a host.
Url parse_url(const std::string& text);

/// One libcurl transfer; sets the library up on first use, by whichever thread.
class CurlHandle {
 public:
  CurlHandle();

  template <typename Value>
  void set(CURLoption option, Value value) {
    require(curl_easy_setopt(handle_.get(), option, value));
  }
  /// Sends "name: value" with the request.
  void add_header(const std::string& line);
  CURLcode perform();

  /// The system's error number of a failed connection, or 0.
  int system_error() const;
  /// libcurl's own words on the last failure.
  std::string error_text(CURLcode code) const;

 private:
  struct Cleanup {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };
  static void require(CURLcode code);

  std::array<char, CURL_ERROR_SIZE> error_ = {};
  std::unique_ptr<curl_slist, Cleanup> headers_;
  std::unique_ptr<CURL, Cleanup> handle_;
};

/// Limits a handle to these protocols ("http,https"), at first and after redirects.
void limit_protocols(CurlHandle& curl, const Url& url);

/// Keeps the environment's no_proxy and adds this machine itself, which no proxy can reach.
void bypass_proxy_for_loopback(CurlHandle& curl);

/// While it lives, a connection that breaks while this thread writes to it is an error and not the
/// end of the program: TLS libraries do not all suppress the signal.
class SigpipeGuard {
 public:
  SigpipeGuard();
  ~SigpipeGuard();
  SigpipeGuard(const SigpipeGuard&) = delete;
  SigpipeGuard& operator=(const SigpipeGuard&) = delete;

 private:
  sigset_t before_ = {};
  bool was_pending_ = false;
};

}  // namespace subspace::datasets
