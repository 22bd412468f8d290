// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <unistd.h>

#include <algorithm>
#include <array>

#include <subspace/core/atomic_file.h>
#include <subspace/core/error.h>
#include <subspace/datasets/registry.h>
#include <subspace/datasets/save.h>
#include <subspace/pipelines/cluster_job.h>

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;

bool is_file(const std::string& json) { return !json.empty() && json != "-"; }

void check_writable(const std::string& flag, const fs::path& path) {
  std::error_code ignored;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, ignored)) {
    throw IoError(message(flag, " ", path.string(), ": there is no folder ", folder.string()));
  }
  if (fs::is_directory(path, ignored)) {
    throw IoError(message(flag, " ", path.string(), ": is a folder, must be a file"));
  }
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
    throw IoError(message(flag, " ", path.string(), ": is a device or pipe, must be a file"));
  }
  // The file is replaced by a rename, so it is the folder that must be writable.
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    throw IoError(
        message(flag, " ", path.string(), ": folder ", folder.string(), " is not writable"));
  }
}

/// A folder that is there, or whose nearest ancestor that is there takes new ones.
void check_can_become_folder(const std::string& flag, const fs::path& path) {
  std::error_code ignored;
  fs::path nearest = fs::absolute(path);
  while (!fs::exists(nearest, ignored) && nearest.has_relative_path()) {
    nearest = nearest.parent_path();
  }
  if (!fs::is_directory(nearest, ignored)) {
    throw IoError(message(flag, " ", path.string(), ": ", nearest.string(), " is not a folder"));
  }
  if (access(nearest.c_str(), W_OK | X_OK) != 0) {
    throw IoError(message(flag, " ", path.string(), ": ", nearest.string(), " is not writable"));
  }
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error_a, error_b;
  // Absolute first: a relative name of a file that does not exist yet would stay relative.
  return fs::weakly_canonical(fs::absolute(a), error_a) ==
             fs::weakly_canonical(fs::absolute(b), error_b) &&
         !error_a && !error_b;
}

void check_distinct(const std::string& flag, const std::string& output,
                    const std::string& other_flag, const std::string& other) {
  if (!other.empty() && same_file(output, other)) {
    throw InvalidArgument(
        message(flag, " ", output, ": is also ", other_flag, ", must be another file"));
  }
}

/// A folder of pictures is read whole: nothing is written into it.
void check_not_inside(const std::string& flag, const std::string& output, const fs::path& folder,
                      const std::string& shown_as) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return;
  const fs::path relative = fs::weakly_canonical(fs::absolute(output), ignored)
                                .lexically_relative(fs::weakly_canonical(folder, ignored));
  if (!relative.empty() && *relative.begin() != "..") {
    throw InvalidArgument(
        message(flag, " ", output, ": is inside ", shown_as, ", must be outside of it"));
  }
}

/// Nor over any file that makes up a set, be it read now or not.
void check_not_in_set(const std::string& flag, const std::string& output,
                      const datasets::Dataset& set, const fs::path& file) {
  const std::string shown_as = "a file of " + set.shown_as();
  check_distinct(flag, output, shown_as, file.string());
  check_not_inside(flag, output, file, set.shown_as());
  for (const std::string& other : set.info().files) {
    check_distinct(flag, output, shown_as, (file.parent_path() / other).string());
  }
}

/// The input as given and as found under the data folder, and the truth.
void check_not_read(const std::string& flag, const std::string& output, const RunSettings& settings,
                    const InputNames& names) {
  check_distinct(flag, output, names.input, settings.input);
  if (!settings.input.empty() && !settings.data_dir.empty()) {
    check_distinct(flag, output, names.input,
                   (fs::path(settings.data_dir) / settings.input).string());
  }
  check_distinct(flag, output, names.truth, settings.truth);
  check_distinct(flag, output, "--start", settings.start);
  for (const auto& [option, folder] :
       {std::pair("--save", settings.save), std::pair("--model", settings.model)}) {
    if (folder.empty()) continue;
    for (const char* name : {"model.json", "model.npz"}) {
      check_distinct(flag, output, message("a file of ", option),
                     (fs::path(folder) / name).string());
    }
  }
  if (settings.input.empty()) return;
  if (const auto name = datasets::parse_dataset_name(settings.input)) {
    const datasets::Dataset set(*name, datasets::dataset_folders(settings.data_dir));
    for (const fs::path& file : set.files()) check_not_in_set(flag, output, set, file);
  } else {
    check_not_inside(flag, output, settings.input, names.input);
    check_not_inside(flag, output, fs::path(settings.data_dir) / settings.input, names.input);
  }
}

void check_label_format(const fs::path& path) {
  constexpr std::array<const char*, 3> kFormats = {".npy", ".csv", ".txt"};
  if (std::find(kFormats.begin(), kFormats.end(), path.extension().string()) == kFormats.end()) {
    throw InvalidArgument(message("--out ", path.string(), ": must end in .npy, .csv or .txt"));
  }
}

void check_json_file(const RunSettings& settings, const InputNames& names) {
  if (!is_file(settings.json)) return;
  check_not_read("--json", settings.json, settings, names);
  check_distinct("--json", settings.json, "--out", settings.out);
  check_writable("--json", settings.json);
}

}  // namespace

void check_outputs(const RunSettings& settings, const InputNames& names) {
  if (!settings.save.empty()) {
    check_can_become_folder("--save", settings.save);
    check_not_inside("--save", settings.save, settings.input, names.input);
  }
  if (!settings.out.empty()) {
    check_label_format(settings.out);
    check_not_read("--out", settings.out, settings, names);
    check_writable("--out", settings.out);
  }
  if (!settings.confidence.empty()) {
    if (fs::path(settings.confidence).extension() != ".npy") {
      throw InvalidArgument(message("--confidence ", settings.confidence, ": must end in .npy"));
    }
    check_not_read("--confidence", settings.confidence, settings, names);
    check_distinct("--confidence", settings.confidence, "--out", settings.out);
    check_distinct("--confidence", settings.confidence, "--json", settings.json);
    check_writable("--confidence", settings.confidence);
  }
  check_json_file(settings, names);
}

void check_features_file(const RunSettings& settings) {
  if (settings.out.empty())
    throw InvalidArgument("embed: no --out given, the file of the features");
  if (fs::path(settings.out).extension() != ".npy") {
    throw InvalidArgument(message("--out ", settings.out, ": must end in .npy"));
  }
  check_not_read("--out", settings.out, settings, {});
  check_writable("--out", settings.out);
  check_json_file(settings, {});
}

void write_outputs(const RunSettings& settings, const Record& record) {
  if (!settings.out.empty()) datasets::save_labels(settings.out, record.outcome.labels);
  if (!settings.confidence.empty()) {
    if (!record.outcome.confidence) {
      throw InvalidArgument(message("--confidence ", settings.confidence, ": method ",
                                    record.method, " does not tell how sure it is"));
    }
    datasets::save_points(settings.confidence, record.outcome.confidence->points.transpose());
  }
  if (is_file(settings.json)) write_file_atomically(settings.json, to_json(record));
}

}  // namespace subspace::pipelines
