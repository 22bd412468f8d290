// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <string>

#include "registry/entry.h"

namespace subspace::datasets {

/// DatasetInfo::item of sets whose item is the seed of their generator.
inline constexpr char kSeedItem[] = "SEED";

/// Throws InvalidArgument unless the text is a whole number of 64 bits. `set` names it in errors.
std::uint64_t parse_seed(const std::string& text, const std::string& set);

/// Points and truth of the seed that the item names, of seed 0 without an item.
Generated generate_set(const Layout& layout, const std::string& shown_as, const std::string& item);

}  // namespace subspace::datasets
