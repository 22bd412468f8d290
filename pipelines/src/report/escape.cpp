// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "report/escape.h"

#include <algorithm>
#include <string_view>

#include <subspace/core/error.h>

#include "report/format.h"

namespace subspace::pipelines::report {
namespace {

std::string latex_letter(char letter) {
  switch (letter) {
    case '\\':
      return "\\textbackslash{}";
    case '~':
      return "\\textasciitilde{}";
    case '^':
      return "\\textasciicircum{}";
    case '<':
      return "\\textless{}";
    case '>':
      return "\\textgreater{}";
    case '|':
      return "\\textbar{}";
    case '"':
      return "\\textquotedbl{}";
    case '&':
    case '%':
    case '$':
    case '#':
    case '_':
    case '{':
    case '}':
      return {'\\', letter};
    default:
      return {letter};
  }
}

}  // namespace

std::string markdown_text(const std::string& content) {
  std::string safe;
  for (const char letter : one_line(content)) {
    if (letter == '&') {
      safe += "&amp;";
    } else if (letter == '<') {
      safe += "&lt;";
    } else {
      if (std::string_view("\\`*_{}[]()#+!|~>$").find(letter) != std::string_view::npos) {
        safe += '\\';
      }
      safe += letter;
    }
  }
  return safe;
}

std::string markdown_code(const std::string& code, const std::string& language) {
  std::size_t longest = 2;
  std::size_t row = 0;
  for (const char letter : code) {
    row = letter == '`' ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  const std::string fence(longest + 1, '`');
  return message(fence, language, "\n", code, code.ends_with('\n') ? "" : "\n", fence, "\n");
}

std::string latex_text(const std::string& content) {
  std::string safe;
  for (const char letter : one_line(content)) safe += latex_letter(letter);
  return safe;
}

std::string csv_field(const std::string& field) {
  const bool plain = field.find_first_of(",\"\r\n") == std::string::npos &&
                     !field.starts_with(' ') && !field.ends_with(' ');
  if (plain) return field;
  std::string text = "\"";
  for (const char letter : field) {
    if (letter == '"') text += '"';
    text += letter;
  }
  return text += '"';
}

}  // namespace subspace::pipelines::report
