// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <subspace/core/export.h>
#include <subspace/datasets/load.h>
#include <subspace/pipelines/catalogue.h>

namespace subspace::pipelines {

enum class ProgressMode { kAuto, kNever, kJson };
enum class Verbosity { kQuiet, kNormal, kVerbose };

/// One option of the method as it was given, kept as text until the method is known.
struct MethodSetting {
  std::string key = {};  ///< as written: full or bare, or SUBSPACE_SET_... of the environment
  std::string text = {};
  bool from_environment = false;
};

/// Everything a run may be told, whoever tells it: defaults < TOML file < SUBSPACE_* < flags.
struct RunSettings {
  std::string input = {};
  std::optional<int> clusters = {};
  bool estimate_clusters = false;  ///< "auto": the data say how many
  int max_clusters = 20;           ///< largest number that "auto" tries
  std::string method = "ensc";
  std::vector<MethodSetting> set = {};  ///< in order of increasing precedence
  std::string truth = {};
  std::string x = {};
  std::string y = {};
  bool columns_are_samples = false;
  std::optional<datasets::ImageSize> image_size = {};
  bool color = false;
  std::string data_dir = {};
  std::string device = "auto";  ///< where features are learned
  std::string save = {};        ///< folder that keeps the network a method trains
  std::string model = {};       ///< folder of a network to use instead of training
  std::string start = {};       ///< file of labels to start from
  std::string confidence = {};  ///< file for the confidence in each label
  std::string out = {};
  std::string json = {};  ///< "-": standard output; empty: none
  std::uint64_t seed = 0;
  int threads = 0;
  std::int64_t max_memory = 0;
  ProgressMode progress = ProgressMode::kAuto;
  Verbosity verbosity = Verbosity::kNormal;
};

/// How a configuration file writes a value.
enum class SettingKind { kText, kNumber, kSwitch };

/// One field of RunSettings: `max_memory` in a file, SUBSPACE_MAX_MEMORY, `--max-memory`.
struct SUBSPACE_API Setting {
  std::string name = {};
  std::string value_name = {};  ///< what stands for the value in help: N, FILE, SIZE
  std::string help = {};
  SettingKind kind = SettingKind::kText;
  std::vector<std::string> choices = {};  ///< legal words; empty: free
  std::function<std::string()> get = {};  ///< text that set() reads back; empty: not given
  /// Throws InvalidArgument "shown_as = text, rule".
  std::function<void(const std::string& text, const std::string& shown_as)> set = {};

  std::string flag() const;      ///< "--max-memory"
  std::string variable() const;  ///< "SUBSPACE_MAX_MEMORY"
};

/// All fields but `set`, bound to `settings`, which must outlive the result.
SUBSPACE_API std::vector<Setting> describe(RunSettings& settings);

/// Reads a TOML file: the names above at the top, options of the method under [set], for instance
/// `set.ensc.gamma = 50`. Throws IoError when it cannot be read, InvalidArgument with file and key
/// when it is malformed or a key is unknown.
SUBSPACE_API void apply_toml_file(RunSettings& settings, const std::filesystem::path& path);
SUBSPACE_API void apply_toml(RunSettings& settings, const std::string& content,
                             const std::string& shown_as);

/// Reads SUBSPACE_<NAME> and SUBSPACE_SET_<STAGE>_<NAME>; other variables are left alone.
SUBSPACE_API void apply_environment(RunSettings& settings, const std::vector<KeyText>& environment);
/// The environment of this process.
SUBSPACE_API std::vector<KeyText> process_environment();

/// The method with all its options set. Throws InvalidArgument.
SUBSPACE_API Clusterer make_clusterer(const RunSettings& settings);

/// The settings with every option of the method, as TOML that apply_toml() reads back to the same.
SUBSPACE_API std::string to_toml(const RunSettings& settings);

/// "90s", "30m", "2h", "1.5h": seconds, more than 0. Throws InvalidArgument.
SUBSPACE_API double parse_duration(const std::string& text, const std::string& shown_as);

/// "4G", "512M", "1.5k", "1e9": bytes, decimal units; "2Gi" binary. Throws InvalidArgument.
SUBSPACE_API std::int64_t parse_bytes(const std::string& text, const std::string& shown_as);

}  // namespace subspace::pipelines
