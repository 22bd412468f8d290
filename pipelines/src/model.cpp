// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/model.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include <subspace/core/atomic_file.h>
#include <subspace/core/error.h>
#include <subspace/core/memory.h>
#include <subspace/core/sha256.h>
#include <subspace/core/version.h>
#include <subspace/datasets/load.h>
#include <subspace/datasets/save.h>

#include "record_json.h"
#include "toml_text.h"

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;

constexpr char kModelSchema[] = "subspace-model-1";
constexpr char kHeadFile[] = "model.json";
constexpr char kArraysFile[] = "model.npz";

constexpr std::pair<const char*, ModelRule> kRules[] = {{"subspaces", ModelRule::kSubspaces},
                                                        {"exemplars", ModelRule::kExemplars}};
constexpr std::pair<const char*, Normalization> kNormalizations[] = {
    {"none", Normalization::kNone}, {"unit-columns", Normalization::kUnitColumns}};

template <typename Enum, std::size_t kCount>
std::string word_of(const std::pair<const char*, Enum> (&words)[kCount], Enum value) {
  for (const auto& [word, meaning] : words) {
    if (meaning == value) return word;
  }
  return {};
}

template <typename Enum, std::size_t kCount>
Enum value_of(const std::pair<const char*, Enum> (&words)[kCount], const std::string& text) {
  for (const auto& [word, meaning] : words) {
    if (text == word) return meaning;
  }
  throw IoError("unknown word '" + text + "'");
}

/// The bases side by side.
Matrix joined_bases(const Subspaces& subspaces) {
  const int columns = std::accumulate(subspaces.dimensions.begin(), subspaces.dimensions.end(), 0);
  Matrix joined(subspaces.means.rows(), columns);
  Index at = 0;
  for (const Matrix& basis : subspaces.bases) {
    joined.middleCols(at, basis.cols()) = basis;
    at += basis.cols();
  }
  return joined;
}

std::vector<Matrix> split_bases(const Matrix& joined, const std::vector<int>& dimensions) {
  std::vector<Matrix> bases;
  Index at = 0;
  for (const int dimension : dimensions) {
    bases.emplace_back(joined.middleCols(at, dimension));
    at += dimension;
  }
  return bases;
}

/// Arrays without a number are left out, and are empty when they are read.
void append(std::vector<datasets::NamedPoints>& arrays, const char* name, Matrix X) {
  if (X.size() > 0) arrays.push_back({name, std::move(X)});
}

std::vector<datasets::NamedPoints> arrays_of(const ClusterModel& model) {
  std::vector<datasets::NamedPoints> arrays;
  append(arrays, "mean", model.preprocessor.mean);
  append(arrays, "basis", model.preprocessor.basis);
  append(arrays, "cluster_bases", joined_bases(model.subspaces));
  append(arrays, "cluster_means", model.subspaces.means);
  append(arrays, "exemplars", model.exemplars.exemplars);
  return arrays;
}

double bytes_of(const Subspaces& subspaces) {
  Index numbers = subspaces.means.size();
  for (const Matrix& basis : subspaces.bases) numbers += basis.size();
  return static_cast<double>(numbers) * sizeof(double);
}

std::string file_sha256(const fs::path& file) {
  const std::string bytes = read_text_file(file, "arrays of a model");
  return sha256(std::as_bytes(std::span(bytes)));
}

std::vector<double> numbers(const Vector& values) { return {values.begin(), values.end()}; }

Json head_json(const ClusterModel& model, const std::string& sha256) {
  Json json = {{"schema", kModelSchema},
               {"version", SUBSPACE_VERSION},
               {"method", model.method},
               {"options", json_object(model.options)},
               {"seed", model.seed},
               {"input", input_json(model.input)},
               {"rule", rule_name(model.rule)},
               {"arrays_sha256", sha256}};
  if (!model.network.empty()) json["network_sha256"] = model.network;
  json["preprocess"] = {
      {"dimension", model.preprocessor.dimension},
      {"normalization", word_of(kNormalizations, model.preprocessor.normalization)}};
  if (model.preprocessor.appended != 0.0) {
    json["preprocess"]["append_one"] = model.preprocessor.appended;
  }
  json["clusters"] = {{"labels", model.subspaces.classes},
                      {"space", model.subspaces.means.rows()},
                      {"dimensions", model.subspaces.dimensions},
                      {"residuals", numbers(model.subspaces.residuals)}};
  if (model.rule == ModelRule::kExemplars) {
    json["exemplars"] = {{"labels", model.exemplars.labels}, {"weight", model.exemplars.lambda}};
  }
  return json;
}

/// The arrays of the file by name.
class Arrays {
 public:
  Arrays(fs::path file, const Context& context)
      : file_(std::move(file)), context_(context), known_(datasets::list_variables(file_)) {}

  bool has(const std::string& name) const { return find(name) != nullptr; }

  /// As it must be, a sample being a column; an array without a number is not in the file.
  Matrix read(const std::string& name, Index rows, Index columns) const {
    if (rows == 0 || columns == 0) return Matrix(rows, columns);
    const datasets::Variable* found = find(name);
    if (found == nullptr) throw IoError(message("no array ", name));
    if (found->shape != std::vector<std::int64_t>{columns, rows}) {
      throw IoError(message("array ", name, " must have the shape (", columns, ", ", rows, ")"));
    }
    Matrix X = datasets::load_points(file_, {.x = name}, context_).X;
    // The reader may take a vector of the file for labels, and turn the others to fit it.
    if (X.rows() != rows) X.transposeInPlace();
    return X;
  }

 private:
  const datasets::Variable* find(const std::string& name) const {
    const auto found = std::ranges::find(known_, name, &datasets::Variable::name);
    return found == known_.end() ? nullptr : &*found;
  }

  fs::path file_;
  const Context& context_;
  std::vector<datasets::Variable> known_;
};

bool strictly_increasing(const Labels& labels) {
  return std::ranges::adjacent_find(labels, std::ranges::greater_equal{}) == labels.end();
}

Preprocessor read_preprocessor(const Json& json, Index space, const Arrays& arrays) {
  Preprocessor made{.dimension = json.at("dimension"),
                    .normalization = value_of(kNormalizations, json.at("normalization")),
                    .appended = json.value("append_one", 0.0)};
  const Index projected = made.appended != 0.0 ? space - 1 : space;
  if (arrays.has("mean")) made.mean = arrays.read("mean", made.dimension, 1);
  if (arrays.has("basis")) made.basis = arrays.read("basis", made.dimension, projected);
  if (made.output_dimension() != space) {
    throw IoError(message("clusters in ", space, " dimensions, points have ", made.dimension));
  }
  return made;
}

Subspaces read_subspaces(const Json& json, const Arrays& arrays) {
  Subspaces subspaces;
  const Index space = json.at("space");
  subspaces.classes = json.at("labels").get<Labels>();
  subspaces.dimensions = json.at("dimensions").get<std::vector<int>>();
  const auto residuals = json.at("residuals").get<std::vector<double>>();
  const auto count = static_cast<Index>(subspaces.classes.size());
  if (space < 1 || count < 1 || std::ssize(subspaces.dimensions) != count ||
      std::ssize(residuals) != count || !strictly_increasing(subspaces.classes)) {
    throw IoError("clusters: dimensions and residuals must be one for each of increasing labels");
  }
  for (const int dimension : subspaces.dimensions) {
    if (dimension < 0 || dimension > space) {
      throw IoError(message("clusters: dimension ", dimension, ", must be from 0 to ", space));
    }
  }
  subspaces.residuals = Eigen::Map<const Vector>(residuals.data(), count);
  const Index columns =
      std::accumulate(subspaces.dimensions.begin(), subspaces.dimensions.end(), Index{0});
  subspaces.bases = split_bases(arrays.read("cluster_bases", space, columns), subspaces.dimensions);
  subspaces.means = arrays.read("cluster_means", space, count);
  return subspaces;
}

ClusterModel model_from_json(const Json& json, const Arrays& arrays) {
  ClusterModel model;
  model.method = json.at("method");
  model.options = named_values(json.at("options"));
  model.seed = json.at("seed");
  model.input = input_from_json(json.at("input"));
  model.rule = value_of(kRules, json.at("rule"));
  model.network = json.value("network_sha256", "");
  model.subspaces = read_subspaces(json.at("clusters"), arrays);
  const Index space = model.subspaces.means.rows();
  model.preprocessor = read_preprocessor(json.at("preprocess"), space, arrays);
  if (model.rule == ModelRule::kExemplars) {
    model.exemplars.labels = json.at("exemplars").at("labels").get<Labels>();
    model.exemplars.lambda = json.at("exemplars").at("weight");
    model.exemplars.exemplars = arrays.read("exemplars", space, std::ssize(model.exemplars.labels));
  }
  return model;
}

Json read_head(const fs::path& file) {
  try {
    Json json = Json::parse(read_text_file(file, "a model of clusters"));
    if (json.at("schema") != kModelSchema) {
      throw IoError(
          message("schema ", json.at("schema").dump(), ", must be \"", kModelSchema, "\""));
    }
    return json;
  } catch (const Json::exception& error) {
    throw IoError(message("no model of clusters: ", error.what()));
  }
}

}  // namespace

Parameters describe(ModelOptions& options) {
  return {
      choice("rule", options.rule,
             {{"subspaces", ModelRule::kSubspaces}, {"exemplars", ModelRule::kExemplars}},
             "how --save lets further points be predicted: nearest subspace, or sparse "
             "representation on exemplars"),
      parameter("subspace_dimension", options.subspace_dimension,
                "dimension of the subspaces kept; 0: that of the method, else by subspace_energy")
          .at_least(0),
      parameter("subspace_energy", options.subspace_energy,
                "share of a cluster that its subspace holds")
          .above(0.0)
          .at_most(1.0),
      parameter("exemplars_per_cluster", options.exemplars_per_cluster,
                "points kept of each cluster, farthest first")
          .at_least(1),
      parameter("exemplar_weight", options.exemplar_weight,
                "fit weight of the representation by exemplars")
          .above(1),
  };
}

ClusterShapes shapes_of(const ClusterModel& model) {
  return {.labels = model.subspaces.classes,
          .dimensions = model.subspaces.dimensions,
          .residuals = numbers(model.subspaces.residuals)};
}

std::string rule_name(ModelRule rule) { return word_of(kRules, rule); }

std::vector<StageMemory> predicted_memory(const ClusterModel& model, Index num_points,
                                          const Context& context, const FeatureMemory& network) {
  const bool votes = model.rule == ModelRule::kExemplars;
  std::vector<StageMemory> stages =
      votes ? predicted_memory(model.preprocessor, model.exemplars, num_points, context)
            : predicted_memory(model.preprocessor, model.subspaces, num_points, context);
  // The subspaces are kept beside exemplars, too.
  const double idle = votes ? bytes_of(model.subspaces) : 0.0;
  for (StageMemory& stage : stages) stage.bytes += idle + network.given;
  if (network.given > 0.0) {
    // What the stages have of features takes the place of points that are loaded.
    stages.front() = {"features", idle + network.given + network.embedding};
    stages.insert(stages.begin(), {"load", network.given});
  }
  return stages;
}

void check_peak_memory(const ClusterModel& model, Index num_points, const Context& context,
                       const FeatureMemory& network) {
  const StageMemory peak = largest_stage(predicted_memory(model, num_points, context, network));
  check_memory("predict, stage " + peak.stage, peak.bytes, allowed_memory(context),
               peak.stage == "assignment"
                   ? "predict fewer points at a time or use fewer threads"
                   : "the points are copied; predict fewer of them at a time");
}

Prediction predict(const ClusterModel& model, const ConstMatrixRef& X, const Context& context) {
  require_finite(X, "predict");
  check_peak_memory(model, X.cols(), context);
  const Matrix points = apply(model.preprocessor, X, context).points;
  Prediction prediction;
  if (model.rule == ModelRule::kExemplars) {
    ExemplarVotes votes = predict(model.exemplars, points, context);
    prediction.converged = votes.converged;
    prediction.certificate = {{"largest_violation", votes.largest_violation}};
    static_cast<NearestSubspaces&>(prediction) = std::move(votes);
  } else {
    static_cast<NearestSubspaces&>(prediction) =
        nearest_subspaces(model.subspaces, points, context);
  }
  const Vector& residuals = prediction.residuals;
  prediction.certificate.emplace_back("mean_residual",
                                      residuals.size() > 0 ? residuals.mean() : 0.0);
  prediction.certificate.emplace_back("largest_residual",
                                      residuals.size() > 0 ? residuals.maxCoeff() : 0.0);
  return prediction;
}

void save_model(const fs::path& folder, const ClusterModel& model) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError(message(folder.string(), ": ", error.message()));
  const fs::path arrays = folder / kArraysFile;
  datasets::save_arrays(arrays, arrays_of(model));
  write_file_atomically(folder / kHeadFile, json_text(head_json(model, file_sha256(arrays)), 2));
}

void remove_model(const fs::path& folder) {
  std::error_code ignored;
  fs::remove(folder / kHeadFile, ignored);
  fs::remove(folder / kArraysFile, ignored);
}

bool holds_model(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / kHeadFile, ignored);
}

ClusterModel load_model(const fs::path& folder, const Context& context) {
  const fs::path file = folder / kHeadFile;
  try {
    const Json json = read_head(file);
    const fs::path arrays = folder / kArraysFile;
    if (json.at("arrays_sha256") != file_sha256(arrays)) {
      throw IoError(message(kArraysFile, " has another hash than it was written with"));
    }
    ClusterModel model = model_from_json(json, Arrays(arrays, context));
    model.arrays_sha256 = json.at("arrays_sha256");
    return model;
  } catch (const Json::exception& error) {
    throw IoError(message(file.string(), ": ", error.what()));
  } catch (const IoError& error) {
    throw IoError(message(file.string(), ": ", error.what()));
  }
}

}  // namespace subspace::pipelines
