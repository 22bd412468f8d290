// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace subspace::testing {

/// Runs `action`, which must throw an Exception, and returns its message.
template <typename Exception, typename Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Exception& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace subspace::testing
