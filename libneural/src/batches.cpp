// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "batches.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <subspace/core/random.h>

namespace subspace::neural {

std::vector<Index> images_of_step(Index num_images, int batch, std::uint64_t seed,
                                  std::int64_t step, WholeSetOrder order) {
  std::vector<Index> numbers(static_cast<std::size_t>(num_images));
  std::iota(numbers.begin(), numbers.end(), 0);
  const std::int64_t size = batch == 0 ? num_images : std::min<Index>(batch, num_images);
  if (size == num_images && order == WholeSetOrder::kAsGiven) return numbers;
  // An epoch is as many whole batches as there are; what is left over changes with its permutation.
  const std::int64_t batches = num_images / size;
  RandomStream random = stream(seed, Stream::kBatches, static_cast<std::uint32_t>(step / batches));
  for (std::size_t i = numbers.size() - 1; i > 0; --i) {
    std::swap(numbers[i], numbers[random.below(i + 1)]);
  }
  const auto begin = numbers.begin() + (step % batches) * size;
  return {begin, begin + size};
}

}  // namespace subspace::neural
