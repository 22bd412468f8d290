// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "report/figures.h"

namespace subspace::pipelines::report {

Markup figure(const std::string& classes, const std::string& title, const Markup& content,
              const std::string& caption) {
  return element("figure", {{"class", classes}}, worded("h4", {}, title), content,
                 worded("figcaption", {}, caption));
}

}  // namespace subspace::pipelines::report
