// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>

#include <subspace/core/error.h>
#include <subspace/core/parameters.h>

#include "registry/sets.h"

namespace subspace::datasets {
namespace {

std::vector<Entry> make_entries() {
  std::vector<Entry> all = {coil20(),        coil100(),        yaleb(),
                            orl(),           usps(),           hopkins155(),
                            stl10(),         turntable(),      double_spiral_set(),
                            manifolds(true), manifolds(false), subspaces()};
  for (const Split split : {Split::kAll, Split::kTrain, Split::kTest}) {
    all.push_back(mnist(split));
    all.push_back(fashion_mnist(split));
    all.push_back(cifar10(split));
    all.push_back(cifar100(split, false));
    all.push_back(cifar100(split, true));
  }
  std::ranges::sort(all, {}, [](const Entry& entry) { return entry.info.name; });
  for (Entry& entry : all) {
    for (const Layout& layout : entry.layouts) {
      entry.info.files.insert(entry.info.files.end(), layout.files.begin(), layout.files.end());
    }
    for (const Source& source : entry.sources) entry.info.urls.push_back(source.url);
    const auto hashed = std::ranges::find_if(
        entry.layouts, [](const Layout& layout) { return !layout.sha256.empty(); });
    if (hashed != entry.layouts.end()) entry.info.sha256 = hashed->sha256;
  }
  return all;
}

}  // namespace

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = make_entries();
  return all;
}

const Entry& find_entry(const std::string& name) {
  const auto found = std::ranges::find(entries(), name, [](const Entry& e) { return e.info.name; });
  if (found != entries().end()) return *found;
  std::vector<std::string> names;
  for (const Entry& entry : entries()) names.push_back(entry.info.name);
  const std::string nearest = nearest_name(name, names);
  throw InvalidArgument(message(
      "data set '", name, "' is not registered",
      nearest.empty() ? "; `subspace data list` shows all" : "; did you mean '" + nearest + "'?"));
}

const std::vector<DatasetInfo>& registry() {
  static const std::vector<DatasetInfo> all = [] {
    std::vector<DatasetInfo> infos;
    for (const Entry& entry : entries()) infos.push_back(entry.info);
    return infos;
  }();
  return all;
}

const DatasetInfo& find_dataset(const std::string& name) { return find_entry(name).info; }

}  // namespace subspace::datasets
