// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/input.h>

#include <algorithm>

#include <subspace/core/error.h>
#include <subspace/core/parameters.h>
#include <subspace/datasets/sparse.h>

namespace subspace::pipelines {
namespace {

namespace fs = std::filesystem;

fs::path find_file(const std::string& text, const std::string& data_dir) {
  std::error_code ignored;
  if (fs::exists(text, ignored)) return text;
  const bool look_further = !data_dir.empty() && fs::path(text).is_relative();
  if (look_further && fs::exists(fs::path(data_dir) / text, ignored))
    return fs::path(data_dir) / text;
  std::vector<std::string> names;
  for (const datasets::DatasetInfo& info : datasets::registry()) names.push_back(info.name);
  const std::string nearest = nearest_name(text.substr(0, text.find('@')), names);
  throw IoError(message(text, ": no such file",
                        look_further ? ", nor under " + data_dir : std::string(),
                        ", nor a data set of `subspace data list`",
                        nearest.empty() ? std::string() : "; did you mean " + nearest + "?"));
}

std::variant<fs::path, datasets::Dataset> find(
    const std::string& text, const std::string& data_dir,
    const std::optional<datasets::ImageSize>& image_size) {
  if (auto name = datasets::parse_dataset_name(text)) {
    if (image_size) name->size = image_size;
    return datasets::Dataset(*name, datasets::dataset_folders(data_dir));
  }
  return find_file(text, data_dir);
}

bool has_several_arrays(const fs::path& path) {
  const auto variables = datasets::list_variables(path);
  return std::ranges::count_if(variables, &datasets::Variable::numeric) > 1;
}

}  // namespace

Input::Input(const std::string& text, const std::string& data_dir,
             const std::optional<datasets::ImageSize>& image_size)
    : source_(find(text, data_dir, image_size)) {}

std::vector<fs::path> Input::files() const {
  if (const auto* set = std::get_if<datasets::Dataset>(&source_)) return set->files();
  return {std::get<fs::path>(source_)};
}

datasets::PointSet Input::load_points(const datasets::LoadOptions& options,
                                      const Context& context) const {
  if (const auto* set = std::get_if<datasets::Dataset>(&source_)) {
    if (!options.x.empty() || options.columns_are_samples) {
      throw InvalidArgument(message(options.x.empty() ? "--columns-are-samples" : "--x", ": ",
                                    source(), " knows its layout; leave it out"));
    }
    return set->load_points(options, context);
  }
  return datasets::load_points(std::get<fs::path>(source_), options, context);
}

bool Input::may_carry_labels(Index dimension) const {
  const auto* path = std::get_if<fs::path>(&source_);
  if (path == nullptr) return true;
  if (datasets::holds_sparse_matrix(*path)) return false;
  switch (datasets::carries_labels(*path)) {
    case datasets::Carries::kNever:
      return false;
    case datasets::Carries::kAsColumn:
      return dimension > 1;
    case datasets::Carries::kAsArray:
      return has_several_arrays(*path);
    default:
      return true;
  }
}

bool Input::must_carry_labels() const {
  const auto* path = std::get_if<fs::path>(&source_);
  if (path == nullptr) return true;
  std::error_code ignored;
  const bool pictures = fs::is_directory(*path, ignored) || path->extension() == ".zip";
  return datasets::carries_labels(*path) == datasets::Carries::kInside && !pictures;
}

std::string Input::source() const {
  if (const auto* set = std::get_if<datasets::Dataset>(&source_)) return set->shown_as();
  return std::get<fs::path>(source_).filename().string();
}

std::string Input::label_name(const datasets::LoadOptions& options) const {
  if (const auto* path = std::get_if<fs::path>(&source_)) {
    return datasets::label_name(*path, options);
  }
  if (!options.y.empty()) {
    throw InvalidArgument(
        message("--y ", options.y, ": ", source(), " knows its labels; leave it out"));
  }
  return {};
}

Labels Input::load_labels(const datasets::LoadOptions& options, const Context& context) const {
  if (const auto* set = std::get_if<datasets::Dataset>(&source_)) return set->load_labels(context);
  return datasets::load_labels(std::get<fs::path>(source_), options, context);
}

}  // namespace subspace::pipelines
