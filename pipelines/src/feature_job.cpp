// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/feature_job.h>

#include <algorithm>
#include <utility>

#include <subspace/core/atomic_file.h>
#include <subspace/core/error.h>
#include <subspace/core/version.h>
#include <subspace/datasets/save.h>
#include <subspace/pipelines/cluster_job.h>
#include <subspace/pipelines/input.h>

#include "methods/feature_learner.h"
#include "record_json.h"
#include "truth.h"

namespace subspace::pipelines {
namespace {

const RecipeRow& learning_row(const Recipe& recipe, const std::string& name) {
  std::vector<const RecipeRow*> rows;
  for (const RecipeRow& row : recipe.rows) {
    if (asks_for_learning(row.method) && (name.empty() || row.name == name)) rows.push_back(&row);
  }
  if (rows.size() == 1) return *rows.front();
  std::string names;
  for (const RecipeRow* row : rows)
    names += message(names.empty() ? "" : ", ", "'", row->name, "'");
  throw InvalidArgument(rows.empty()
                            ? message("recipe ", recipe.name, ": no row ",
                                      name.empty() ? "" : "'" + name + "' ", "learns features")
                            : message("recipe ", recipe.name, ": --row must be one of ", names));
}

datasets::PointSet load_input(const RunSettings& settings, const char* command,
                              const Context& context) {
  if (settings.input.empty()) throw InvalidArgument(message(command, ": no INPUT given"));
  const Input input(settings.input, settings.data_dir, settings.image_size);
  return input.load_points(load_options(settings), context);
}

Json features_json(const FeatureRecord& record) {
  Json json = {{"n", record.features.Z.cols()},
               {"dim", record.features.Z.rows()},
               {"layer", record.read_out.layer},
               {"views", record.read_out.views}};
  if (record.read_out.views > 0) json["seed"] = record.view_seed;
  return json;
}

/// The record of these points, what their reader noted before all other warnings, and written where
/// the settings ask for it.
FeatureRecord finished(FeatureRecord record, const datasets::PointSet& points,
                       const RunSettings& settings) {
  record.input = {points.name, points.X.cols(), points.X.rows(), points.sha256, points.image};
  std::vector<std::string>& warnings = record.features.warnings;
  warnings.insert(warnings.begin(), points.notes.begin(), points.notes.end());
  if (!settings.json.empty() && settings.json != "-") {
    write_file_atomically(settings.json, to_json(record));
  }
  return record;
}

}  // namespace

RunSettings with_recipe(RunSettings settings, const Recipe& recipe, const std::string& name) {
  const RecipeRow& row = learning_row(recipe, name);
  const Clusterer whole(row.method);
  const std::string learner = whole.stages().front();
  std::vector<MethodSetting> set;
  for (const auto& [key, text] : row.set) {
    if (whole.find(key).stage == learner) set.push_back({key, text, false});
  }
  settings.method = learner;
  settings.set.insert(settings.set.begin(), set.begin(), set.end());
  if (settings.input.empty()) settings.input = recipe.data;
  if (!settings.image_size) settings.image_size = recipe.image_size;
  settings.color = settings.color || recipe.color;
  return settings;
}

std::string untrained_stages(const Recipe& recipe, const std::string& name) {
  const RecipeRow& row = learning_row(recipe, name);
  const std::vector<std::string> stages = Clusterer(row.method).learned_stages();
  if (stages.size() < 2) return {};
  return message(
      "train: row '", row.name, "' is trained in its stage ", stages.front(),
      " alone; cluster heads and fine-tuning belong to the clustering: subspace table, or "
      "subspace cluster --save");
}

FeatureRecord train_input(const RunSettings& settings, bool resume, const std::vector<int>& keep,
                          const Context& context) {
  if (settings.save.empty())
    throw InvalidArgument("train: no --out given, the folder of the network");
  check_outputs(settings);
  Clusterer(settings.method).require_learner();  // before its options are looked at
  Clusterer learner = make_clusterer(settings);
  const datasets::PointSet points = load_input(settings, "train", context);
  apply_threads(context);
  const Execution execution = {.seed = settings.seed,
                               .device = settings.device,
                               .run_folder = settings.save,
                               .kept_steps = keep,
                               .resume = resume};
  FeatureRecord record;
  record.command = "train";
  record.method = learner.info().name;
  record.options = learner.values();
  record.seed = settings.seed;
  record.features = learner.learn({points.X, points.image}, execution, context);
  record.model = learner.use_model(settings.save);
  return finished(std::move(record), points, settings);
}

FeatureRecord embed_input(const RunSettings& settings, ReadOut read_out, const Context& context) {
  if (read_out.views == 1) read_out.views = 0;
  if (settings.model.empty())
    throw InvalidArgument("embed: no --model given, the folder of a network");
  check_features_file(settings);
  const datasets::PointSet points = load_input(settings, "embed", context);
  apply_threads(context);
  Embedding embedding = embed_by_model({points.X, points.image}, settings.model, read_out,
                                       {.seed = settings.seed, .device = settings.device}, context);
  datasets::save_points(settings.out, embedding.features.Z);
  return finished({.command = "embed",
                   .method = std::move(embedding.learner),
                   .options = std::move(embedding.options),
                   .seed = embedding.seed,
                   .model = std::move(embedding.model),
                   .features = std::move(embedding.features),
                   .read_out = std::move(read_out),
                   .view_seed = settings.seed},
                  points, settings);
}

std::string to_json(const FeatureRecord& record) {
  Json json = {{"schema", "subspace-features-2"},
               {"command", record.command},
               {"version", SUBSPACE_VERSION},
               {"input", input_json(record.input)},
               {"method", record.method},
               {"options", json_object(record.options)},
               {"seed", record.seed},
               {"model", model_json(record.model)}};
  json["features"] = features_json(record);
  json["seconds"] = {{"features", record.features.seconds}};
  json["certificate"] = json_object(record.features.certificate);
  json["warnings"] = record.features.warnings;
  return json_text(json);
}

}  // namespace subspace::pipelines
