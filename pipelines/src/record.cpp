// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/record.h>

#include <cmath>

#include <subspace/core/version.h>

#include "record_json.h"

namespace subspace::pipelines {
namespace {

Json heading(const std::string& command) {
  return {{"schema", kRecordSchema}, {"command", command}, {"version", SUBSPACE_VERSION}};
}

std::vector<double> numbers(const Vector& values) { return {values.begin(), values.end()}; }

/// The estimate with its evidence.
Json cluster_count_json(const ClusterCount& count) {
  return {{"estimated", count.num_clusters},
          {"clarity", count.clarity},
          {"gap", count.gap},
          {"components", count.num_components},
          {"isolated", count.num_isolated},
          {"laplacian_eigenvalues", numbers(count.eigenvalues)}};
}

Json confidence_json(const Confidence& confidence) {
  return {{"mean", confidence.mean},
          {"labels", confidence.labels},
          {"of_labels", numbers(confidence.of_labels)}};
}

/// Of the points themselves the record does not tell.
Confidence confidence_from_json(const Json& json) {
  const auto of_labels = json.at("of_labels").get<std::vector<double>>();
  return {.labels = json.at("labels").get<Labels>(),
          .of_labels = Eigen::Map<const Vector>(of_labels.data(), std::ssize(of_labels)),
          .mean = json.at("mean")};
}

Json curve_json(const std::vector<CurvePoint>& curve) {
  Json points = Json::array();
  for (const CurvePoint& point : curve) {
    points.push_back({{"step", point.step},
                      {"seconds", point.seconds},
                      {"labels", point.labels},
                      {"signals", json_object(point.signals)}});
    if (point.metrics) points.back()["metrics"] = json_object(named(*point.metrics));
  }
  return points;
}

Json coefficients_json(const RepresentationReport& report) {
  const Connectivity& connectivity = report.connectivity;
  return {{"subspace_preserving_error", report.preserving_error.mean},
          {"connectivity",
           {{"min", connectivity.minimum},
            {"mean", connectivity.mean},
            {"classes", connectivity.classes},
            {"of_classes", numbers(connectivity.values)}}},
          {"nonzeros",
           {{"mean", report.sparsity.mean},
            {"max", report.sparsity.maximum},
            {"empty", report.sparsity.num_empty}}}};
}

Json clusters_json(const ClusterShapes& clusters) {
  return {{"labels", clusters.labels},
          {"dimensions", clusters.dimensions},
          {"residuals", clusters.residuals}};
}

PartitionMetrics metrics_from_json(const Json& json) {
  return {.acc = json.at("acc"),
          .acc_greedy = json.at("acc_greedy"),
          .nmi_arithmetic = json.at("nmi_arithmetic"),
          .nmi_geometric = json.at("nmi_geometric"),
          .nmi_max = json.at("nmi_max"),
          .ami = json.at("ami"),
          .ari = json.at("ari"),
          .purity = json.at("purity")};
}

std::vector<CurvePoint> curve_from_json(const Json& json) {
  std::vector<CurvePoint> curve;
  for (const Json& point : json) {
    curve.push_back({.step = point.at("step"),
                     .seconds = point.at("seconds"),
                     .labels = point.at("labels").get<Labels>(),
                     .signals = named_values(point.at("signals"))});
    if (point.contains("metrics")) {
      curve.back().metrics = metrics_from_json(point.at("metrics"));
    }
  }
  return curve;
}

StageSeconds seconds_from_json(const Json& json) {
  const double load = json.at("load");
  return {.preprocess = json.at("preprocess"),
          .self_expression = json.at("self_expression"),
          .affinity = json.at("affinity"),
          .embedding = json.at("embedding"),
          .assignment = json.at("assignment"),
          .total = json.at("total").get<double>() - load};
}

}  // namespace

/// Pictures tell their shape, and that a value of 1 is white: 0-1 and 0-255 must not be mixed.
Json input_json(const InputInfo& input) {
  Json json = {{"name", input.name},
               {"n", input.n},
               {"dim", input.dim},
               {"sha256", input.sha256.empty() ? Json(nullptr) : Json(input.sha256)}};
  if (input.image) {
    json["image"] = image_json(*input.image);
    json["image"]["white"] = 1.0;
  }
  return json;
}

Json seconds_json(const StageSeconds& seconds, double load, double features) {
  Json json = {{"load", load}};
  if (features > 0.0) json["features"] = features;
  json.update({{"preprocess", seconds.preprocess},
               {"self_expression", seconds.self_expression},
               {"affinity", seconds.affinity},
               {"embedding", seconds.embedding},
               {"assignment", seconds.assignment},
               {"total", load + seconds.total}});
  return json;
}

Json model_json(const ModelInfo& model) {
  return {{"folder", model.folder}, {"sha256", model.sha256}, {"step", model.step}};
}

ModelInfo model_from_json(const Json& json) {
  return {json.at("folder"), json.at("sha256"), json.at("step")};
}

Json truth_json(const TruthInfo& truth) {
  return {{"source", truth.source},
          {"variable", truth.variable.empty() ? Json(nullptr) : Json(truth.variable)}};
}

InputInfo input_from_json(const Json& json) {
  InputInfo input = {.name = json.at("name"), .n = json.at("n"), .dim = json.at("dim")};
  if (json.at("sha256").is_string()) input.sha256 = json.at("sha256");
  if (json.contains("image")) {
    const Json& image = json.at("image");
    input.image = {image.at("channels"), image.at("height"), image.at("width")};
  }
  return input;
}

TruthInfo truth_from_json(const Json& json) {
  TruthInfo truth = {.source = json.at("source")};
  if (json.at("variable").is_string()) truth.variable = json.at("variable");
  return truth;
}

NamedValues named(const PartitionMetrics& metrics) {
  return {{"acc", metrics.acc},
          {"acc_greedy", metrics.acc_greedy},
          {"nmi_arithmetic", metrics.nmi_arithmetic},
          {"nmi_geometric", metrics.nmi_geometric},
          {"nmi_max", metrics.nmi_max},
          {"ami", metrics.ami},
          {"ari", metrics.ari},
          {"purity", metrics.purity}};
}

Json record_json(const Record& record) {
  Json json = heading(record.command);
  json["input"] = input_json(record.input);
  json["method"] = record.method;
  json["options"] = json_object(record.options);
  json["seed"] = record.seed;
  json["threads"] = record.threads;
  json["backend"] = record.backend;
  if (!record.device.empty()) json["device"] = record.device;
  if (record.model) json["model"] = model_json(*record.model);
  if (!record.source_commit.empty()) json["source_commit"] = record.source_commit;
  json["labels"] = record.outcome.labels;
  if (record.outcome.cluster_count) {
    json["cluster_count"] = cluster_count_json(*record.outcome.cluster_count);
  }
  if (!record.outcome.signals.empty()) json["signals"] = json_object(record.outcome.signals);
  if (record.outcome.confidence) json["confidence"] = confidence_json(*record.outcome.confidence);
  if (!record.outcome.curve.empty()) json["curve"] = curve_json(record.outcome.curve);
  if (record.clusters) json["clusters"] = clusters_json(*record.clusters);
  if (record.metrics) json["metrics"] = json_object(named(*record.metrics));
  if (record.truth) json["truth"] = truth_json(*record.truth);
  if (!record.not_evaluated.empty()) json["not_evaluated"] = record.not_evaluated;
  if (record.coefficients) json["coefficients"] = coefficients_json(*record.coefficients);
  json["seconds"] =
      seconds_json(record.outcome.seconds, record.load_seconds, record.outcome.features_seconds);
  json["peak_memory_mb"] = static_cast<double>(record.peak_memory) / 1e6;
  json["converged"] = record.outcome.converged;
  json["certificate"] = json_object(record.outcome.certificate);
  json["warnings"] = record.outcome.warnings;
  return json;
}

std::string to_json(const Record& record) { return json_text(record_json(record)); }

Record record_from_json(const Json& json) {
  Record record;
  record.command = json.at("command");
  record.input = input_from_json(json.at("input"));
  record.method = json.at("method");
  record.options = named_values(json.at("options"));
  record.seed = json.at("seed");
  record.threads = json.at("threads");
  record.backend = json.at("backend");
  record.device = json.value("device", "");
  if (json.contains("model")) record.model = model_from_json(json.at("model"));
  record.source_commit = json.value("source_commit", "");
  record.outcome.labels = json.at("labels").get<Labels>();
  if (json.contains("confidence")) {
    record.outcome.confidence = confidence_from_json(json.at("confidence"));
  }
  if (json.contains("signals")) record.outcome.signals = named_values(json.at("signals"));
  if (json.contains("metrics")) record.metrics = metrics_from_json(json.at("metrics"));
  if (json.contains("truth")) record.truth = truth_from_json(json.at("truth"));
  record.not_evaluated = json.value("not_evaluated", "");
  if (json.contains("curve")) record.outcome.curve = curve_from_json(json.at("curve"));
  record.outcome.seconds = seconds_from_json(json.at("seconds"));
  record.outcome.features_seconds = json.at("seconds").value("features", 0.0);
  record.load_seconds = json.at("seconds").at("load");
  record.peak_memory =
      static_cast<std::int64_t>(std::llround(json.at("peak_memory_mb").get<double>() * 1e6));
  record.outcome.converged = json.at("converged");
  record.outcome.certificate = named_values(json.at("certificate"));
  record.outcome.warnings = json.at("warnings").get<std::vector<std::string>>();
  return record;
}

std::string evaluation_json(const InputInfo& input, const PartitionMetrics& metrics,
                            const TruthInfo& truth) {
  Json json = heading("evaluate");
  json["input"] = input_json(input);
  json["metrics"] = json_object(named(metrics));
  json["truth"] = truth_json(truth);
  return json_text(json);
}

}  // namespace subspace::pipelines
