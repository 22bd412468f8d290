// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>

namespace subspace::datasets {

// Small good files to damage.

std::string csv_sample();
std::string big_endian_mat();
/// Hopkins 155: two trajectories over three frames.
std::string trajectories();
std::string zip64_npz();
/// Two pictures of 3 x 4.
std::string idx_sample();
/// Two records of CIFAR-10.
std::string cifar_sample();
std::string png_zip();

}  // namespace subspace::datasets
