// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

namespace subspace::app {

/// Keeps the arguments of main() for the two below.
void remember_arguments(int argc, char** argv);

/// The command line as one may type it.
const char* const* arguments();

/// Makes this process fit for training, before any thread is made.
/// - LibTorch's OpenMP threads spin while they wait, which on a busy machine costs the work itself
///   many times over, and libgomp reads its environment before main(). So the program is started
///   once more with passive waiting, unless the user chose a policy.
/// - The layers of a step are some hundred megabytes each. By default they are given back to the
///   system after every step and asked for, page by page, in the next; they are kept instead.
void prepare_training_process();

}  // namespace subspace::app
