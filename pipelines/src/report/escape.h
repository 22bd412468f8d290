// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

/// Text from elsewhere, made safe for the formats of a report that are not HTML.
namespace subspace::pipelines::report {

/// Plain words inside a table or a line: no mark-up, no HTML, no cell of their own.
std::string markdown_text(const std::string& content);
/// Code of several lines; the fence is longer than any row of back-ticks in it.
std::string markdown_code(const std::string& code, const std::string& language);
/// Words as they are; the en dash and other UTF-8 are left to LaTeX, which reads it.
std::string latex_text(const std::string& content);
/// Quoted where it must be: commas, quotes, breaks, and spaces that readers might trim.
std::string csv_field(const std::string& field);

}  // namespace subspace::pipelines::report
