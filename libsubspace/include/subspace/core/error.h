// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

#include <subspace/core/export.h>

namespace subspace {

/// Base of everything the suite throws. A message reads "function: value, rule".
class SUBSPACE_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An option, name or combination of them that no data could make right (exit code 2).
class SUBSPACE_API InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// Data that cannot be worked on: NaN, wrong shape, fewer points than clusters (exit code 3).
class SUBSPACE_API DataError : public Error {
 public:
  using Error::Error;
};

/// A file that is missing, malformed or cannot be written (exit code 3).
class SUBSPACE_API IoError : public DataError {
 public:
  using DataError::DataError;
};

/// A computation broke down: indefinite factor, non-finite iterate (exit code 4).
class SUBSPACE_API NumericalError : public Error {
 public:
  using Error::Error;
};

/// The work would exceed the memory allowed (exit code 5).
class SUBSPACE_API ResourceError : public Error {
 public:
  using Error::Error;
};

/// The user asked to stop (exit code 130).
class SUBSPACE_API Cancelled : public Error {
 public:
  Cancelled() : Error("interrupted") {}
};

/// Joins its arguments into one message: message("cluster: ", n, " points").
template <typename... Parts>
std::string message(const Parts&... parts) {
  std::ostringstream out;
  out.precision(10);
  (out << ... << parts);
  return out.str();
}

}  // namespace subspace
