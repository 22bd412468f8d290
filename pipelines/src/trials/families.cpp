// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "trials/families.h"

#include <charconv>

#include <subspace/core/error.h>

namespace subspace::pipelines {
namespace {

struct KnownFamily {
  const char* name;
  TrialFamily (*load)(const std::string& data_dir, const Context& context);
};

constexpr KnownFamily kFamilies[] = {{"hopkins155", load_hopkins155},
                                     {"yaleb-subjects", load_yaleb_subjects}};

}  // namespace

std::string value_for_clusters(const std::string& text, int num_clusters) {
  if (text.size() < 2 || text.back() != 'k') return text;
  int factor = 0;
  const char* end = text.data() + text.size() - 1;
  const auto [stop, error] = std::from_chars(text.data(), end, factor);
  if (error != std::errc() || stop != end || factor < 1 || factor > 1000000) return text;
  return std::to_string(std::int64_t{factor} * num_clusters);
}

std::vector<std::string> trial_family_names() {
  std::vector<std::string> names;
  for (const KnownFamily& family : kFamilies) names.emplace_back(family.name);
  return names;
}

TrialFamily load_trials(const std::string& name, const std::string& data_dir,
                        const Context& context) {
  for (const KnownFamily& family : kFamilies) {
    if (name == family.name) return family.load(data_dir, context);
  }
  throw InvalidArgument(message("trials '", name, "', must be one of hopkins155, yaleb-subjects"));
}

}  // namespace subspace::pipelines
