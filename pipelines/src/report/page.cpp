// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <span>

#include <subspace/core/error.h>
#include <subspace/core/sha256.h>
#include <subspace/core/version.h>
#include <subspace/pipelines/report.h>

#include "base64.h"
#include "report/assets.h"
#include "report/sections.h"

namespace subspace::pipelines {
namespace report {
namespace {

int digit_of(char hex) { return hex <= '9' ? hex - '0' : hex - 'a' + 10; }

/// 'sha256-...', by which a security policy knows an inline style or script.
std::string policy_hash(std::string_view content) {
  const std::string hex = sha256(std::as_bytes(std::span(content)));
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(digit_of(hex[i]) * 16 + digit_of(hex[i + 1]));
  }
  return message("'sha256-", to_base64(bytes), "'");
}

/// Nothing may be fetched, and nothing runs but what stands here: a name in the results can do no
/// harm even if it got through unescaped.
std::string security_policy(std::string_view style, std::string_view pictures) {
  return message("default-src 'none'; img-src data:; style-src ", policy_hash(style), " ",
                 policy_hash(pictures), "; script-src ", policy_hash(kScript),
                 "; base-uri 'none'; form-action 'none'");
}

Markup head(const std::string& title, const std::string& pictures) {
  return element(
      "head", {}, leaf("meta", {{"charset", "utf-8"}}),
      leaf("meta", {{"http-equiv", "Content-Security-Policy"},
                    {"content", security_policy(kStyle, pictures)}}),
      leaf("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}}),
      leaf("meta", {{"name", "generator"}, {"content", "subspace " SUBSPACE_VERSION}}),
      leaf("link", {{"rel", "icon"}, {"href", "data:,"}}), worded("title", {}, title),
      enclose("style", {}, Markup::trusted(std::string(kStyle))),
      enclose("style", {}, Markup::trusted(pictures)));
}

std::string title_of(const TableResults& table) {
  return table.title.empty() ? table.name : table.title;
}

/// Links to the tables, where there are several.
Markup contents(const std::vector<TableResults>& tables) {
  if (tables.size() < 2) return {};
  Markup items;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    items += element("li", {}, worded("a", {{"href", message("#t", i)}}, title_of(tables[i])));
  }
  return element("nav", {{"aria-label", "Tables"}}, element("ol", {}, items));
}

Markup banner() {
  return element("header", {}, worded("p", {}, "Subspace clustering report"),
                 worded("button", {{"type", "button"}, {"id", "theme"}, {"class", "needs-script"}},
                        "Dark or light"));
}

}  // namespace

std::string whole_page(const std::string& title, const std::string& pictures,
                       const Markup& content) {
  const Markup body = element("body", {}, banner(), element("main", {}, content),
                              enclose("script", {}, Markup::trusted(std::string(kScript))));
  return message("<!DOCTYPE html>\n",
                 element("html", {{"lang", "en"}}, head(title, pictures), body).str(), "\n");
}

}  // namespace report

std::string html_report(const std::vector<TableResults>& tables, const ReportOptions& options) {
  using namespace report;
  Markup articles;
  std::string pictures;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const Thumbnails thumbnails(tables[i].data, static_cast<int>(i), options);
    articles += table_article(tables[i], thumbnails, message("t", i));
    pictures += thumbnails.style();
  }
  const std::string title = tables.size() == 1 ? title_of(tables.front()) : "Subspace clustering";
  return whole_page(title, pictures, contents(tables) + articles);
}

}  // namespace subspace::pipelines
