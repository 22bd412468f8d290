// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <cmath>

#include <subspace/core/error.h>

#include "report/figures.h"
#include "report/format.h"
#include "report/label_places.h"
#include "report/svg.h"

namespace subspace::pipelines::report {
namespace {

constexpr Frame kFrame = {.left = 56.0, .top = 30.0, .width = 880.0, .height = 330.0};

struct TimeTick {
  double seconds = 0.0;
  const char* label = "";
};
constexpr TimeTick kTimeTicks[] = {
    {0.001, "1 ms"}, {0.01, "10 ms"},   {0.1, "0.1 s"},  {1.0, "1 s"},      {10.0, "10 s"},
    {60.0, "1 min"}, {600.0, "10 min"}, {3600.0, "1 h"}, {36000.0, "10 h"}, {360000.0, "100 h"}};

/// Decades of time; the rows with both numbers and their curves decide how many.
struct TimeAxis {
  double low = 0.0;  ///< log10 of seconds
  double high = 1.0;

  explicit TimeAxis(const std::vector<const RowSummary*>& rows) {
    std::vector<double> times;
    for (const RowSummary* row : rows) {
      times.push_back(row->seconds.mean);
      for (const CurveSummary& point : row->curve) times.push_back(point.seconds.mean);
    }
    const auto [least, most] = std::ranges::minmax(times);
    low = std::log10(least) - 0.25;
    high = std::log10(most) + 0.25;
    const double missing = std::max(0.0, 2.0 - (high - low));
    low -= missing / 2.0;
    high += missing / 2.0;
  }
  double x(double seconds) const {
    return kFrame.left + kFrame.width * (std::log10(seconds) - low) / (high - low);
  }
  bool shows(double seconds) const {
    return std::log10(seconds) >= low && std::log10(seconds) <= high;
  }
};

std::vector<const RowSummary*> timed_rows(const TableSummary& table) {
  std::vector<const RowSummary*> rows;
  for (const ProtocolGroup& group : table.groups) {
    for (const RowSummary& row : group.rows) {
      const bool curve_timed = std::ranges::all_of(
          row.curve, [](const CurveSummary& point) { return point.seconds.mean > 0.0; });
      if (row.error.count > 0 && row.seconds.mean > 0.0 && curve_timed) rows.push_back(&row);
    }
  }
  return rows;
}

Markup time_axis(const TimeAxis& axis) {
  Markup all;
  for (const TimeTick& tick : kTimeTicks) {
    if (!axis.shows(tick.seconds)) continue;
    const double x = axis.x(tick.seconds);
    all += line(x, kFrame.top, x, kFrame.bottom(), "grid");
    all += words_at(x, kFrame.bottom() + 20.0, {{"class", "tick middle"}}, tick.label);
  }
  all += words_at(kFrame.left + kFrame.width / 2.0, kFrame.bottom() + 44.0,
                  {{"class", "tick middle"}}, "time for one seed");
  return all;
}

/// Where a letter begins, at or before this byte of UTF-8.
std::size_t letter_start(const std::string& text, std::size_t at) {
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
  return at;
}

/// Long names would leave no room for the others. Rows of one table often begin alike, so the end
/// of a name is kept as well.
std::string short_name(const RowResult& row) {
  constexpr std::size_t kLongest = 42;
  constexpr std::size_t kEnd = 14;
  const std::string name = one_line(row.name);
  if (name.size() <= kLongest) return name;
  return message(name.substr(0, letter_start(name, kLongest - kEnd)), "\u2026",
                 name.substr(letter_start(name, name.size() - kEnd)));
}

/// A form for each protocol, for nobody should need colours to tell them apart.
Markup dot(Protocol protocol, double x, double y) {
  if (protocol == Protocol::kLabelFree) {
    return leaf(
        "circle",
        {{"class", "dot inside"}, {"cx", coordinate(x)}, {"cy", coordinate(y)}, {"r", "6"}});
  }
  const double r = protocol == Protocol::kPaper ? 5.5 : 7.5;
  const std::string form =
      protocol == Protocol::kPaper
          ? message("M", coordinate(x - r), " ", coordinate(y - r), "h", coordinate(2 * r), "v",
                    coordinate(2 * r), "h", coordinate(-2 * r), "z")
          : message("M", coordinate(x), " ", coordinate(y - r), "l", coordinate(r), " ",
                    coordinate(r), " ", coordinate(-r), " ", coordinate(r), " ", coordinate(-r),
                    " ", coordinate(-r), "z");
  return leaf("path",
              {{"class", protocol == Protocol::kPaper ? "dot paper" : "dot oracle"}, {"d", form}});
}

std::string description(const RowSummary& row) {
  return message(row.row->name, ": ", mean_and_sd(row.error, 2, " \u00b1 "), " % in ",
                 duration(row.seconds.mean), ", ", protocol_name(row.row->protocol));
}

double height_of(double error, double highest) {
  return kFrame.bottom() - error / highest * kFrame.height;
}

/// The way of a row to its dot, step by step; empty without a curve.
std::vector<Spot> way_of(const RowSummary& row, const TimeAxis& axis, double highest) {
  if (row.curve.empty()) return {};
  const auto spot = [&](double seconds, double error) {
    return Spot{axis.x(seconds), height_of(error, highest)};
  };
  std::vector<Spot> way;
  for (const CurveSummary& point : row.curve) {
    way.push_back(spot(point.seconds.mean, point.error.mean));
  }
  way.push_back(spot(row.seconds.mean, row.error.mean));
  return way;
}

Markup curve_of(const RowSummary& row, const std::vector<Spot>& way) {
  if (way.empty()) return {};
  std::string path;
  for (const Spot& spot : way) {
    path += message(path.empty() ? "M" : "L", coordinate(spot.x), " ", coordinate(spot.y));
  }
  Markup stops;
  for (std::size_t i = 0; i < row.curve.size(); ++i) {
    const CurveSummary& point = row.curve[i];
    stops += element("circle",
                     {{"class", "stop"},
                      {"cx", coordinate(way[i].x)},
                      {"cy", coordinate(way[i].y)},
                      {"r", "3.5"}},
                     worded("title", {},
                            message(row.row->name, ", ", point.step,
                                    " steps: ", mean_and_sd(point.error, 2, " \u00b1 "), " % in ",
                                    duration(point.seconds.mean))));
  }
  return leaf("path", {{"class", "way"}, {"d", path}}) + stops;
}

/// A link to the row's own section, with the range over seeds behind it.
Markup row_mark(const RowSummary& row, const Labelled& at, const LabelPlace& label, double highest,
                const std::string& prefix) {
  Markup mark = worded("title", {}, description(row));
  if (row.error.count > 1) {
    mark += line(at.x, height_of(row.error.max, highest), at.x, height_of(row.error.min, highest),
                 "range");
  }
  mark += dot(row.row->protocol, at.x, at.y);
  const std::string classes =
      message("label", label.ends_here ? " end" : "", row.best ? " best" : "");
  mark += words_at(label.x, label.y, {{"class", classes}}, at.label);
  return element("a", {{"href", message("#", prefix, "-r", row.number)}}, mark);
}

std::string caption(const std::vector<const RowSummary*>& rows) {
  std::vector<std::string> forms;
  const auto has = [&](Protocol protocol) {
    return std::ranges::any_of(
        rows, [&](const RowSummary* row) { return row->row->protocol == protocol; });
  };
  if (has(Protocol::kLabelFree)) forms.push_back("circles are label-free rows");
  if (has(Protocol::kPaper)) forms.push_back("squares have the settings of a paper");
  if (has(Protocol::kOracle)) forms.push_back("hollow diamonds chose by the labels (oracle)");
  return message(
      "Mean error in percent over the mean time of a seed, bars from the best to the "
      "worst seed. Lower and further left is better; ",
      joined(forms), ".",
      std::ranges::all_of(rows, [](const RowSummary* row) { return row->curve.empty(); })
          ? ""
          : " A line leads to a row through the errors it would have had with fewer steps.");
}

}  // namespace

Markup time_figure(const TableSummary& table, const std::string& prefix) {
  const std::vector<const RowSummary*> rows = timed_rows(table);
  if (rows.empty()) return {};
  const auto worst = [](const RowSummary* row) {
    double most = row->error.max;
    for (const CurveSummary& point : row->curve) most = std::max(most, point.error.mean);
    return most;
  };
  const std::vector<double> ticks =
      round_ticks(std::max(1.0, worst(*std::ranges::max_element(rows, {}, worst))), 5);
  const TimeAxis axis(rows);
  std::vector<Labelled> dots;
  std::vector<std::vector<Spot>> ways;
  for (const RowSummary* row : rows) {
    dots.push_back({axis.x(row->seconds.mean), height_of(row->error.mean, ticks.back()),
                    short_name(*row->row)});
    ways.push_back(way_of(*row, axis, ticks.back()));
  }
  const std::vector<LabelPlace> places = place_labels(dots, ways, kFrame);
  Markup content = value_axis(kFrame, ticks) + time_axis(axis);
  for (std::size_t i = 0; i < rows.size(); ++i) content += curve_of(*rows[i], ways[i]);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    content += row_mark(*rows[i], dots[i], places[i], ticks.back(), prefix);
  }
  content += words_at(0.0, 12.0, {{"class", "tick"}}, "error %");
  const Markup picture =
      drawing(960.0, 420.0,
              {{"role", "group"}, {"aria-label", "Error of the rows over their time"}}, content);
  return element(
      "section", {}, worded("h2", {}, "Error against time"),
      element("figure", {{"class", "wide"}}, element("div", {{"class", "scroll"}}, picture),
              worded("figcaption", {}, caption(rows))));
}

}  // namespace subspace::pipelines::report
