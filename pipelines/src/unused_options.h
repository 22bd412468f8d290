// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <set>
#include <string>
#include <vector>

#include <subspace/pipelines/catalogue.h>

namespace subspace::pipelines {

/// A warning for each of the options `given` by a user that is not as in `defaults` and that the
/// others leave without effect, such as the width of a Gaussian where the kernel is a polynomial. A
/// file of settings gives every option, and most as they were.
std::vector<std::string> unused_options(const std::vector<MethodOption>& options,
                                        const std::vector<MethodOption>& defaults,
                                        const std::set<std::string>& given);

}  // namespace subspace::pipelines
