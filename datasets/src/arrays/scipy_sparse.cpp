// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <cmath>
#include <string_view>

#include "arrays/npz.h"
#include "arrays/sparse.h"
#include "io/text.h"
#include "io/zip.h"

namespace subspace::datasets {
namespace {

std::vector<double> read_numbers(const MappedFile& file, const char* name, const Context& context) {
  OpenArray array = open_npz(file, name);
  if (!array.header.variable.numeric) {
    throw_io_error(file.name(), ": array ", name, " is ", array.header.variable.type,
                   ", expected numbers");
  }
  return decode_sequence(array, context);
}

/// The word csr, csc or coo: a string of three bytes, which are the last of its member.
std::string read_layout(const MappedFile& file) {
  constexpr std::uint64_t kMost = 4096;
  const ZipReader zip(file);
  const std::vector<std::byte> bytes = zip.read(zip.find("format.npy"), kMost);
  std::string word;
  for (const std::byte each : bytes) {
    if (each != std::byte{0}) word += static_cast<char>(each);
  }
  word = word.size() < 3 ? word : word.substr(word.size() - 3);
  if (word != "csr" && word != "csc" && word != "coo") {
    throw_io_error(file.name(), ": a sparse matrix in the layout '", printable(word),
                   "', expected csr, csc or coo");
  }
  return word;
}

/// A whole number below `limit`.
int index_at(const MappedFile& file, const char* name, const std::vector<double>& values,
             std::size_t i, double limit) {
  if (values[i] >= 0.0 && values[i] < limit && values[i] == std::floor(values[i])) {
    return static_cast<int>(values[i]);
  }
  throw_io_error(file.name(), ": ", name, "[", i, "] is ", values[i],
                 ", expected a whole number from 0 to ", limit - 1.0);
}

void require_size(const MappedFile& file, const char* name, const std::vector<double>& values,
                  std::size_t wanted) {
  if (values.size() == wanted) return;
  throw_io_error(file.name(), ": array ", name, " has ", values.size(), " numbers, expected ",
                 wanted);
}

void read_coordinates(const MappedFile& file, const std::vector<double>& values, bool,
                      const Context& context, SparseEntries& read) {
  const std::vector<double> row = read_numbers(file, "row", context);
  const std::vector<double> column = read_numbers(file, "col", context);
  require_size(file, "row", row, values.size());
  require_size(file, "col", column, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    read.entries.emplace_back(index_at(file, "row", row, i, static_cast<double>(read.rows)),
                              index_at(file, "col", column, i, static_cast<double>(read.columns)),
                              values[i]);
  }
}

void read_compressed(const MappedFile& file, const std::vector<double>& values, bool by_rows,
                     const Context& context, SparseEntries& read) {
  const std::vector<double> start = read_numbers(file, "indptr", context);
  const std::vector<double> index = read_numbers(file, "indices", context);
  const Index outer = by_rows ? read.rows : read.columns;
  const auto inner = static_cast<double>(by_rows ? read.columns : read.rows);
  require_size(file, "indices", index, values.size());
  require_size(file, "indptr", start, static_cast<std::size_t>(outer) + 1);
  std::size_t next = 0;
  if (start[0] != 0.0) throw_io_error(file.name(), ": indptr[0] is ", start[0], ", expected 0");
  for (int o = 0; o < static_cast<int>(outer); ++o) {
    const auto end = static_cast<std::size_t>(index_at(file, "indptr", start, std::size_t(o) + 1,
                                                       static_cast<double>(values.size()) + 1.0));
    if (end < next) {
      throw_io_error(file.name(), ": indptr[", o + 1, "] is ", end, ", expected at least ", next);
    }
    for (; next < end; ++next) {
      const int i = index_at(file, "indices", index, next, inner);
      read.entries.emplace_back(by_rows ? o : i, by_rows ? i : o, values[next]);
    }
  }
  if (next != values.size()) {
    throw_io_error(file.name(), ": indptr ends at ", next, ", expected ", values.size());
  }
}

}  // namespace

SparseEntries read_scipy_sparse(const MappedFile& file, const Context& context) {
  const std::vector<double> shape = read_numbers(file, "shape", context);
  require_size(file, "shape", shape, 2);
  for (const double size : shape) {
    if (size != std::floor(size)) {
      throw_io_error(file.name(), ": a size of ", size, ", expected whole numbers");
    }
  }
  const std::vector<double> values = read_numbers(file, "data", context);
  check_sparse_size(file, shape[0], shape[1], static_cast<double>(values.size()), context);
  SparseEntries read = {.rows = static_cast<Index>(shape[0]),
                        .columns = static_cast<Index>(shape[1])};
  read.entries.reserve(values.size());
  const std::string layout = read_layout(file);
  (layout == "coo" ? read_coordinates : read_compressed)(file, values, layout == "csr", context,
                                                         read);
  return read;
}

}  // namespace subspace::datasets
