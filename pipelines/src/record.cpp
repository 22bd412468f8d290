// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/record.h>

#include <subspace/core/version.h>

#include "json.h"

namespace subspace::pipelines {
namespace {

Json heading(const std::string& command) {
  return {{"schema", kRecordSchema}, {"command", command}, {"version", SUBSPACE_VERSION}};
}

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

Json truth_json(const TruthInfo& truth) {
  return {{"source", truth.source},
          {"variable", truth.variable.empty() ? Json(nullptr) : Json(truth.variable)}};
}

/// total covers the load as well: what the user waited for.
Json seconds_json(const StageSeconds& seconds, double load) {
  return {{"load", load},
          {"preprocess", seconds.preprocess},
          {"self_expression", seconds.self_expression},
          {"affinity", seconds.affinity},
          {"embedding", seconds.embedding},
          {"assignment", seconds.assignment},
          {"total", load + seconds.total}};
}

}  // namespace

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

std::string to_json(const Record& record) {
  Json json = heading(record.command);
  json["input"] = input_json(record.input);
  json["method"] = record.method;
  json["options"] = json_object(record.options);
  json["seed"] = record.seed;
  json["threads"] = record.threads;
  json["backend"] = record.backend;
  json["labels"] = record.outcome.labels;
  if (record.metrics) json["metrics"] = json_object(named(*record.metrics));
  if (record.truth) json["truth"] = truth_json(*record.truth);
  json["seconds"] = seconds_json(record.outcome.seconds, record.load_seconds);
  json["peak_memory_mb"] = static_cast<double>(record.peak_memory) / 1e6;
  json["converged"] = record.outcome.converged;
  json["certificate"] = json_object(record.outcome.certificate);
  json["warnings"] = record.outcome.warnings;
  return json_text(json);
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
