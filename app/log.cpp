// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace subspace::app {
namespace {

using pipelines::Verbosity;

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto made = std::make_shared<spdlog::logger>("subspace",
                                                 std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%n: %l: %v");
    made->set_level(spdlog::level::warn);
    return made;
  }();
  return *instance;
}

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

void set_log_verbosity(Verbosity verbosity) {
  logger().set_level(verbosity == Verbosity::kQuiet     ? spdlog::level::err
                     : verbosity == Verbosity::kVerbose ? spdlog::level::info
                                                        : spdlog::level::warn);
}

void log_info(const std::string& text) { logger().info("{}", one_line(text)); }
void log_warning(const std::string& text) { logger().warn("{}", one_line(text)); }
void log_error(const std::string& text) { logger().error("{}", one_line(text)); }

}  // namespace subspace::app
