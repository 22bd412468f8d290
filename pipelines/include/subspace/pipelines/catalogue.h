// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>
#include <subspace/pipelines/outcome.h>

namespace subspace::pipelines {

/// What the catalogue says about a method.
struct MethodInfo {
  std::string name = {};
  std::string summary = {};    ///< one sentence
  std::string reference = {};  ///< where it was published
};

/// The methods of this build, simplest first.
SUBSPACE_API std::vector<MethodInfo> methods();
SUBSPACE_API std::vector<std::string> method_names();

/// One option of a method under its full key `stage.name`.
struct MethodOption {
  std::string stage = {};
  Parameter parameter = {};
  std::string key() const { return stage + "." + parameter.name; }
};

/// A key and the text of its value, as in `--set ensc.gamma=50`.
using KeyText = std::pair<std::string, std::string>;

struct MethodState;

/// A method of the catalogue together with options of its own, at their defaults at first.
class SUBSPACE_API Clusterer {
 public:
  /// Throws InvalidArgument with the nearest known name when there is no such method.
  explicit Clusterer(const std::string& method);
  Clusterer(Clusterer&&) noexcept;
  Clusterer& operator=(Clusterer&&) noexcept;
  ~Clusterer();

  const MethodInfo& info() const { return info_; }
  /// The stages that have options, in the order of the data's way.
  std::vector<std::string> stages() const;
  /// All options, stage by stage.
  const std::vector<MethodOption>& options() const { return options_; }
  /// All options with their present values.
  NamedValues values() const;

  /// The option a key means: `stage.name`, or the bare name when only one stage has it. Throws
  /// InvalidArgument that lists the candidates of an ambiguous name, or names the nearest key.
  const MethodOption& find(const std::string& key) const;
  /// Reads `text` into the option; throws InvalidArgument under the full key when it breaks the
  /// rule.
  void set(const std::string& key, const std::string& text);

  /// Clusters the columns of X. Throws as subspace::cluster() does.
  Outcome run(const ConstMatrixRef& X, int num_clusters, std::uint64_t seed = 0,
              const Context& context = {}) const;

 private:
  MethodInfo info_;
  std::unique_ptr<MethodState> state_;
  std::vector<MethodOption> options_;  ///< bound to *state_
};

/// The whole in one call: `run(X, 20, "ensc", {{"gamma", "50"}})`.
SUBSPACE_API Outcome run(const ConstMatrixRef& X, int num_clusters, const std::string& method,
                         const std::vector<KeyText>& settings = {}, std::uint64_t seed = 0,
                         const Context& context = {});

/// The catalogue as JSON: one object a method with its options; all methods when `names` is empty.
SUBSPACE_API std::string catalogue_json(const std::vector<std::string>& names = {});

}  // namespace subspace::pipelines
