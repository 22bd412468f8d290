// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <iomanip>
#include <sstream>

#include <subspace/core/version.h>
#include <subspace/pipelines/path_job.h>

#include "record_json.h"

namespace subspace::pipelines {
namespace {

/// Where coefficients were asked for, a point without any has two empty arrays.
Json point_json(Index index, const PathPoint& point, bool coefficients) {
  Json json = {{"point", index},
               {"support", point.support},
               {"fit_error", point.fit_error},
               {"l1_norm", point.l1_norm},
               {"converged", point.converged}};
  if (coefficients) {
    json["rows"] = point.rows;
    json["coefficients"] = point.coefficients;
  }
  return json;
}

Json step_json(const PathRecord& record, const PathStep& step) {
  Json json = {{record.parameter, step.value}, {"converged", step.converged}};
  if (record.num_clusters == 0) {
    json["points"] = Json::array();
    for (std::size_t p = 0; p < step.points.size(); ++p) {
      json["points"].push_back(point_json(record.points[p], step.points[p], record.coefficients));
    }
    return json;
  }
  json["signals"] = {{"cut", step.cut},
                     {"confidence", step.confidence},
                     {"rate", step.rate},
                     {"eigengap", step.eigengap}};
  if (step.metrics) {
    for (const auto& [name, value] : named(*step.metrics)) {
      json["metrics"][name] = std::get<double>(value);
    }
  }
  return json;
}

void write_points(const PathRecord& record, std::ostream& out) {
  out << "point," << record.parameter << ",support,fit_error,l1_norm,converged\n";
  for (std::size_t p = 0; p < record.points.size(); ++p) {
    for (const PathStep& step : record.steps) {
      const PathPoint& point = step.points[p];
      out << record.points[p] << "," << step.value << "," << point.support << "," << point.fit_error
          << "," << point.l1_norm << "," << point.converged << "\n";
    }
  }
}

void write_clusters(const PathRecord& record, std::ostream& out) {
  out << record.parameter << ",cut,confidence,rate,eigengap,converged";
  if (record.truth) out << ",acc,nmi_arithmetic,ari";
  out << "\n";
  for (const PathStep& step : record.steps) {
    out << step.value << "," << step.cut << "," << step.confidence << "," << step.rate << ","
        << step.eigengap << "," << step.converged;
    if (step.metrics) {
      out << "," << step.metrics->acc << "," << step.metrics->nmi_arithmetic << ","
          << step.metrics->ari;
    }
    out << "\n";
  }
}

}  // namespace

std::string to_json(const PathRecord& record) {
  Json json = {{"schema", "subspace-path-1"}, {"command", "path"},
               {"version", SUBSPACE_VERSION}, {"input", input_json(record.input)},
               {"method", record.method},     {"parameter", record.parameter}};
  json["options"] = json_object(record.options);
  json["seed"] = record.seed;
  json["threads"] = record.threads;
  json["backend"] = record.backend;
  if (!record.source_commit.empty()) json["source_commit"] = record.source_commit;
  if (record.num_clusters > 0) json["num_clusters"] = record.num_clusters;
  if (record.truth) json["truth"] = truth_json(*record.truth);
  if (!record.not_evaluated.empty()) json["not_evaluated"] = record.not_evaluated;
  json["steps"] = Json::array();
  for (const PathStep& step : record.steps) json["steps"].push_back(step_json(record, step));
  json["seconds"] = seconds_json(record.seconds, record.load_seconds);
  json["peak_memory_mb"] = static_cast<double>(record.peak_memory) / 1e6;
  json["warnings"] = record.warnings;
  return json_text(json);
}

std::string to_csv(const PathRecord& record) {
  std::ostringstream out;
  out << std::setprecision(std::numeric_limits<double>::max_digits10);
  if (record.num_clusters == 0) {
    write_points(record, out);
  } else {
    write_clusters(record, out);
  }
  return out.str();
}

}  // namespace subspace::pipelines
