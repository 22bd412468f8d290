// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include <subspace/core/types.h>
#include <subspace/neural/training.h>

/// A run that takes milliseconds a step.
namespace subspace::neural::testing {

/// Removed with its content at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "subspace-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = pattern;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline constexpr ImageShape kSmallShape = {.channels = 1, .height = 12, .width = 10};

/// Stripes of three directions, eight phases each.
inline Matrix small_images() {
  Matrix X(kSmallShape.num_pixels(), 24);
  for (Index j = 0; j < X.cols(); ++j) {
    for (Index i = 0; i < X.rows(); ++i) {
      const double x = static_cast<double>(i % kSmallShape.width);
      const double y = static_cast<double>(i / kSmallShape.width);
      const double angle = static_cast<double>(j % 3);
      const double phase = 0.7 * static_cast<double>(j / 3);
      X(i, j) = 0.5 + 0.5 * std::sin(std::cos(angle) * x + std::sin(angle) * y + phase);
    }
  }
  return X;
}

inline TrainingOptions small_options(int steps = 6) {
  TrainingOptions options;
  options.network = {.backbone = Backbone::kResnet10, .filters = 2, .hidden = 8, .features = 4};
  options.steps = steps;
  options.objective.distortion = 0.1;
  return options;
}

inline std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  return content.str();
}

inline void write_bytes(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

inline TrainingResult small_train(const std::filesystem::path& folder,
                                  const TrainingOptions& options = small_options(), bool resume = false,
                                  const Context& context = {.num_threads = 1}) {
  const TrainingRun run = {
      .folder = folder, .seed = 3, .device = "cpu", .resume = resume, .checkpoint_every = 2};
  return train(small_images(), kSmallShape, options, run, context);
}

}  // namespace subspace::neural::testing
