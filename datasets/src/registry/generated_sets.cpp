// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "registry/generated_sets.h"

#include <charconv>
#include <limits>

#include <subspace/core/error.h>

#include "io/text.h"
#include "registry/sets.h"

namespace subspace::datasets {
namespace {

constexpr char kTwoHalvesLabels[] =
    "9b14fb4acd242fe4544dfa9de9f59e332def477022414c48737d8734155de438";
constexpr char kSubspacesLabels[] =
    "c0ef0cefb238a64380691f73a1e5822bab0b12d629823251ec023442d87d64b2";

/// Two of these are a batch of the NMCE paper's experiments.
constexpr int kHalfBatch = 2048;

Generated draw_double_spiral(std::uint64_t seed) {
  return double_spiral({.points_per_arm = kHalfBatch, .seed = seed});
}

template <bool biases>
Generated draw_manifolds(std::uint64_t seed) {
  return manifold_mixture({.biases = biases, .points_per_manifold = kHalfBatch, .seed = seed});
}

Generated draw_subspaces(std::uint64_t seed) { return union_of_subspaces({.seed = seed}); }

/// Has no hash of values: they come from exp, log, sin and cos of the machine's own library and
/// from sums that may be fused, so last bits differ between machines. Labels do not.
Entry generated_set(const char* name, const char* title, Index dimension, std::vector<int> sizes,
                    Generated (*generate)(std::uint64_t seed), const char* labels_sha256) {
  Entry entry;
  entry.info = {.name = name,
                .title = title,
                .dimension = dimension,
                .values = "real numbers",
                .origin = "drawn by this program from the seed, 0 unless said",
                .terms = "free to use, under the licence of this program",
                .traps = {"points come grouped by class"},
                .item = kSeedItem};
  entry.folder = name;
  set_classes(entry, std::move(sizes));
  entry.layouts = {
      {.kind = Layout::Kind::kGenerated, .generate = generate, .labels_sha256 = labels_sha256}};
  return entry;
}

}  // namespace

Entry double_spiral_set() {
  Entry entry = generated_set("double-spiral", "two spirals in the plane, noise 0.05", 2,
                              equal_sizes(2, kHalfBatch), draw_double_spiral, kTwoHalvesLabels);
  entry.info.traps.insert(
      entry.info.traps.end(),
      {"scaled to unit length both arms lie on one circle: use preprocess.normalization=none",
       "a graph of 5 neighbours falls into dozens of pieces: spectral needs graph.neighbors=15",
       "the toy of the NMCE paper draws new points for each batch; this is a finite set"});
  return entry;
}

Entry manifolds(bool biases) {
  const int ambient = ManifoldMixtureOptions().ambient;
  Entry entry =
      biases ? generated_set("manifolds", "manifolds of dimension 3 and 6 that lie apart", ambient,
                             equal_sizes(2, kHalfBatch), draw_manifolds<true>, kTwoHalvesLabels)
             : generated_set("manifolds-unbiased", "manifolds of dimension 3 and 6 that meet at 0",
                             ambient, equal_sizes(2, kHalfBatch), draw_manifolds<false>,
                             kTwoHalvesLabels);
  entry.info.traps.push_back(
      "the NMCE paper leaves width, depth and scale of the networks open: they are ours");
  return entry;
}

Entry subspaces() {
  const UnionOfSubspacesOptions defaults;
  return generated_set("subspaces", "5 independent subspaces of dimension 6, without noise",
                       defaults.ambient,
                       equal_sizes(defaults.num_subspaces, defaults.points_per_subspace),
                       draw_subspaces, kSubspacesLabels);
}

std::uint64_t parse_seed(const std::string& text, const std::string& set) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, seed);
  if (error != std::errc() || at != end) {
    throw InvalidArgument(message("seed of ", set, " = '", printable(text),
                                  "', must be a whole number of 0 to ",
                                  std::numeric_limits<std::uint64_t>::max(),
                                  "; a file in a folder of that name is ./", set, "/FILE"));
  }
  return seed;
}

Generated generate_set(const Layout& layout, const std::string& shown_as, const std::string& item) {
  return layout.generate(item.empty() ? 0 : parse_seed(item, shown_as));
}

}  // namespace subspace::datasets
