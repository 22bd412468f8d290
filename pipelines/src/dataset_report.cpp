// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/dataset_report.h>

#include <subspace/core/error.h>

#include "json.h"

namespace subspace::pipelines {
namespace {

using datasets::DatasetInfo;

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json dataset_json(const DatasetInfo& info, const std::string& data_dir) {
  Json json = {{"name", info.name},
               {"title", info.title},
               {"samples", info.samples},
               {"classes", info.classes},
               {"class_sizes", info.class_sizes},
               {"values", info.values},
               {"origin", info.origin},
               {"terms", info.terms},
               {"traps", info.traps},
               {"files", info.files},
               {"urls", info.urls}};
  json["item"] = or_null(info.item);
  json["dimension"] = info.dimension > 0 ? Json(info.dimension) : Json(nullptr);
  json["image"] = info.image ? image_json(*info.image) : Json(nullptr);
  json["sha256"] = or_null(info.sha256);
  json["found"] = or_null(dataset_place(info.name, data_dir));
  return json;
}

}  // namespace

std::string dataset_place(const std::string& name, const std::string& data_dir) {
  try {
    const datasets::Dataset set({.set = name}, datasets::dataset_folders(data_dir));
    if (set.files().empty()) return "built in";
    const auto& first = set.files().front();
    return (set.files().size() == 1 ? first : first.parent_path()).string();
  } catch (const IoError&) {
    return {};
  }
}

std::vector<std::string> dataset_items(const std::string& name, const std::string& data_dir) {
  try {
    return datasets::Dataset({.set = name}, datasets::dataset_folders(data_dir)).items();
  } catch (const IoError&) {
    return {};
  }
}

std::string datasets_json(const std::vector<std::string>& names, const std::string& data_dir,
                          const std::optional<datasets::Verification>& verification) {
  Json all = Json::array();
  if (names.empty()) {
    for (const DatasetInfo& info : datasets::registry())
      all.push_back(dataset_json(info, data_dir));
  }
  for (const std::string& name : names) {
    all.push_back(dataset_json(datasets::find_dataset(name), data_dir));
    all.back()["items"] = dataset_items(name, data_dir);
    if (verification) {
      all.back()["verification"] = {{"samples", verification->samples},
                                    {"sha256", verification->sha256},
                                    {"labels_sha256", verification->labels_sha256},
                                    {"hash_known", verification->hash_known}};
    }
  }
  return json_text({{"datasets", all}}, 2);
}

}  // namespace subspace::pipelines
