// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <set>
#include <string>

#include <subspace/pipelines/report.h>

#include "report/markup.h"

namespace subspace::pipelines::report {

/// The small pictures of one table: the sheet is in the page once, as a background that every
/// picture moves to its place. The places are rules of a style sheet of their own, because the
/// page's security policy allows no style attributes.
class Thumbnails {
 public:
  Thumbnails(const TableData& data, int table, const ReportOptions& options);

  bool shown() const { return sheet_ != nullptr; }
  /// The picture of a point; nothing where there are none. Notes that its place is needed.
  Markup of(Index point, const std::string& description) const;
  /// What the script needs to show a picture: attributes of the element around it.
  Attributes script_data() const;
  /// The rules for all pictures asked for so far.
  std::string style() const;
  /// Why there are no pictures, or what to mind about them; may be empty.
  std::string remark() const;

 private:
  double scale() const;
  std::string sheet_class() const;

  const TableData& data_;
  const ThumbnailSheet* sheet_ = nullptr;
  int table_ = 0;
  bool wanted_ = true;
  mutable std::set<Index> used_ = {};
};

}  // namespace subspace::pipelines::report
