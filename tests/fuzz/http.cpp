// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "fetch/http_response.h"
#include "fuzz/input.h"
#include "fuzz/lines.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace subspace::datasets;
  HttpResponse response;
  for (const std::string& line : fuzz::lines_of(fuzz::text_of(fuzz::bytes_of(data, size)))) {
    response.add_line(line);
    fuzz::require(response.status() >= 0 && response.status() <= 999, "a status has three digits");
    fuzz::require_printable(status_text(response.status()));
    fuzz::require_printable(response.etag());
    fuzz::require_printable(response.last_modified());
  }
  return 0;
}
