// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "registry/sequences.h"

#include <algorithm>
#include <map>

#include <subspace/core/parameters.h>
#include <subspace/datasets/sha256.h>

#include "arrays/load_arrays.h"
#include "images/arrange.h"
#include "io/text.h"
#include "labels.h"

namespace subspace::datasets {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestSequence = std::uint64_t{64} << 20;

/// "1R2RC" of ".../1R2RC/1R2RC_truth.mat", else "".
std::string sequence_of(const std::string& file) {
  constexpr std::string_view kEnd = "_truth.mat";
  const fs::path path(file);
  const std::string name = path.filename().string();
  if (!name.ends_with(kEnd)) return {};
  const std::string sequence = name.substr(0, name.size() - kEnd.size());
  return path.parent_path().filename() == sequence ? sequence : std::string();
}

}  // namespace

Sequences::Sequences(const fs::path& path) : shown_as_(path.string()) {
  std::error_code ignored;
  files_ = fs::is_directory(path, ignored) ? open_folder(path) : open_zip(path);
  std::map<std::string, std::size_t> found;
  for (std::size_t i = 0; i < files_->names().size(); ++i) {
    const std::string sequence = sequence_of(files_->names()[i]);
    if (!sequence.empty()) found.emplace(sequence, i);
  }
  if (found.empty()) throw_io_error(shown_as_, ": no SEQUENCE/SEQUENCE_truth.mat in it");
  for (const auto& [name, position] : found) names_.push_back(name);
  std::ranges::sort(names_, natural_less);
  for (const std::string& name : names_) positions_.push_back(found.at(name));
}

MappedFile Sequences::open(const std::string& name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) {
    const std::string nearest = nearest_name(name, names_);
    throw_io_error(shown_as_, ": ",
                   name.empty() ? "which sequence?" : "no sequence '" + printable(name) + "'",
                   nearest.empty() ? "" : "; did you mean '" + nearest + "'?", "; the set has ",
                   names_.size(), ", such as ", names_.front());
  }
  const std::size_t position = positions_[static_cast<std::size_t>(found - names_.begin())];
  return MappedFile(files_->origin(position), files_->read(position, kLargestSequence));
}

PointSet Sequences::load_points(const std::string& name, const Context& context) const {
  const MappedFile file = open(name);
  PointSet set = load_array_points(file, Format::kMat, {}, context);
  set.notes.clear();  // being trajectories is what the set is about
  set.sha256 = sha256(file.bytes());
  return set;
}

Labels Sequences::load_labels(const std::string& name, const Context& context) const {
  const MappedFile file = open(name);
  return to_labels(file.name(), load_array_labels(file, Format::kMat, {.y = "s"}, context));
}

}  // namespace subspace::datasets
