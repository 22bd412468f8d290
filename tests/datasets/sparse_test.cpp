// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/datasets/sparse.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <subspace/datasets/save.h>
#include <subspace/datasets/load.h>

#include "datasets/files.h"

namespace subspace::datasets {
namespace {

/// [[0, 2.5, 0], [0, 0, -1], [4, 0, 0]] as the file has it, rows being samples.
Matrix file_matrix() {
  Matrix M = Matrix::Zero(3, 3);
  M(0, 1) = 2.5;
  M(1, 2) = -1.0;
  M(2, 0) = 4.0;
  return M;
}

std::string npy(const std::string& descr, const std::string& shape, const std::string& payload) {
  return npy_file("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + "}",
                  payload);
}

std::string ints(const std::vector<std::int32_t>& values) {
  return npy("<i4", "(" + std::to_string(values.size()) + ",)", raw(values));
}

/// What scipy.sparse.save_npz() writes.
struct ScipyFile {
  std::string format = "csr";
  std::vector<std::int32_t> indptr = {0, 1, 2, 3};
  std::vector<std::int32_t> indices = {1, 2, 0};
  std::vector<double> data = {2.5, -1.0, 4.0};
  std::vector<std::int32_t> shape = {3, 3};

  std::string bytes() const {
    return zip_file({{.name = "indices.npy", .content = ints(indices), .deflate = true},
                     {.name = "indptr.npy", .content = ints(indptr), .deflate = true},
                     {.name = "format.npy", .content = npy("|S3", "()", format)},
                     {.name = "shape.npy", .content = ints(shape)},
                     {.name = "data.npy",
                      .content = npy("<f8", "(" + std::to_string(data.size()) + ",)", raw(data))}});
  }
};

class SparseTest : public ::testing::Test {
 protected:
  Matrix load(const std::string& name, const std::string& bytes, bool columns = false) {
    return load_sparse(folder_.write(name, bytes), columns).X;
  }
  template <typename... Parts>
  void expect_refused(const std::string& name, const std::string& bytes, const Parts&... parts) {
    const auto path = folder_.write(name, bytes);
    expect_io_error([&] { load_sparse(path); }, path.string(), parts...);
  }
  TempFolder folder_;
};

constexpr char kBanner[] = "%%MatrixMarket matrix coordinate real general\n";

TEST_F(SparseTest, ReadsMatrixMarket) {
  const std::string body = "% a remark\n\n3 3 3\n1 2 2.5\n 2 3 -1e0 \r\n  % more\n3 1 +4\n";
  EXPECT_EQ(load("m.mtx", kBanner + body), file_matrix().transpose());
  EXPECT_EQ(load("m.mtx", kBanner + body, true), file_matrix());
  EXPECT_TRUE(holds_sparse_matrix(folder_.path("m.mtx")));
}

TEST_F(SparseTest, SymmetricAndPatternAndRepeatedEntries) {
  Matrix expected = Matrix::Zero(2, 2);
  expected << 1, 1, 1, 0;
  EXPECT_EQ(load("p.mtx", "%%MatrixMarket MATRIX coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n"),
            expected);
  EXPECT_EQ(
      load("i.mtx", "%%MatrixMarket matrix coordinate integer general\n1 1 2\n1 1 3\n1 1 4\n"),
      Matrix::Constant(1, 1, 7.0));
}

TEST_F(SparseTest, ReadsWhatScipySaves) {
  const ScipyFile csr;
  EXPECT_EQ(load("a.npz", csr.bytes()), file_matrix().transpose());
  EXPECT_TRUE(holds_sparse_matrix(folder_.path("a.npz")));
  const ScipyFile csc = {.format = "csc", .indices = {2, 0, 1}, .data = {4.0, 2.5, -1.0}};
  EXPECT_EQ(load("b.npz", csc.bytes()), file_matrix().transpose());
  EXPECT_EQ(load("b.npz", csc.bytes(), true), file_matrix());
}

TEST_F(SparseTest, OtherFilesAreNotSparse) {
  save_points(folder_.path("x.npy"), Matrix::Ones(2, 2));
  save_arrays(folder_.path("x.npz"), {{"shape", Matrix::Ones(2, 2)}});
  EXPECT_FALSE(holds_sparse_matrix(folder_.path("x.npy")));
  EXPECT_FALSE(holds_sparse_matrix(folder_.path("x.npz")));
  EXPECT_FALSE(holds_sparse_matrix(folder_.path("absent.npz")));
}

TEST_F(SparseTest, DamagedMatrixMarketIsRefusedWithItsLine) {
  expect_refused("a.mtx", "1 1 1\n", "no %%MatrixMarket banner");
  expect_refused("a.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n", "line 1",
                 "'matrix array', expected matrix coordinate");
  expect_refused("a.mtx", "%%MatrixMarket matrix coordinate complex general\n", "'complex'");
  expect_refused("a.mtx", "%%MatrixMarket matrix coordinate real hermitian\n", "'hermitian'");
  const std::string banner = kBanner;
  expect_refused("a.mtx", banner, "ends before the sizes");
  expect_refused("a.mtx", banner + "2 2 9999999\n", "more than the file can hold");
  expect_refused("a.mtx", banner + "2 2 -1\n", "more than the file can hold");
  expect_refused("a.mtx", banner + "0 2 1\n1 1 1\n", "expected numbers from 1");
  expect_refused("a.mtx", banner + "2.5 2.5 1\n1 1 1\n", "whole numbers");
  expect_refused("a.mtx", banner + "2 3 1\n1 1 1\n", "2 x 3, expected a square matrix");
  expect_refused("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n",
                 "above the diagonal");
  expect_refused("a.mtx", banner + "2 2 2\n1 1 1\n", "line 3", "ends after 1 of 2");
  expect_refused("a.mtx", banner + "2 2 1\n3 1 1\n", "line 3", "row 3", "from 1 to 2");
  expect_refused("a.mtx", banner + "2 2 1\n1 1.5 1\n", "column 1.5");
  expect_refused("a.mtx", banner + "2 2 1\n1 1 x\n", "'x' where a value is expected");
  expect_refused("a.mtx", banner + "2 2 1\n1 1 1 1\n", "more than expected");
  expect_refused("a.mtx", banner + "2 2 1\n1 1 1\n1 1 1\n", "more than 1 entries");
  expect_refused("a.mtx", banner + "2 2 1\n2 2 nan\n", "is nan, expected a finite number");
}

TEST_F(SparseTest, DamagedScipyFilesAreRefused) {
  expect_refused("a.npz", ScipyFile{.format = "dia"}.bytes(), "layout 'dia'");
  expect_refused("a.npz", ScipyFile{.shape = {3}}.bytes(), "shape has 1 numbers");
  expect_refused("a.npz", ScipyFile{.shape = {3, 2}}.bytes(), "3 x 2, expected a square matrix");
  expect_refused("a.npz", ScipyFile{.indices = {1, 3, 0}}.bytes(), "indices[1] is 3",
                 "from 0 to 2");
  expect_refused("a.npz", ScipyFile{.indptr = {1, 1, 2, 3}}.bytes(), "indptr[0] is 1");
  expect_refused("a.npz", ScipyFile{.indptr = {0, 2, 1, 3}}.bytes(), "indptr[2] is 1");
  expect_refused("a.npz", ScipyFile{.indptr = {0, 1, 3}}.bytes(), "indptr has 3 numbers");
  expect_refused("a.npz", ScipyFile{.indptr = {0, 1, 2, 2}}.bytes(), "indptr ends at 2");
  expect_refused("a.npz", ScipyFile{.indptr = {0, 1, 2, 9}}.bytes(), "indptr[3] is 9");
  expect_refused("a.npz", ScipyFile{.indices = {1, -2, 0}}.bytes(), "indices[1] is -2");
}

TEST_F(SparseTest, WhatDoesNotFitIsRefusedBeforehand) {
  const auto path = folder_.write("a.mtx", kBanner + std::string("3 3 1\n1 1 1\n"));
  EXPECT_THROW(load_sparse(path, false, {.max_memory = 10}), ResourceError);
}

TEST_F(SparseTest, SavedArraysAreReadBack) {
  const Matrix A = Matrix::Random(3, 5), B = Matrix::Random(2, 4);
  save_arrays(folder_.path("x.npz"), {{"first", A}, {"second", B}});
  EXPECT_EQ(load_points(folder_.path("x.npz"), {.x = "first"}).X, A);
  EXPECT_EQ(load_points(folder_.path("x.npz"), {.x = "second"}).X, B);
  EXPECT_THROW(save_arrays(folder_.path("x.npy"), {}), InvalidArgument);
}

}  // namespace
}  // namespace subspace::datasets
