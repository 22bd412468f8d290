// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <set>

#include <subspace/datasets/registry.h>

#include "format.h"
#include "fuzz/input.h"
#include "fuzz/lines.h"
#include "images/arrange.h"

namespace subspace::datasets::fuzz {
namespace {

/// That natural_less is an order, without which std::sort may run out of its range.
void check_order(const std::vector<std::string>& names) {
  for (const std::string& a : names) {
    require(!natural_less(a, a), "no name comes before itself");
    for (const std::string& b : names) {
      require(a == b || natural_less(a, b) != natural_less(b, a), "one of two names comes first");
      for (const std::string& c : names) {
        require(!natural_less(a, b) || !natural_less(b, c) || natural_less(a, c),
                "the order is transitive");
      }
    }
  }
}

void check_arrangement(const std::vector<std::string>& names) {
  const Arrangement found = arrange(names);
  const std::set<std::size_t> different(found.order.begin(), found.order.end());
  require(different.size() == found.order.size(), "no picture comes twice");
  require(different.empty() || *different.rbegin() < names.size(), "every picture has a name");
  require(found.order.size() + found.left_out <= names.size(), "files are counted once");
  const bool has_labels = found.kind != Arrangement::Kind::kFlat;
  require(found.labels.size() == (has_labels ? found.order.size() : 0), "a label each, or none");
}

void parse(const std::string& name) {
  succeeds([&] { parse_dataset_name(name); });
  succeeds([&] { parse_image_size(name, "size"); });
  try {
    format_of(name);
  } catch (const Error&) {  // its message has the path as the user gave it
  }
}

}  // namespace
}  // namespace subspace::datasets::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace subspace::datasets;
  auto names = fuzz::lines_of(fuzz::text_of(fuzz::bytes_of(data, size)));
  fuzz::check_arrangement(names);
  constexpr std::size_t kMost = 6;  // all triples are looked at
  if (names.size() > kMost) names.resize(kMost);
  fuzz::check_order(names);
  for (const std::string& name : names) fuzz::parse(name);
  return 0;
}
