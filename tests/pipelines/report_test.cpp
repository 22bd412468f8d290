// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <span>
#include <sstream>
#include <vector>

#include <subspace/core/error.h>
#include <subspace/core/sha256.h>
#include <subspace/pipelines/report.h>

#include "base64.h"
#include "datasets/files.h"
#include "support/example_results.h"
#include "support/message_of.h"

namespace subspace::pipelines {
namespace {

using subspace::testing::example_results;
using subspace::testing::kHostileName;
using subspace::testing::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const auto start = text.find(before);
  if (start == std::string::npos) return "";
  const auto from = start + before.size();
  return text.substr(from, text.find(after, from) - from);
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

/// The first tag that closes another one than was opened last; "" when all are in order.
std::string first_unbalanced(const std::string& html) {
  const std::set<std::string> kVoid = {"meta", "link", "input", "!DOCTYPE"};
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at)) {
    const std::size_t end = html.find('>', at);
    std::string tag = html.substr(at + 1, end - at - 1);
    at = end;
    const bool closing = tag.starts_with('/');
    const bool complete = tag.ends_with('/');
    const std::string name = tag.substr(closing ? 1 : 0, tag.find_first_of(" /\n", 1) - closing);
    if (closing) {
      if (open.empty() || open.back() != name) return tag;
      open.pop_back();
    } else if (!complete && !kVoid.contains(name)) {
      open.push_back(name);
      // What stands in these is no markup.
      if (name == "script" || name == "style") at = html.find("</" + name, end);
    }
  }
  return open.empty() ? "" : open.back();
}

std::string hash_of(const std::string& text) {
  const std::string hex = sha256(std::as_bytes(std::span(text)));
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return message("'sha256-", to_base64(bytes), "'");
}

/// RFC 4180, as a reader who knows nothing of the writer has it.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> lines = {{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& field = lines.back().back();
    if (quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      field += text[i++];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && text[i] == ',') {
      lines.back().emplace_back();
    } else if (!quoted && text.compare(i, 2, "\r\n") == 0) {
      lines.push_back({""});
      ++i;
    } else {
      field += text[i];
    }
  }
  lines.pop_back();  // after the last line's end
  return lines;
}

TEST(HtmlReport, TagsAreBalanced) {
  EXPECT_EQ(first_unbalanced(html_report({example_results()})), "");
  EXPECT_EQ(first_unbalanced(html_report({example_results(), example_results()})), "");
  EXPECT_EQ(first_unbalanced(html_report({TableResults{}})), "");
  EXPECT_EQ(first_unbalanced("<p><b></p></b>"), "/p") << "the check itself";
}

TEST(HtmlReport, IdsAreUnique) {
  const std::string html = html_report({example_results(), example_results()});
  std::set<std::string> seen;
  for (auto at = html.find(" id=\""); at != std::string::npos; at = html.find(" id=\"", at + 1)) {
    const std::string id = html.substr(at + 5, html.find('"', at + 5) - at - 5);
    EXPECT_TRUE(seen.insert(id).second) << id;
  }
  EXPECT_GT(seen.size(), 20U);
}

TEST(HtmlReport, NamesAreEscapedEverywhere) {
  const std::string html = html_report({example_results()});
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(html, Not(HasSubstr("<3>")));
  EXPECT_THAT(html, Not(HasSubstr("<b>")));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;"));
}

TEST(HtmlReport, PolicyKnowsExactlyItsOwnStyleAndScript) {
  const std::string html = html_report({example_results()});
  const std::string policy = between(html, "Content-Security-Policy\" content=\"", "\"");
  EXPECT_THAT(policy, HasSubstr("default-src &#39;none&#39;; img-src data:;"));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
  const auto escape = [](std::string text) {
    for (auto at = text.find('\''); at != std::string::npos; at = text.find('\'')) {
      text.replace(at, 1, "&#39;");
    }
    return text;
  };
  const std::string script = between(html, "<script>", "</script>");
  EXPECT_THAT(policy, HasSubstr("script-src " + escape(hash_of(script)) + ";"));
  EXPECT_THAT(policy,
              HasSubstr("style-src " + escape(hash_of(between(html, "<style>", "</style>")))));
  EXPECT_EQ(times(html, "<style>"), 2U);
  EXPECT_EQ(times(html, "<script>"), 1U);
  EXPECT_EQ(times(html, " style=\""), 0U) << "the policy would refuse it";
  EXPECT_LT(script.size(), 20000U);
  EXPECT_GT(script.size(), 1000U);
}

TEST(HtmlReport, NothingIsFetched) {
  const std::string html = html_report({example_results()});
  for (const char* link : {"http:", "https:", "//cdn", "@import", "src=\""}) {
    EXPECT_THAT(html, Not(HasSubstr(link)));
  }
}

TEST(HtmlReport, OnlyTheBestLabelFreeErrorIsBold) {
  const std::string html = html_report({example_results()});
  const std::string table = between(html, "<table class=\"results\">", "</table>");
  EXPECT_EQ(times(table, "<strong>"), 1U);
  const std::string oracle = between(table, "<tbody data-protocol=\"oracle\">", "</tbody>");
  EXPECT_THAT(oracle, HasSubstr("NMCE"));
  EXPECT_THAT(oracle, Not(HasSubstr("<strong>")));
  EXPECT_THAT(between(html, "class=\"headline\">", "<"), HasSubstr("TCR + EnSC with 2.96 %"));
}

TEST(HtmlReport, ShowsStatesCommandsAndHashes) {
  const TableResults results = example_results();
  const std::string html = html_report({results});
  for (const char* part :
       {"no settings published", "failed: would need 9.1 GB", "1 of 10 seeds", "kkt_violation",
        "by a sweep over gamma", "The paper gives the network, not the weights",
        "gnd of example.mat", "the graph has &lt;3&gt; components (seed 0)"}) {
    EXPECT_THAT(html, HasSubstr(part));
  }
  for (const RowResult& row : results.rows) {
    for (const Cell& cell : row.cells) {
      EXPECT_THAT(html, HasSubstr(cell.command));
      EXPECT_THAT(html, HasSubstr(cell.hash));
    }
  }
  EXPECT_THAT(html, HasSubstr(results.recipe_sha256));
  EXPECT_THAT(html, HasSubstr(results.data.input.sha256));
}

TEST(HtmlReport, SaysWhatTheMapIs) {
  const std::string html = html_report({example_results()});
  EXPECT_THAT(html, HasSubstr("A t-SNE map of the spectral embedding: neighbours stay neighbours, "
                              "far distances mean little"));
  EXPECT_THAT(html, HasSubstr("Points that coincide are spread around their place."));
  EXPECT_THAT(html, Not(HasSubstr("Two dimensions")));
}

TEST(HtmlReport, AClassWithoutARightPointShowsItsFirst) {
  TableResults results = example_results({.classes = 2, .per_class = 4, .seeds = 1});
  results.rows = {results.rows[1]};
  // One to one, cluster 1 is left with class 2, of which it has nothing.
  results.rows[0].cells[0].record.outcome.labels = {0, 0, 0, 1, 0, 0, 0, 0};
  results.data.truth = {1, 1, 1, 1, 1, 1, 1, 2};
  const std::string html = html_report({results});
  EXPECT_THAT(html, HasSubstr(">typical class 1<"));
  EXPECT_THAT(html, HasSubstr("point 7, first of class 2"));
  EXPECT_THAT(html, HasSubstr("class 1 in an unmatched cluster: 1 point"));
}

TEST(Report, EveryFormatNamesTheRowsLeftOut) {
  TableResults results = example_results({.classes = 2, .per_class = 4, .seeds = 1});
  const std::string sentence = "In the recipe but not in this table";
  EXPECT_THAT(html_report({results}), Not(HasSubstr(sentence)));
  results.left_out = {{"A <b>", Protocol::kLabelFree}};
  EXPECT_THAT(html_report({results}), HasSubstr(sentence + ": A &lt;b&gt; (label-free)."));
  EXPECT_THAT(markdown_report({results}), HasSubstr(sentence + ": A &lt;b\\> \\(label-free\\)."));
  EXPECT_THAT(latex_report({results}), HasSubstr(sentence));
  EXPECT_THAT(latex_report({results}), HasSubstr("error so far (4 of 7 rows complete) is bold."));
  const auto lines = parse_csv(csv_report({results}));
  EXPECT_EQ(lines.back()[2], "A <b>");
  EXPECT_EQ(lines.back()[5], "not chosen");
}

TEST(Report, PagesSayHowTheWholeTableIsMade) {
  TableResults results = example_results({.classes = 2, .per_class = 4, .seeds = 1});
  results.command = "subspace table example --protocol oracle --resume";
  results.machine = {{"version", std::string("0.1.0")}, {"memory_mb", 25274.793984}};
  const std::string commands =
      "subspace table example\nsubspace table example --protocol paper --resume\n"
      "subspace table example --protocol oracle --resume";
  for (const std::string& page : {html_report({results}), markdown_report({results})}) {
    EXPECT_THAT(page, HasSubstr("The commands of the whole table"));
    EXPECT_THAT(page, HasSubstr(commands));
    EXPECT_THAT(page, HasSubstr("25275"));
    EXPECT_THAT(page, Not(HasSubstr("25274")));
    EXPECT_THAT(page, Not(HasSubstr("version")));
  }
}

TEST(HtmlReport, PicturesGoWhereTheyAreNotWanted) {
  TableResults results = example_results();
  const std::string sheet = to_base64(results.data.thumbnails->png);
  EXPECT_EQ(times(html_report({results}), sheet), 1U) << "the sheet is in the page once";
  results.data.redistributable = false;
  const std::string mine = html_report({results});
  EXPECT_THAT(mine, HasSubstr("not known to be free to show: keep it to yourself"));
  EXPECT_EQ(times(mine, sheet), 1U);
  const std::string without = html_report({results}, {.pictures = false});
  EXPECT_EQ(times(without, sheet), 0U);
  EXPECT_EQ(times(without, "class=\"thumb"), 0U);
  EXPECT_THAT(without, HasSubstr("left out: this data is not known to be free to show"));
  EXPECT_THAT(without, HasSubstr("For example points"));
  results.data.redistributable = true;
  EXPECT_THAT(html_report({results}, {.pictures = false}), HasSubstr("left out on request"));
}

TEST(HtmlReport, WithoutTruthThereIsNoConfusion) {
  TableResults results = example_results({.classes = 4, .per_class = 5, .seeds = 1});
  results.data.truth.clear();
  for (RowResult& row : results.rows) {
    for (Cell& cell : row.cells) cell.record.metrics.reset();
  }
  const std::string html = html_report({results});
  EXPECT_THAT(html, Not(HasSubstr("Confusion matrix")));
  EXPECT_THAT(html, HasSubstr("Map of the spectral embedding"));
  EXPECT_EQ(first_unbalanced(html), "");
}

TEST(HtmlReport, FiguresThatDoNotFitAreLeftOut) {
  TableResults results = example_results({.classes = 4, .per_class = 5, .seeds = 1});
  results.rows.resize(1);
  results.rows[0].figures->map_points[3] = 1000;
  EXPECT_THAT(html_report({results}), Not(HasSubstr("Map of the")));
  results.rows[0].figures->eigenvalues[1] = std::numeric_limits<double>::infinity();
  EXPECT_THAT(html_report({results}), Not(HasSubstr("Spectrum")));
  results.rows[0].figures = Figures{};
  EXPECT_EQ(first_unbalanced(html_report({results})), "");
}

TEST(HtmlReport, ShowsTheGeometryOfFeatures) {
  TableResults results = example_results({.classes = 22, .per_class = 6, .seeds = 1});
  results.rows = {results.rows[3]};
  const std::string html = html_report({results});
  EXPECT_THAT(html, HasSubstr("<h4>Geometry of the learned features, 60 dimensions</h4>"));
  EXPECT_EQ(times(html, "aria-label=\"Covariance of "), 1 + 20U);
  EXPECT_THAT(html, HasSubstr("They are drawn for the first 20 of 22 clusters."));
  EXPECT_EQ(times(html, "class=\"curve k"), 22 + 1U) << "one of the legend";
  EXPECT_EQ(times(html, "class=\"curve all\""), 1 + 1U);
  EXPECT_EQ(times(html, "class=\"direction\""), 3 * 22U);
  EXPECT_THAT(html,
              HasSubstr("effective rank 30.0 of all points, 4.2 to 8.9 of 22 found clusters"));
  EXPECT_THAT(html, HasSubstr("<strong>cluster 0, matched with class 1</strong>"));
  EXPECT_THAT(html, HasSubstr("effective rank, covariance and closest pictures of 22 found"));
  const std::string without = html_report({results}, {.pictures = false});
  EXPECT_THAT(without, HasSubstr("effective rank, covariance and closest points of 22 found"));
  EXPECT_THAT(without, HasSubstr("first: points 0, 5, 4 and 3"));
  EXPECT_EQ(first_unbalanced(without), "");
  EXPECT_THAT(markdown_report({results}),
              HasSubstr("## Geometry of what was clustered\n\n- TCR \\+ EnSC, learned features, "
                        "60 dimensions: effective rank 30.0 of all points, 4.2 to 8.9 of 22"));
}

TEST(HtmlReport, ResultsWithoutGeometryHaveNoSectionOfIt) {
  TableResults results = example_results({.classes = 4, .per_class = 5, .seeds = 1});
  for (RowResult& row : results.rows) {
    if (row.figures) row.figures->geometry.reset();
  }
  const std::string html = html_report({results});
  EXPECT_THAT(html, Not(HasSubstr("Geometry of")));
  EXPECT_THAT(html, HasSubstr("Map of the"));
  EXPECT_THAT(markdown_report({results}), Not(HasSubstr("Geometry of")));
}

TEST(HtmlReport, AGeometryThatKnowsLittleShowsWhatItKnows) {
  TableResults results = example_results({.classes = 4, .per_class = 5, .seeds = 1});
  results.rows.resize(1);
  FeatureGeometry& geometry = *results.rows[0].figures->geometry;
  geometry.all = {.points = 20};
  geometry.clusters.resize(1);
  geometry.clusters[0] = {.cluster = 99, .own = {5, {1.0}, 1.0}, .closest = {{}, {-1, 1 << 20}}};
  const std::string html = html_report({results});
  EXPECT_EQ(first_unbalanced(html), "");
  EXPECT_THAT(html, HasSubstr("effective rank 1.0 of one found cluster"));
  EXPECT_THAT(html, HasSubstr("<strong>cluster 99</strong>"));
  EXPECT_THAT(html, HasSubstr("effective rank and closest pictures of 1 found cluster<"));
  EXPECT_THAT(html, HasSubstr("second: points -1 and 1048576"));
  geometry.clusters[0].own.singular_values[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(html_report({results}), Not(HasSubstr("Singular values")));
  geometry = {.of = "points"};
  EXPECT_THAT(html_report({results}), Not(HasSubstr("Geometry of")));
}

TEST(HtmlReport, HundredClassesAndManySeedsStaySmall) {
  const std::string coil20 = html_report({example_results({20, 72, 10, 360})});
  EXPECT_LT(coil20.size(), 3000000U);
  const std::string coil100 = html_report({example_results({100, 12, 2, 200})});
  EXPECT_EQ(first_unbalanced(coil100), "");
  EXPECT_LT(coil100.size(), 3000000U);
}

TEST(MarkdownReport, HasOneTableAProtocolAndNoMarkupFromNames) {
  const std::string text = markdown_report({example_results()});
  EXPECT_EQ(times(text, "|---|---:|"), 3U);
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
  EXPECT_THAT(text, HasSubstr("a\\|b"));
  EXPECT_THAT(text, HasSubstr("| TCR \\+ EnSC | **2.96 \u00b1 0.16** |"));
  EXPECT_EQ(times(text, "**"), 2U);
  EXPECT_THAT(text, HasSubstr("```sh\nsubspace cluster example"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ")) continue;
    EXPECT_EQ(times(line, "|") - times(line, "\\|"), 12U) << line;
  }
}

TEST(Report, ShowsTheWayOfATrainingInMinutes) {
  TableResults results = example_results();
  EXPECT_THAT(markdown_report({results}), Not(HasSubstr("minutes of training")));
  EXPECT_THAT(html_report({results}), Not(HasSubstr("class=\"way\"")));
  Record& record = results.rows.at(0).cells.at(0).record;
  record.outcome.curve = {
      {.step = 150, .seconds = 90.0, .metrics = PartitionMetrics{.acc = 0.625}}};
  EXPECT_THAT(markdown_report({results}), AllOf(HasSubstr("## Error against minutes of training"),
                                                HasSubstr("| 150 | 1.50 | 37.50 | 1 |")));
  EXPECT_THAT(html_report({results}),
              AllOf(HasSubstr("class=\"way\""), HasSubstr("150 steps: 37.50 % in 90.0 s")));
}

TEST(MarkdownReport, FencesOutlastTheirContent) {
  TableResults results = example_results({.classes = 2, .per_class = 3, .seeds = 1});
  results.rows.resize(1);
  results.rows[0].cells[0].command = "echo ```";
  EXPECT_THAT(markdown_report({results}), HasSubstr("````sh\necho ```\n````\n"));
}

TEST(CsvReport, ReadsBackToTheNumbers) {
  const TableResults results = example_results();
  const auto lines = parse_csv(csv_report({results}));
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(lines[0], name) - lines[0].begin());
  };
  std::size_t cells = 0;
  for (const RowResult& row : results.rows) cells += std::max<std::size_t>(1, row.cells.size());
  ASSERT_EQ(lines.size(), 1 + cells);
  for (const auto& line : lines) ASSERT_EQ(line.size(), lines[0].size());
  const Cell& cell = results.rows[4].cells[2];
  const auto found = std::ranges::find_if(lines, [&](const auto& line) {
    return line[column("row")] == kHostileName && line[column("seed")] == "2";
  });
  ASSERT_NE(found, lines.end());
  EXPECT_EQ(std::stod((*found)[column("acc")]), cell.record.metrics->acc);
  EXPECT_EQ(std::stod((*found)[column("ari")]), cell.record.metrics->ari);
  EXPECT_EQ(std::stod((*found)[column("seconds_method")]), cell.record.outcome.seconds.total);
  EXPECT_EQ((*found)[column("hash")], cell.hash);
  EXPECT_EQ((*found)[column("command")], cell.command);
}

TEST(CsvReport, QuotesWhatRfc4180Asks) {
  TableResults results;
  results.rows = {{.name = "a,\"b\"\r\nc", .message = " edge "}};
  const auto lines = parse_csv(csv_report({results}));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[1][2], "a,\"b\"\r\nc");
  EXPECT_THAT(csv_report({results}), HasSubstr("\"a,\"\"b\"\"\r\nc\""));
}

TEST(LatexReport, SpecialsAreWords) {
  TableResults results = example_results();
  results.rows[1].name = "\\input{x} ~ ^";
  const std::string text = latex_report({results});
  EXPECT_THAT(text,
              HasSubstr("\\textbackslash{}input\\{x\\} \\textasciitilde{} \\textasciicircum{}"));
  EXPECT_THAT(text,
              HasSubstr("\\& \\textquotedbl{}quotes\\textquotedbl{} 'n' 50\\_\\% \\$x\\$ \\#1 "
                        "a\\textbar{}b"));
  EXPECT_THAT(text, HasSubstr("\\textbf{2.96 $\\pm$ 0.16}"));
  EXPECT_EQ(times(text, "\\textbf"), 1U);
  EXPECT_EQ(times(text, "\\begin{"), times(text, "\\end{"));
  EXPECT_THAT(text, HasSubstr("\\toprule"));
}

TEST(WriteReport, KnowsItsFormatsByTheirExtension) {
  for (const char* name : {"r.html", "r.md", "r.csv", "r.tex", "r.json"})
    EXPECT_NO_THROW(check_report_path(name));
  EXPECT_EQ(message_of<InvalidArgument>([] { write_report({}, "r.pdf"); }),
            "report: out = r.pdf, its extension must be one of .html, .md, .csv, .tex, .json");
  EXPECT_THAT(message_of<InvalidArgument>([] { write_report({}, "report"); }),
              HasSubstr("must be one of"));
}

TEST(JsonReport, HoldsTheResultsAndPicturesOnlyIfWanted) {
  datasets::TempFolder folder;
  const TableResults results = example_results();
  ASSERT_TRUE(results.data.thumbnails);
  write_report({results}, folder.path("all.json"));
  EXPECT_EQ(to_json(read_results(folder.path("all.json"))), to_json(results));
  write_report({results}, folder.path("bare.json"), {.pictures = false});
  EXPECT_FALSE(read_results(folder.path("bare.json")).data.thumbnails);
  EXPECT_THAT(message_of<InvalidArgument>([&] {
                write_report({results, results}, folder.path("two.json"));
              }),
              HasSubstr("a .json holds one"));
}

}  // namespace
}  // namespace subspace::pipelines
