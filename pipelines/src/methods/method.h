// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <subspace/pipelines/catalogue.h>

namespace subspace::pipelines {

/// The options of one method and how to run it. Never copied: its options are bound by reference.
struct MethodState {
  MethodState() = default;
  MethodState(const MethodState&) = delete;
  MethodState& operator=(const MethodState&) = delete;
  virtual ~MethodState() = default;

  /// Options of every stage, bound to this object.
  virtual std::vector<MethodOption> options() = 0;
  virtual Outcome run(const ConstMatrixRef& X, int num_clusters, std::uint64_t seed,
                      const Context& context) const = 0;
};

/// A row of the catalogue.
struct MethodDefinition {
  MethodInfo info = {};
  std::unique_ptr<MethodState> (*make)() = nullptr;
};

/// Appends the parameters of one stage.
inline void append_stage(std::vector<MethodOption>& options, const std::string& stage,
                         const Parameters& parameters) {
  for (const Parameter& parameter : parameters) options.push_back({stage, parameter});
}

}  // namespace subspace::pipelines
