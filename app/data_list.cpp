// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>

#include <subspace/core/error.h>
#include <subspace/datasets/registry.h>
#include <subspace/pipelines/dataset_report.h>

#include "data.h"
#include "exit_code.h"
#include "session.h"
#include "setting_flags.h"

namespace subspace::app {
namespace {

using datasets::DatasetInfo;
using pipelines::RunSettings;

std::string padded(const std::string& text, std::size_t width, bool right = false) {
  const std::string space(width > text.size() ? width - text.size() : 0, ' ');
  return right ? space + text : text + space;
}

std::string shape_text(const DatasetInfo& info) {
  if (!info.image && info.dimension == 0) return "trajectories";
  if (!info.image) return message(info.dimension, " dimensions");
  const std::string size = message(info.image->height, "x", info.image->width);
  return info.image->channels == 1 ? size : size + " colour";
}

std::string number(Index value) { return value == 0 ? "varies" : std::to_string(value); }

std::string list_text(const RunSettings& settings) {
  std::ostringstream out;
  out << padded("name", 20) << padded("samples", 9, true) << padded("classes", 9, true) << "  "
      << padded("samples are", 16) << "found\n";
  for (const DatasetInfo& info : datasets::registry()) {
    const std::string place = pipelines::dataset_place(info.name, settings.data_dir);
    out << padded(info.name, 20) << padded(number(info.samples), 9, true)
        << padded(number(info.classes), 9, true) << "  " << padded(shape_text(info), 16)
        << (place.empty() ? "-" : place) << "\n";
  }
  out << "\n`subspace data info NAME` tells more, `subspace data fetch NAME` gets a set.\n"
      << "A name is an INPUT: `subspace cluster coil20@32 -k 20`.\n";
  return out.str();
}

std::string sizes_text(const DatasetInfo& info) {
  if (info.class_sizes.empty()) return "not known to us";
  const auto& sizes = info.class_sizes;
  if (std::equal(sizes.begin() + 1, sizes.end(), sizes.begin())) {
    return message(sizes.front(), " each");
  }
  std::string text;
  for (const int size : sizes) text += (text.empty() ? "" : " ") + std::to_string(size);
  return text;
}

std::string hash_text(const DatasetInfo& info) {
  if (!info.sha256.empty()) return info.sha256 + " of the decoded values";
  if (info.files.empty()) return "none: the last bits of the values may differ between machines";
  return "of the decoded values: never computed, the files were not at hand";
}

void line(std::ostream& out, const std::string& key, const std::string& value) {
  if (!value.empty()) out << padded(key, 14) << value << "\n";
}

std::string info_text(const DatasetInfo& info, const RunSettings& settings) {
  std::ostringstream out;
  line(out, info.name, info.title);
  line(out, "samples", number(info.samples));
  line(out, "classes", number(info.classes));
  if (info.classes > 0) line(out, "class sizes", sizes_text(info));
  line(out, info.image ? "pictures" : "points", shape_text(info));
  if (!info.item.empty()) line(out, "item", message(info.name, "/", info.item));
  if (info.usual_size) {
    line(out, "usual size",
         message(info.usual_size->height, "x", info.usual_size->width,
                 ", what the bare name means; ", info.name, "@SIZE for others"));
  }
  line(out, "values",
       info.values + (info.image && info.image->channels == 3 && !info.color
                          ? ", grey by the mean of the channels unless --color"
                          : ""));
  line(out, "from", info.origin);
  line(out, "terms", info.terms);
  for (const std::string& trap : info.traps) line(out, "mind", trap);
  for (const std::string& file : info.files) line(out, "file", file);
  for (const std::string& url : info.urls) line(out, "address", url);
  line(out, "sha256", hash_text(info));
  const std::string place = pipelines::dataset_place(info.name, settings.data_dir);
  line(out, "found", place.empty() ? "no" : place);
  std::string items;
  for (const std::string& item : pipelines::dataset_items(info.name, settings.data_dir)) {
    items += (items.empty() ? "" : " ") + item;
  }
  line(out, "items", items);
  return out.str();
}

std::string verification_text(const datasets::Verification& verification) {
  return message("verified      ", verification.samples, " samples, SHA-256 of the decoded values ",
                 verification.sha256,
                 verification.hash_known ? ", as registered" : "; none is registered",
                 "; of the labels ", verification.labels_sha256, "\n");
}

int info_command(const std::string& name, bool verify, bool json, const RunSettings& settings) {
  const DatasetInfo& info = datasets::find_dataset(name);
  std::optional<datasets::Verification> verification;
  if (verify) {
    const Session session(settings);
    const datasets::Dataset set({.set = name}, datasets::dataset_folders(settings.data_dir));
    verification = set.verify(session.context());
  }
  if (json) {
    print_result(pipelines::datasets_json({name}, settings.data_dir, verification));
    return kDone;
  }
  print_result(info_text(info, settings));
  if (verification) print_result(verification_text(*verification));
  return kDone;
}

}  // namespace

Command add_data_list_command(CLI::App& data) {
  CLI::App* parser = data.add_subcommand("list", "all sets, and which are here");
  const auto json = std::make_shared<bool>(false);
  parser->add_flag("--json", *json, "as JSON");
  const auto flags = std::make_shared<SettingFlags>(*parser, std::vector<std::string>{"data_dir"});
  return {
      parser, [json, flags] {
        const RunSettings settings = flags->resolve();
        print_result(*json ? pipelines::datasets_json({}, settings.data_dir) : list_text(settings));
        return static_cast<int>(kDone);
      }};
}

Command add_data_info_command(CLI::App& data) {
  CLI::App* parser = data.add_subcommand("info", "what a set is, where it comes from, its traps");
  const auto name = std::make_shared<std::string>();
  const auto verify = std::make_shared<bool>(false);
  const auto json = std::make_shared<bool>(false);
  parser->add_option("NAME", *name, "one of `subspace data list`")
      ->required()
      ->type_name("DATASET");
  parser->add_flag("--verify", *verify, "load it all and compare with what is known");
  parser->add_flag("--json", *json, "as JSON");
  const auto flags = std::make_shared<SettingFlags>(*parser, with_run_settings({"data_dir"}));
  return {parser, [name, verify, json, flags] {
            return info_command(*name, *verify, *json, flags->resolve());
          }};
}

}  // namespace subspace::app
