// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <subspace/core/types.h>

namespace subspace::datasets {

/// The pictures among some files, in the order of the set, and what their names say of them.
struct Arrangement {
  enum class Kind {
    kTurntable,     ///< objK__V.png: object K, view V; by number, for as text obj10 precedes obj2
    kClassFolders,  ///< one folder a class; train/a and test/a are both class a
    kFlat           ///< no classes in the names
  };
  Kind kind = Kind::kFlat;
  std::vector<std::size_t> order = {};        ///< positions among the names given
  Labels labels = {};                         ///< object K, or the number of the class folder
  std::vector<std::string> class_names = {};  ///< of class folders
  bool is_doubtful = false;   ///< pictures beside class folders, or classes of several folders
  std::string repeated = {};  ///< a view that occurs twice, which cannot be
  std::size_t left_out = 0;   ///< files that are no pictures
};

/// Hidden files and folders, and those of __MACOSX, are passed over without counting.
Arrangement arrange(const std::vector<std::string>& names);

/// Order in which numbers inside a text count as numbers: a2 before a10.
bool natural_less(const std::string& a, const std::string& b);

}  // namespace subspace::datasets
