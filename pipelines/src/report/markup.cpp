// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "report/markup.h"

namespace subspace::pipelines::report {
namespace {

/// HTML has no place for these, and a browser may end the document at them.
bool is_control(char letter) {
  return static_cast<unsigned char>(letter) < 0x20 && letter != '\n' && letter != '\t';
}

std::string open_tag(std::string_view name, const Attributes& attributes) {
  std::string tag = "<";
  tag += name;
  for (const auto& [key, value] : attributes) {
    tag += ' ';
    tag += key;
    tag += "=\"";
    tag += escaped(value);
    tag += '"';
  }
  return tag;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char letter : text) {
    switch (letter) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        if (is_control(letter)) {
          safe += "\uFFFD";
        } else {
          safe += letter;
        }
    }
  }
  return safe;
}

Markup text(std::string_view content) { return Markup::trusted(escaped(content)); }

Markup leaf(std::string_view name, const Attributes& attributes) {
  std::string tag = open_tag(name, attributes);
  tag += "/>";
  return Markup::trusted(std::move(tag));
}

Markup enclose(std::string_view name, const Attributes& attributes, const Markup& content) {
  std::string whole = open_tag(name, attributes);
  whole += '>';
  whole += content.str();
  whole += "</";
  whole += name;
  whole += '>';
  return Markup::trusted(std::move(whole));
}

Markup worded(std::string_view name, const Attributes& attributes, std::string_view content) {
  return enclose(name, attributes, text(content));
}

}  // namespace subspace::pipelines::report
