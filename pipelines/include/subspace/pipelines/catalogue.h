// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/export.h>
#include <subspace/core/parameters.h>
#include <subspace/core/types.h>
#include <subspace/datasets/image.h>
#include <subspace/pipelines/outcome.h>

namespace subspace::pipelines {

/// What the catalogue says about a method.
struct MethodInfo {
  std::string name = {};
  std::string summary = {};    ///< one sentence
  std::string reference = {};  ///< where it was published
};

/// The methods of this build, simplest first. `features+clusterer` with any name of
/// feature_learners() before the plus is a method as well; a learner alone can learn() only.
SUBSPACE_API std::vector<MethodInfo> methods();
SUBSPACE_API std::vector<std::string> method_names();
/// What can learn features in this build; nothing without LibTorch.
SUBSPACE_API std::vector<MethodInfo> feature_learners();
/// Whether a method, known or not, asks for learned features: `nmce`, `nmce-head` or one with a
/// plus.
SUBSPACE_API bool asks_for_learning(const std::string& method);

/// One option of a method under its full key `stage.name`.
struct MethodOption {
  std::string stage = {};
  Parameter parameter = {};
  std::string key() const { return stage + "." + parameter.name; }
};

/// A key and the text of its value, as in `--set ensc.gamma=50`.
using KeyText = std::pair<std::string, std::string>;

/// A published way from coefficients to labels, for the option `affinity.postprocess`: what setting
/// it sets.
struct Postprocess {
  std::string name = {};
  std::string summary = {};
  std::vector<KeyText> steps = {};  ///< full keys
};
SUBSPACE_API const std::vector<Postprocess>& postprocesses();

/// Points and, where their features are pixels, the shape of a picture.
struct Points {
  ConstMatrixRef X;
  std::optional<datasets::ImageShape> image = {};
  /// Instead of X, for the method `precomputed`: an N x N matrix of which column j belongs to point
  /// j. It must outlive the run.
  const SparseMatrix* sparse = nullptr;
};

/// How a run is carried out beside its Context. Only the seed decides the answer; what is learned
/// also depends, in its last digits, on device and number of threads.
struct Execution {
  std::uint64_t seed = 0;
  std::string device = "auto";  ///< where features are learned: "auto", "cpu", "cuda", "cuda:n"
  /// The folder of the trained network, made when missing. Training there goes on where it stopped.
  /// Empty: a temporary one, which does not stay.
  std::filesystem::path run_folder = {};
  /// Where each of Clusterer::training_keys() is trained, for runs that share some of them. Empty:
  /// all in run_folder.
  std::vector<std::filesystem::path> training_folders = {};
  /// Steps of a method's first training whose network stays beside its checkpoints, and, where it
  /// is the only one, those of them whose features are clustered as well, into Outcome::curve.
  std::vector<int> kept_steps = {};
  std::vector<int> curve = {};
  bool resume = true;              ///< go on with a training in the folder; false: refuse one
  bool trained = false;            ///< the folder holds a finished network, which is used as it is
  bool keep_evidence = false;      ///< fill Outcome::evidence
  bool keep_features = false;      ///< fill Outcome::features
  bool keep_coefficients = false;  ///< fill Outcome::coefficients
  /// Let the affinity say how many clusters there are; the number given is then not used.
  std::optional<ClusterCountOptions> estimate = {};
  /// With `trained`: points to come, which need not be many nor fall into every cluster.
  bool new_points = false;
  Labels start = {};  ///< labels to start from, for methods that improve some; empty: none
};

/// What a run will take, to the order of magnitude, on a quiet machine.
struct Cost {
  double seconds = 0.0;  ///< in all
  /// Of it, the trainings, one for each of Clusterer::training_keys(); runs share equal ones.
  std::vector<double> training_seconds = {};
  double bytes = 0.0;
};

/// What a learner makes of pictures.
struct Features {
  Matrix Z = {};                    ///< p x N
  double seconds = 0.0;             ///< of the training, however often it was interrupted
  std::int64_t memory = 0;          ///< largest resident set of it, bytes
  std::int64_t steps = 0;           ///< of the training
  NamedValues certificate = {};     ///< how training ended
  std::optional<double> loss = {};  ///< of the last training, mean over its last steps
  std::vector<std::string> warnings = {};
};

struct ClusterModel;
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
  /// All options with their present values; those that a named post-processing set speak for it.
  NamedValues values() const;

  /// The option a key means: `stage.name`, or the bare name when only one stage has it. Throws
  /// InvalidArgument that lists the candidates of an ambiguous name, or names the nearest key.
  const MethodOption& find(const std::string& key) const;
  /// Reads `text` into the option; throws InvalidArgument under the full key when it breaks the
  /// rule. `affinity.postprocess` sets the options of its steps, but none that was or will be set
  /// by its own key; `none` gives them back their defaults.
  void set(const std::string& key, const std::string& text);

  /// Whether it learns features first, and so needs pictures and takes long.
  bool learns() const { return !learned_stages().empty(); }
  /// Throws InvalidArgument that names the feature learners unless it learns.
  void require_learner() const;
  /// The stages whose options are those of a training.
  std::vector<std::string> learned_stages() const;
  /// Takes over the options of the network in the folder, for a run with Execution::trained: what
  /// such a run answers does not depend on what they were before. Throws IoError where the folder
  /// holds no network, InvalidArgument where another learner trained it.
  ModelInfo use_model(const std::filesystem::path& folder);
  /// For each training of a run, in their order, everything but data and seed that its network
  /// depends on, as text; none unless it learns.
  std::vector<std::string> training_keys(int num_clusters) const;
  Cost cost(const Points& points, int num_clusters, const Context& context = {}) const;

  /// Clusters the columns of X. Throws as subspace::cluster() does.
  Outcome run(const ConstMatrixRef& X, int num_clusters, std::uint64_t seed = 0,
              const Context& context = {}) const;
  /// The same for points that may be pictures. Throws DataError where a method needs pictures and
  /// has none.
  Outcome run(const Points& points, int num_clusters, const Execution& execution,
              const Context& context = {}) const;
  /// What is needed to give labels to further points, once `labels` are those of `points`: raw
  /// ones, or their features where the method learns. Throws InvalidArgument for a method without a
  /// model of its clusters (has_model() is false).
  bool has_model() const;
  /// Whether the points themselves, not features of them, should lie on linear subspaces.
  bool assumes_linear_subspaces() const;
  ClusterModel fit_model(const ConstMatrixRef& points, const Labels& labels, std::uint64_t seed = 0,
                         const Context& context = {}) const;
  /// The features alone, for a method that learns; see neural/training.h for what training throws.
  Features learn(const Points& points, const Execution& execution,
                 const Context& context = {}) const;

  /// Of options that were set in vain; run() has them among the warnings of its outcome.
  std::vector<std::string> setting_warnings() const;

 private:
  void apply_postprocess();

  MethodInfo info_;
  std::unique_ptr<MethodState> state_;
  std::vector<MethodOption> options_;  ///< bound to *state_
  std::set<std::string> given_;        ///< full keys that were set on their own
};

/// The whole in one call: `run(X, 20, "ensc", {{"gamma", "50"}})`.
SUBSPACE_API Outcome run(const ConstMatrixRef& X, int num_clusters, const std::string& method,
                         const std::vector<KeyText>& settings = {}, std::uint64_t seed = 0,
                         const Context& context = {});

/// The catalogue as JSON: one object a method with its options; all methods when `names` is empty.
SUBSPACE_API std::string catalogue_json(const std::vector<std::string>& names = {});

}  // namespace subspace::pipelines
