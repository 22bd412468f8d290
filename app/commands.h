// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace subspace::app {

/// A subcommand: its parser, and what to do when it was chosen. The result is the exit code.
struct Command {
  CLI::App* parser = nullptr;
  std::function<int()> run = {};
};

Command add_cluster_command(CLI::App& program);
Command add_evaluate_command(CLI::App& program);
Command add_demo_command(CLI::App& program);
Command add_train_command(CLI::App& program);
Command add_predict_command(CLI::App& program);
Command add_embed_command(CLI::App& program);
Command add_probe_command(CLI::App& program);
Command add_path_command(CLI::App& program);
Command add_table_command(CLI::App& program);
Command add_methods_command(CLI::App& program);
Command add_report_command(CLI::App& program);
Command add_data_command(CLI::App& program);
Command add_info_command(CLI::App& program);
Command add_completion_command(CLI::App& program);

}  // namespace subspace::app
