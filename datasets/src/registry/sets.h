// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include "registry/entry.h"

namespace subspace::datasets {

// What we know of public data sets, one function for each. A hash stands there only if it was
// computed from the files themselves with `subspace data info NAME --verify`; see decoded_sha256()
// in verify.cpp for what is hashed.

/// Which pictures of a set that comes in two parts.
enum class Split { kAll, kTrain, kTest };

Entry coil20();
Entry coil100();
Entry yaleb();
Entry orl();
Entry usps();
Entry mnist(Split split);
Entry fashion_mnist(Split split);
Entry cifar10(Split split);
/// CIFAR-100, or CIFAR-20: the same pictures with their 20 coarse labels.
Entry cifar100(Split split, bool coarse);
Entry stl10();
Entry hopkins155();
Entry turntable();
Entry double_spiral_set();
/// Manifolds that lie apart, or, without biases, meet at 0.
Entry manifolds(bool biases);
Entry subspaces();

inline constexpr std::uint64_t kMega = 1'000'000;

std::vector<int> equal_sizes(int classes, int size);
/// Sets the sizes, and from them the numbers of classes and samples.
void set_classes(Entry& entry, std::vector<int> sizes);
/// A .mat of D. Cai's collection: fea (samples x pixels), gnd.
Entry cai(const char* name, const char* title, int side, const char* file, double white);

template <typename T>
T pick(Split split, T all, T train, T test) {
  return split == Split::kAll ? all : split == Split::kTrain ? train : test;
}
inline bool has_train(Split split) { return split != Split::kTest; }
inline bool has_test(Split split) { return split != Split::kTrain; }
/// "mnist", "mnist-train", "mnist-test".
std::string with_split(const std::string& name, Split split);
/// "title, 60000 for training, then 10000 for testing".
std::string split_title(const std::string& title, Split split, const char* test_size,
                        const char* train_size);

}  // namespace subspace::datasets
