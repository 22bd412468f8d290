// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "exit_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <stdexcept>

#include <subspace/core/error.h>

namespace subspace::app {
namespace {

template <typename Exception>
int code_of(const Exception& exception) {
  try {
    throw exception;
  } catch (...) {
    return report_current_exception();
  }
}

TEST(ExitCode, EveryExceptionHasItsCode) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(code_of(NumericalError("indefinite")), 4);
  EXPECT_EQ(code_of(std::logic_error("broken")), 1);
  EXPECT_EQ(code_of(InvalidArgument("option")), 2);
  EXPECT_EQ(code_of(DataError("data")), 3);
  EXPECT_EQ(code_of(IoError("file")), 3);
  EXPECT_EQ(code_of(ResourceError("memory")), 5);
  EXPECT_EQ(code_of(std::bad_alloc()), 5);
  EXPECT_EQ(code_of(Cancelled()), 130);
  const std::string errors = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 8);
}

TEST(ExitCode, ErrorIsOneLine) {
  ::testing::internal::CaptureStderr();
  code_of(DataError("first\nsecond\r\n"));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "subspace: error: first second\n");
}

}  // namespace
}  // namespace subspace::app
