// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "report/thumbnails.h"

#include <algorithm>
#include <sstream>

#include <subspace/core/error.h>

#include "base64.h"
#include "report/svg.h"

namespace subspace::pipelines::report {
namespace {

constexpr double kShownSide = 48.0;  // pixels of the page, of the longer side

}  // namespace

Thumbnails::Thumbnails(const TableData& data, int table, const ReportOptions& options)
    : data_(data), table_(table), wanted_(options.pictures) {
  if (!options.pictures || !data.thumbnails) return;
  const ThumbnailSheet& sheet = *data.thumbnails;
  if (sheet.count > 0 && sheet.columns > 0 && sheet.width > 0 && sheet.height > 0) sheet_ = &sheet;
}

double Thumbnails::scale() const { return kShownSide / std::max(sheet_->width, sheet_->height); }

std::string Thumbnails::sheet_class() const { return message("sheet", table_); }

Markup Thumbnails::of(Index point, const std::string& description) const {
  if (!shown() || point < 0 || point >= sheet_->count) return {};
  used_.insert(point);
  return element("span", {{"class", message("thumb ", sheet_class(), " at", table_, "-", point)},
                          {"role", "img"},
                          {"aria-label", description},
                          {"title", description}});
}

Attributes Thumbnails::script_data() const {
  if (!shown()) return {};
  return {{"data-sheet", sheet_class()},
          {"data-count", std::to_string(sheet_->count)},
          {"data-columns", std::to_string(sheet_->columns)},
          {"data-width", coordinate(sheet_->width * scale())},
          {"data-height", coordinate(sheet_->height * scale())}};
}

std::string Thumbnails::style() const {
  if (!shown()) return "";
  // Steps are what script_data() says, rounded alike, or far columns would drift apart.
  const double width = std::stod(coordinate(sheet_->width * scale()));
  const double height = std::stod(coordinate(sheet_->height * scale()));
  std::ostringstream css;
  css << "." << sheet_class() << "{width:" << coordinate(width)
      << "px;height:" << coordinate(height)
      << "px;background-size:" << coordinate(width * sheet_->columns)
      << "px auto;background-image:url(data:image/png;base64," << to_base64(sheet_->png) << ")}\n";
  for (const Index point : used_) {
    css << ".at" << table_ << "-" << point << "{background-position:"
        << coordinate(-width * static_cast<double>(point % sheet_->columns)) << "px "
        << coordinate(-height * static_cast<double>(point / sheet_->columns)) << "px}\n";
  }
  return css.str();
}

std::string Thumbnails::remark() const {
  if (shown()) {
    return data_.redistributable ? ""
                                 : "The pictures in this page are of data that is not known to be "
                                   "free to show: keep it to yourself, or make it again with "
                                   "--no-pictures.";
  }
  if (!data_.thumbnails || wanted_) return "";
  return data_.redistributable
             ? "Pictures of the points were left out on request."
             : "Pictures of the points were left out: this data is not known to be free to show.";
}

}  // namespace subspace::pipelines::report
