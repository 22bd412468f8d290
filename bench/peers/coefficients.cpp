// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
//
// What compare.py cannot ask of the program: coefficients, and paths.
//   peer_coefficients omp X.npy THREADS OUT.npy NONZEROS
//   peer_coefficients path X.npy THREADS OUT.npy TAU FIRST LAST COUNT POINT...
// Writes the coefficients, a row of OUT for each point, or each point and gamma, gammas first;
// prints the seconds of the solve alone and the largest residual of its certificates.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <subspace/core/error.h>
#include <subspace/datasets/load.h>
#include <subspace/datasets/save.h>
#include <subspace/self_expression/elastic_net_path.h>
#include <subspace/self_expression/omp.h>

namespace {

using Arguments = std::vector<std::string>;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void print_result(double seconds, double residual) {
  std::printf("{\"seconds\": %.6f, \"residual\": %.3g}\n", seconds, residual);
}

void run_omp(const subspace::Matrix& X, const subspace::Context& context, const Arguments& rest) {
  const subspace::OmpOptions options{.max_nonzeros = std::stoi(rest.at(4))};
  const auto start = std::chrono::steady_clock::now();
  const subspace::SelfExpression result = subspace::omp(X, options, context);
  print_result(seconds_since(start), subspace::max_residual(result.solves));
  subspace::datasets::save_points(rest.at(3), subspace::Matrix(result.coefficients));
}

std::vector<double> geometric(double first, double last, int count) {
  std::vector<double> gammas;
  for (int k = 0; k < count; ++k)
    gammas.push_back(first * std::pow(last / first, k / (count - 1.0)));
  return gammas;
}

void run_path(const subspace::Matrix& X, const subspace::Context& context, const Arguments& rest) {
  subspace::ElasticNetPathOptions options{.tau = std::stod(rest.at(4))};
  options.gammas = geometric(std::stod(rest.at(5)), std::stod(rest.at(6)), std::stoi(rest.at(7)));
  for (std::size_t k = 8; k < rest.size(); ++k) options.points.push_back(std::stol(rest[k]));
  const auto start = std::chrono::steady_clock::now();
  const subspace::ElasticNetPath path = subspace::elastic_net_path(X, options, context);
  const double seconds = seconds_since(start);
  const auto steps = static_cast<subspace::Index>(path.gammas().size());
  const auto points = static_cast<subspace::Index>(path.points().size());
  subspace::Matrix all(X.cols(), steps * points);
  double residual = 0.0;
  for (subspace::Index k = 0; k < steps; ++k) {
    all.middleCols(k * points, points) = path.step(k).coefficients;
    residual = std::max(residual, subspace::max_residual(path.step(k).solves));
  }
  print_result(seconds, residual);
  subspace::datasets::save_points(rest.at(3), all);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Arguments rest(argv + 1, argv + argc);
    const subspace::Matrix X = subspace::datasets::load_points(rest.at(1)).X;
    const subspace::Context context{.num_threads = std::stoi(rest.at(2))};
    if (rest.at(0) == "omp") {
      run_omp(X, context, rest);
    } else if (rest.at(0) == "path") {
      run_path(X, context, rest);
    } else {
      throw subspace::InvalidArgument("peer_coefficients: '" + rest.at(0) +
                                      "', must be omp or path");
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
