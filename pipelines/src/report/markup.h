// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace subspace::pipelines::report {

/// A piece of HTML or SVG. A type of its own, so that a name from a file cannot slip in unescaped:
/// text gets here through text() and attributes only.
class Markup {
 public:
  Markup() = default;
  /// What is markup already: our own style sheet, data that was escaped for its place.
  static Markup trusted(std::string markup) { return Markup(std::move(markup)); }

  const std::string& str() const { return markup_; }
  bool empty() const { return markup_.empty(); }
  Markup& operator+=(const Markup& other) {
    markup_ += other.markup_;
    return *this;
  }
  friend Markup operator+(Markup left, const Markup& right) { return left += right; }

 private:
  explicit Markup(std::string markup) : markup_(std::move(markup)) {}
  std::string markup_ = {};
};

using Attributes = std::vector<std::pair<std::string, std::string>>;

/// Safe between tags and inside quoted attributes.
std::string escaped(std::string_view text);
Markup text(std::string_view content);

/// An element that ends where it starts: <meta ...>, <path .../>.
Markup leaf(std::string_view name, const Attributes& attributes);
Markup enclose(std::string_view name, const Attributes& attributes, const Markup& content);

template <typename... Parts>
Markup element(std::string_view name, const Attributes& attributes, const Parts&... parts) {
  Markup content;
  ((content += parts), ...);
  return enclose(name, attributes, content);
}

/// An element that holds nothing but text.
Markup worded(std::string_view name, const Attributes& attributes, std::string_view content);

}  // namespace subspace::pipelines::report
