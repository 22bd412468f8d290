// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "fetch/curl.h"

#include <cstdlib>
#include <new>

#include <subspace/core/error.h>

#include "io/text.h"

namespace subspace::datasets {
namespace {

/// Never undone: other parts of the process may use libcurl as well.
void set_up_library() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) throw IoError(message("download: ", curl_easy_strerror(code)));
}

using UrlHandle = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

std::string url_part(const UrlHandle& url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url.get(), part, &text, 0) != CURLUE_OK) return {};
  std::string copy = text;
  curl_free(text);
  return copy;
}

}  // namespace

Url parse_url(const std::string& text) {
  set_up_library();
  const UrlHandle url(curl_url(), &curl_url_cleanup);
  if (url == nullptr) throw std::bad_alloc();
  // A NUL would end the text for libcurl, and not for us.
  const bool is_url = text.find('\0') == std::string::npos &&
                      curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) == CURLUE_OK;
  const std::string scheme = is_url ? url_part(url, CURLUPART_SCHEME) : "";
  if ((scheme != "http" && scheme != "https") || url_part(url, CURLUPART_HOST).empty()) {
    throw InvalidArgument(message("download: url = '", printable(text),
                                  "', must be a well-formed URL of http or https"));
  }
  Url result = {.full = url_part(url, CURLUPART_URL), .is_https = scheme == "https"};
  curl_url_set(url.get(), CURLUPART_USER, nullptr, 0);
  curl_url_set(url.get(), CURLUPART_PASSWORD, nullptr, 0);
  result.shown = url_part(url, CURLUPART_URL);
  return result;
}

CurlHandle::CurlHandle() {
  set_up_library();
  handle_.reset(curl_easy_init());
  if (handle_ == nullptr) throw std::bad_alloc();
  set(CURLOPT_ERRORBUFFER, error_.data());
}

void CurlHandle::require(CURLcode code) {
  if (code != CURLE_OK) throw IoError(message("download: ", curl_easy_strerror(code)));
}

void CurlHandle::add_header(const std::string& line) {
  curl_slist* const longer = curl_slist_append(headers_.get(), line.c_str());
  if (longer == nullptr) throw std::bad_alloc();
  static_cast<void>(headers_.release());  // it is part of the longer list
  headers_.reset(longer);
  set(CURLOPT_HTTPHEADER, longer);
}

CURLcode CurlHandle::perform() {
  const SigpipeGuard guard;
  return curl_easy_perform(handle_.get());
}

int CurlHandle::system_error() const {
  long number = 0;
  curl_easy_getinfo(handle_.get(), CURLINFO_OS_ERRNO, &number);
  return static_cast<int>(number);
}

std::string CurlHandle::error_text(CURLcode code) const {
  return printable(error_[0] != '\0' ? error_.data() : curl_easy_strerror(code));
}

void limit_protocols(CurlHandle& curl, const Url& url) {
#if LIBCURL_VERSION_NUM >= 0x075500
  curl.set(CURLOPT_PROTOCOLS_STR, "http,https");
  curl.set(CURLOPT_REDIR_PROTOCOLS_STR, url.is_https ? "https" : "http,https");
#else
  const long both = CURLPROTO_HTTP | CURLPROTO_HTTPS;
  curl.set(CURLOPT_PROTOCOLS, both);
  curl.set(CURLOPT_REDIR_PROTOCOLS, url.is_https ? long{CURLPROTO_HTTPS} : both);
#endif
}

void bypass_proxy_for_loopback(CurlHandle& curl) {
  const char* listed = std::getenv("no_proxy");
  if (listed == nullptr) listed = std::getenv("NO_PROXY");
  const std::string users = listed == nullptr ? "" : listed;
  if (users == "*") return;
  const std::string ours = "localhost,127.0.0.1,127.0.0.0/8,::1";
  curl.set(CURLOPT_NOPROXY, (users.empty() ? ours : users + "," + ours).c_str());
}

SigpipeGuard::SigpipeGuard() {
  sigset_t pending, pipe;
  sigpending(&pending);
  was_pending_ = sigismember(&pending, SIGPIPE) == 1;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &before_);
}

SigpipeGuard::~SigpipeGuard() {
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  const timespec at_once = {};
  if (!was_pending_) sigtimedwait(&pipe, nullptr, &at_once);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace subspace::datasets
