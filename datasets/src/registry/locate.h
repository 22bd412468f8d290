// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "registry/entry.h"

namespace subspace::datasets {

/// A layout whose files were all found.
struct Located {
  const Layout* layout = nullptr;
  std::vector<std::filesystem::path> files = {};
};

/// The first layout that lies complete in one of the folders and can give the size asked for. Files
/// of idx, CIFAR and STL-10 may carry .gz, idx files also LeCun's other spelling
/// (images.idx3-ubyte).
std::optional<Located> locate(const Entry& entry, const std::optional<ImageSize>& size,
                              const std::vector<std::filesystem::path>& folders);

}  // namespace subspace::datasets
