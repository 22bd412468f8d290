// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "linalg/growing_factor.h"

#include <algorithm>
#include <cmath>

#include "linalg/kernels.h"

namespace subspace::linalg {

void GrowingFactor::reserve(Index size) {
  if (size <= stride_) return;
  const Index stride = padded(std::max<Index>(64, size + size / 4));
  std::vector<double> larger(static_cast<std::size_t>(stride * stride));
  for (Index i = 0; i < size_; ++i) std::copy_n(row(i), i + 1, larger.data() + i * stride);
  inverse_ = std::move(larger);
  stride_ = stride;
  for (std::vector<double>* scratch : {&padded_, &tried_, &result_}) {
    scratch->assign(static_cast<std::size_t>(stride), 0.0);
  }
}

const double* GrowingFactor::pad(const double* x) {
  std::copy_n(x, size_, padded_.begin());
  std::fill(padded_.begin() + size_, padded_.begin() + padded(size_), 0.0);
  return padded_.data();
}

bool GrowingFactor::try_row(const double* off_diagonal, double diagonal, double threshold) {
  reserve(size_ + 1);
  lower_times(inverse_.data(), stride_, pad(off_diagonal), tried_.data(), size_);
  const double pivot = diagonal - dot(tried_.data(), tried_.data(), size_);
  if (!(pivot > threshold * diagonal)) return false;
  tried_pivot_ = std::sqrt(pivot);
  return true;
}

double GrowingFactor::reduce(const double* y, double value) const {
  return (value - dot(tried_.data(), y, size_)) / tried_pivot_;
}

// (L 0; w' p)^-1 = (M 0; -w'M/p 1/p).
void GrowingFactor::append_tried() {
  lower_transposed_times(inverse_.data(), stride_, tried_.data(), result_.data(), size_);
  double* last = row(size_);
  for (Index j = 0; j < size_; ++j) last[j] = -result_[static_cast<std::size_t>(j)] / tried_pivot_;
  last[size_] = 1.0 / tried_pivot_;
  ++size_;
}

// With row i of K moved to the end, the inverse factor is G M P': column i of M goes last, and
// rotations G of neighbouring rows push its entries down into the last row, which is then dropped
// together with it.
void GrowingFactor::remove(Index position) {
  double carried = row(position)[position];
  for (Index i = position; i + 1 < size_; ++i) {
    double* upper = row(i);
    double* lower = row(i + 1);
    const double entry = lower[position];
    const double length = std::sqrt(carried * carried + entry * entry);
    if (i == position) std::copy_n(upper, position + 1, padded_.begin());
    // padded_ holds the row that travels down. Column `position` takes part and is closed up
    // afterwards.
    std::copy_n(lower, i + 2, result_.begin());
    padded_[static_cast<std::size_t>(i + 1)] = 0.0;
    rotate_rows(carried / length, entry / length, padded_.data(), result_.data(), i + 2);
    std::copy_n(padded_.begin(), position, upper);
    std::copy_n(padded_.begin() + position + 1, i + 1 - position, upper + position);
    std::swap(padded_, result_);
    carried = length;
  }
  --size_;
}

void GrowingFactor::solve_forward(const double* r, double* y) {
  if (size_ == 0) return;
  lower_times(inverse_.data(), stride_, pad(r), y, size_);
}

void GrowingFactor::solve_backward(const double* y, double* x) {
  if (size_ == 0) return;
  lower_transposed_times(inverse_.data(), stride_, y, result_.data(), size_);
  std::copy_n(result_.begin(), size_, x);
}

}  // namespace subspace::linalg
