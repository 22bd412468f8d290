// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "summary.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>
#include <variant>

#include <subspace/core/error.h>
#include <subspace/pipelines/cluster_job.h>

#include "exit_code.h"
#include "interrupt.h"
#include "log.h"
#include "session.h"

namespace subspace::app {
namespace {

using pipelines::NamedValues;
using pipelines::Record;
using pipelines::RunSettings;

std::string value_text(const ParameterValue& value) {
  std::ostringstream out;
  out.precision(3);
  std::visit([&](const auto& held) { out << held; }, value);
  return out.str();
}

std::string joined(const NamedValues& values) {
  std::string text;
  for (const auto& [name, value] : values)
    text += (text.empty() ? "" : ", ") + name + " " + value_text(value);
  return text;
}

std::string cluster_sizes(const Labels& labels) {
  std::map<int, int> sizes;
  for (const int label : labels) ++sizes[label];
  constexpr std::size_t kShown = 20;
  std::ostringstream out;
  std::size_t shown = 0;
  for (const auto& [label, size] : sizes) {
    if (++shown > kShown) break;
    out << (shown == 1 ? "" : " ") << size;
  }
  if (sizes.size() > kShown) out << " ... (" << sizes.size() << " clusters)";
  return out.str();
}

std::string cluster_count_text(const ClusterCount& count) {
  std::string text =
      message(count.num_clusters, " by the eigengap, clarity ", fixed(count.clarity, 2), " of 1");
  std::vector<ClusterCountCandidate> others;
  for (const ClusterCountCandidate& each : count.candidates) {
    if (each.num_clusters != count.num_clusters) others.push_back(each);
  }
  if (others.empty()) return text;
  const auto next = std::ranges::max_element(others, {}, &ClusterCountCandidate::gap);
  return text + message("; gap ", fixed(count.gap, 4), ", next best ", next->num_clusters, " with ",
                        fixed(next->gap, 4));
}

std::string confidence_text(const Confidence& confidence) {
  std::string text = message(fixed(confidence.mean, 3), " on average");
  if (confidence.of_labels.size() < 2) return text;
  Index least = 0;
  const double value = confidence.of_labels.minCoeff(&least);
  return text + message(", least in cluster ", confidence.labels[static_cast<std::size_t>(least)],
                        " (", fixed(value, 3), ")");
}

std::string coefficients_text(const RepresentationReport& report) {
  return message(fixed(report.sparsity.mean, 1), " a point, ",
                 fixed(100.0 * report.preserving_error.mean, 1),
                 " % of their size on other classes; connectivity of a class ",
                 fixed(report.connectivity.minimum, 3), " at least");
}

std::string dimensions_text(const pipelines::ClusterShapes& clusters) {
  constexpr std::size_t kShown = 20;
  std::string text;
  for (std::size_t k = 0; k < std::min(kShown, clusters.dimensions.size()); ++k) {
    text += message(k == 0 ? "" : " ", clusters.dimensions[k]);
  }
  return text + (clusters.dimensions.size() > kShown ? " ..." : "");
}

std::string seconds_text(const Record& record) {
  const StageSeconds& s = record.outcome.seconds;
  const std::pair<const char*, double> stages[] = {
      {"load", record.load_seconds}, {"features", record.outcome.features_seconds},
      {"preprocess", s.preprocess},  {"self-expression", s.self_expression},
      {"affinity", s.affinity},      {"embedding", s.embedding},
      {"assignment", s.assignment}};
  std::string text = fixed(record.load_seconds + s.total, 3);
  std::string parts;
  for (const auto& [name, seconds] : stages) {
    if (seconds > 0.0)
      parts += (parts.empty() ? "" : ", ") + std::string(name) + " " + fixed(seconds, 3);
  }
  return text + " (" + parts + ")";
}

}  // namespace

std::string fixed(double value, int digits) {
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), "%.*f", digits, value);
  return buffer;
}

std::string counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

int code_of_evaluation(const std::string& not_evaluated) {
  if (not_evaluated.empty()) return kDone;
  log_error(not_evaluated + "; the result is written, without metrics");
  return kBadData;
}

std::string metrics_text(const PartitionMetrics& m) {
  return "ACC " + fixed(m.acc, 4) + "  NMI " + fixed(m.nmi_arithmetic, 4) + "  ARI " +
         fixed(m.ari, 4) + "  AMI " + fixed(m.ami, 4) + "  purity " + fixed(m.purity, 4);
}

std::string summary(const Record& record, const RunSettings& settings) {
  std::ostringstream out;
  out << record.method << " on " << record.input.name << ": " << counted(record.input.n, "point")
      << " in " << counted(record.input.dim, "dimension") << "\n";
  out << "  sizes      " << cluster_sizes(record.outcome.labels) << "\n";
  if (record.outcome.cluster_count) {
    out << "  clusters   " << cluster_count_text(*record.outcome.cluster_count) << "\n";
  }
  if (record.outcome.confidence) {
    out << "  confidence " << confidence_text(*record.outcome.confidence) << "\n";
  }
  if (record.clusters) out << "  dimensions " << dimensions_text(*record.clusters) << "\n";
  if (record.metrics) out << "  metrics    " << metrics_text(*record.metrics) << "\n";
  if (record.coefficients)
    out << "  mixing     " << coefficients_text(*record.coefficients) << "\n";
  out << "  converged  " << (record.outcome.converged ? "yes" : "no") << " ("
      << joined(record.outcome.certificate) << ")\n";
  out << "  seconds    " << seconds_text(record) << "\n";
  out << "  memory     " << fixed(static_cast<double>(record.peak_memory) / 1e6, 0)
      << " MB at the peak\n";
  if (!settings.out.empty()) out << "  labels     " << settings.out << "\n";
  if (!settings.save.empty()) out << "  model      " << settings.save << "\n";
  if (!settings.json.empty()) out << "  record     " << settings.json << "\n";
  return out.str();
}

int hand_over(const Record& record, const RunSettings& settings) {
  ignore_interrupts();
  write_outputs(settings, record);
  if (settings.json == "-") {
    print_result(to_json(record));
  } else if (settings.verbosity != pipelines::Verbosity::kQuiet) {
    print_result(summary(record, settings));
  }
  for (const std::string& warning : record.outcome.warnings) log_warning(warning);
  if (!record.outcome.converged) {
    log_warning("not converged, see the certificate; the result is written all the same");
  }
  const int code = code_of_evaluation(record.not_evaluated);
  return code == kDone && !record.outcome.converged ? kNotConverged : code;
}

}  // namespace subspace::app
