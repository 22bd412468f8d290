// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <subspace/core/error.h>

namespace subspace::pipelines {

TemporaryFolder::TemporaryFolder(const std::string& prefix) {
  std::string pattern = (std::filesystem::temp_directory_path() / (prefix + ".XXXXXX")).string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw IoError(
        message("cannot make a folder ", pattern, ": ", std::generic_category().message(errno)));
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace subspace::pipelines
