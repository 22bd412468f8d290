// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <subspace/core/context.h>
#include <subspace/core/types.h>
#include <subspace/datasets/load.h>

#include "io/byte_stream.h"
#include "arrays/element_type.h"

namespace subspace::datasets {

/// An array as its header declares it.
struct ArrayHeader {
  Variable variable = {};
  ElementType type = {};
  bool first_index_fastest = false;  ///< order of the numbers in the file (Fortran, MATLAB)
  bool flatten_first_fastest =
      false;  ///< MATLAB's order of the features of one sample; NumPy's if false
};

/// An array whose header was checked and whose numbers come next in `payload`.
struct OpenArray {
  ArrayHeader header = {};
  std::unique_ptr<ByteStream> payload = {};
  std::uint64_t trailing_bytes = 0;  ///< padding behind the numbers that belongs to the array
  std::optional<std::uint64_t> compressed_bytes = {};  ///< size in the file, where it is compressed
};

/// Number of elements, or nothing if it does not fit 63 bits.
std::optional<std::uint64_t> num_elements(const std::vector<std::int64_t>& shape);

/// Number of bytes of the payload, or nothing if it does not fit 63 bits.
std::optional<std::uint64_t> num_bytes(const std::vector<std::int64_t>& shape,
                                       const ElementType& type);

/// Reads the whole array as D x N. Throws IoError, or ResourceError before it allocates.
Matrix decode_points(OpenArray& array, bool columns_are_samples, const Context& context);

/// Reads the numbers of a vector.
std::vector<double> decode_sequence(OpenArray& array, const Context& context);

/// Throws ResourceError if so many doubles, and what it takes to read them, do not fit into what
/// the context allows.
void check_points_fit(const std::string& origin, std::uint64_t count, const Context& context,
                      std::uint64_t working_bytes = 0);

}  // namespace subspace::datasets
