// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <string_view>

namespace subspace::pipelines {

/// Bytes as text of RFC 4648, section 4, with padding.
std::string to_base64(std::string_view bytes);
/// Throws DataError for text that to_base64() does not write.
std::string from_base64(std::string_view text);

}  // namespace subspace::pipelines
