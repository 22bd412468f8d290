// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <iostream>

#include <subspace/neural/runtime.h>

int main() {
  subspace::neural::set_num_threads(1);
  std::cout << "LibTorch " << subspace::neural::torch_version() << " on "
            << subspace::neural::resolve_device("cpu").name << '\n';
  return subspace::neural::num_threads() == 1 ? 0 : 1;
}
