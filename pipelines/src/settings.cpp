// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/pipelines/settings.h>

#include <algorithm>
#include <optional>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include <subspace/core/error.h>
#include <subspace/core/parallel.h>
#include <subspace/datasets/registry.h>

namespace subspace::pipelines {
namespace {

constexpr char kAuto[] = "auto";

/// Reads the whole text as an integer; result_out_of_range where one is written that does not fit.
template <typename Number>
std::errc parse_whole(const std::string& text, Number& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return stop == end ? error : std::errc::invalid_argument;
}

[[noreturn]] void refuse(const std::string& shown_as, const std::string& text,
                         const std::string& rule) {
  throw InvalidArgument(message(shown_as, " = '", text, "', ", rule));
}

Setting text_setting(std::string name, std::string value_name, std::string help,
                     std::string& field) {
  Setting setting{
      .name = std::move(name), .value_name = std::move(value_name), .help = std::move(help)};
  setting.get = [&field] { return field; };
  setting.set = [&field](const std::string& text, const std::string&) { field = text; };
  return setting;
}

Setting switch_setting(std::string name, std::string help, bool& field) {
  Setting setting{.name = std::move(name), .help = std::move(help), .kind = SettingKind::kSwitch};
  setting.get = [&field] { return std::string(field ? "true" : "false"); };
  setting.set = [&field](const std::string& text, const std::string& shown_as) {
    set_from_text(parameter("", field, ""), text, shown_as);
  };
  return setting;
}

template <typename Enum>
Setting choice_setting(std::string name, std::string help, Enum& field,
                       std::vector<std::pair<std::string, Enum>> words) {
  Setting setting{.name = std::move(name), .value_name = "WORD", .help = std::move(help)};
  const Parameter bound = choice(setting.name, field, std::move(words), "");
  setting.choices = bound.choices;
  setting.get = [bound] { return value_text(bound); };
  setting.set = [bound](const std::string& text, const std::string& shown_as) {
    set_from_text(bound, text, shown_as);
  };
  return setting;
}

/// The range of a number of clusters depends on the data, so any integer passes here.
Setting clusters_setting(RunSettings& s) {
  Setting setting{.name = "clusters",
                  .value_name = "K",
                  .help =
                      "number of clusters, 1 .. number of points, or auto: by the eigengap of "
                      "the affinity (required)",
                  .kind = SettingKind::kNumber};
  setting.get = [&s] {
    if (s.estimate_clusters) return std::string(kAuto);
    return s.clusters ? std::to_string(*s.clusters) : std::string();
  };
  setting.set = [&s](const std::string& text, const std::string& shown_as) {
    if (text == kAuto) {
      s.estimate_clusters = true;
      s.clusters.reset();
      return;
    }
    int value = 0;
    const std::errc error = parse_whole(text, value);
    if (error == std::errc::result_out_of_range) {
      refuse(shown_as, text,
             message("must be an integer from 1 to ", std::numeric_limits<int>::max(),
                     ", at most the number of points"));
    }
    if (error != std::errc()) refuse(shown_as, text, "must be an integer or auto");
    s.clusters = value;
    s.estimate_clusters = false;
  };
  return setting;
}

Setting max_clusters_setting(int& field) {
  Setting setting{.name = "max_clusters",
                  .value_name = "N",
                  .help = "largest number of clusters that auto tries",
                  .kind = SettingKind::kNumber};
  setting.get = [&field] { return std::to_string(field); };
  setting.set = [&field](const std::string& text, const std::string& shown_as) {
    set_from_text(parameter("max_clusters", field, "").at_least(2), text, shown_as);
  };
  return setting;
}

Setting seed_setting(std::uint64_t& field) {
  Setting setting{.name = "seed",
                  .value_name = "N",
                  .help = "the only source of randomness: same seed, same labels",
                  .kind = SettingKind::kNumber};
  setting.get = [&field] { return std::to_string(field); };
  setting.set = [&field](const std::string& text, const std::string& shown_as) {
    std::uint64_t value = 0;
    if (parse_whole(text, value) != std::errc()) {
      refuse(shown_as, text, "must be an integer from 0 to 2^64 - 1");
    }
    field = value;
  };
  return setting;
}

Setting threads_setting(int& field) {
  Setting setting{
      .name = "threads",
      .value_name = "N",
      .help = "threads to use, 0 for all; of the results only what is learned depends on it",
      .kind = SettingKind::kNumber};
  setting.get = [&field] { return std::to_string(field); };
  setting.set = [&field](const std::string& text, const std::string& shown_as) {
    set_from_text(parameter("threads", field, "").at_least(0).at_most(kMostThreads), text,
                  shown_as);
  };
  return setting;
}

Setting image_size_setting(std::optional<datasets::ImageSize>& field) {
  Setting setting{.name = "image_size",
                  .value_name = "SIZE",
                  .help = "bring pictures to this size, 32 or 48x42; coil20@32 means the same"};
  setting.get = [&field] {
    return field ? message(field->height, "x", field->width) : std::string();
  };
  setting.set = [&field](const std::string& text, const std::string& shown_as) {
    if (text.empty()) {
      field.reset();
    } else {
      field = datasets::parse_image_size(text, shown_as);
    }
  };
  return setting;
}

Setting max_memory_setting(std::int64_t& field) {
  Setting setting{
      .name = "max_memory",
      .value_name = "SIZE",
      .help = "refuse work that needs more, e.g. 4G or 512M; 0 for 80 % of what is there"};
  setting.get = [&field] { return std::to_string(field); };
  setting.set = [&field](const std::string& text, const std::string& shown_as) {
    field = parse_bytes(text, shown_as);
  };
  return setting;
}

/// ENSC_MAX_ROUNDS of "ensc.max_rounds" or of the bare "max_rounds".
std::string environment_form(std::string key) {
  std::transform(key.begin(), key.end(), key.begin(), [](unsigned char letter) {
    return letter == '.' || letter == '-' ? '_' : static_cast<char>(std::toupper(letter));
  });
  return key;
}

/// Whether a variable spells an option, full or bare, of some method of the catalogue.
bool any_method_has(const std::string& variable) {
  const std::vector<std::string> names = method_names();
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const Clusterer other(name);
    return std::any_of(other.options().begin(), other.options().end(),
                       [&](const MethodOption& option) {
                         return environment_form(option.key()) == variable ||
                                environment_form(option.parameter.name) == variable;
                       });
  });
}

/// The key that a SUBSPACE_SET_ variable means: the full one it spells, else its bare name; none
/// when it is an option of other methods, for the environment is shared by runs of all of them.
std::optional<std::string> key_of_variable(const Clusterer& clusterer,
                                           const std::string& variable) {
  std::string bare;
  std::vector<std::string> known;
  for (const MethodOption& option : clusterer.options()) {
    const std::string form = environment_form(option.key());
    if (form == variable) return option.key();
    if (environment_form(option.parameter.name) == variable) bare = option.parameter.name;
    known.push_back(form);
  }
  if (!bare.empty()) return bare;
  if (any_method_has(variable)) return std::nullopt;
  const std::string nearest = nearest_name(variable, known);
  throw InvalidArgument(
      message("SUBSPACE_SET_", variable, ": method ", clusterer.info().name, " has no such option",
              nearest.empty() ? std::string() : "; did you mean SUBSPACE_SET_" + nearest + "?"));
}

constexpr char kSetPrefix[] = "SUBSPACE_SET_";

/// How a finished network was trained is not for a later run to say.
void refuse_learned(const Clusterer& clusterer, const MethodOption& option,
                    const std::string& model) {
  const std::vector<std::string> learned = clusterer.learned_stages();
  if (std::ranges::find(learned, option.stage) == learned.end()) return;
  throw InvalidArgument(message(option.key(), " together with --model ", model, ": the options of ",
                                option.stage, " are those of the network, must not be set"));
}

}  // namespace

std::string Setting::flag() const {
  std::string text = "--" + name;
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

std::string Setting::variable() const { return "SUBSPACE_" + environment_form(name); }

std::vector<Setting> describe(RunSettings& s) {
  return {
      text_setting("input", "INPUT",
                   "points: .npy .npz .csv .mat .idx .bin (.mtx for precomputed), a folder or .zip "
                   "of .png, or a data set "
                   "of `subspace data list`; samples are rows",
                   s.input),
      clusters_setting(s),
      max_clusters_setting(s.max_clusters),
      text_setting("method", "METHOD", "one of `subspace methods`, ensc unless said", s.method),
      text_setting("truth", "FILE", "true labels, read only after clustering to evaluate it",
                   s.truth),
      text_setting("x", "NAME", "array of a .npz or .mat that holds the points", s.x),
      text_setting("y", "NAME", "array or column that holds the true labels", s.y),
      switch_setting("columns_are_samples", "samples are columns of the file",
                     s.columns_are_samples),
      image_size_setting(s.image_size),
      switch_setting("color", "keep the colours of pictures; grey unless said", s.color),
      text_setting("data_dir", "DIR",
                   "folder of data sets, and of an INPUT that is not found as given", s.data_dir),
      text_setting("device", "DEVICE",
                   "where features are learned: auto, cpu, cuda or cuda:N; auto takes a GPU if any",
                   s.device),
      text_setting(
          "save", "DIR",
          "keep the clusters for `subspace predict`, and the network that a method trains; "
          "training goes on with what is there",
          s.save),
      text_setting(
          "model", "DIR",
          "folder that --save or `subspace train` filled: of clusters, of a trained network",
          s.model),
      text_setting("start", "FILE",
                   "labels to start from, for ksubspaces and alc: improves any labeling", s.start),
      text_setting("out", "FILE", "write labels: .npy, .csv or .txt", s.out),
      text_setting("confidence", "FILE", "write the confidence in each label, 0 .. 1: .npy",
                   s.confidence),
      text_setting("json", "[FILE]",
                   "write the record as JSON; no FILE or -: to standard output, alone", s.json),
      seed_setting(s.seed),
      threads_setting(s.threads),
      max_memory_setting(s.max_memory),
      choice_setting<ProgressMode>(
          "progress", "progress on standard error; a bar on terminals only", s.progress,
          {{"auto", ProgressMode::kAuto},
           {"never", ProgressMode::kNever},
           {"json", ProgressMode::kJson}}),
      choice_setting<Verbosity>("verbosity", "quiet: errors only; verbose: more on standard error",
                                s.verbosity,
                                {{"quiet", Verbosity::kQuiet},
                                 {"normal", Verbosity::kNormal},
                                 {"verbose", Verbosity::kVerbose}}),
  };
}

void apply_environment(RunSettings& settings, const std::vector<KeyText>& environment) {
  const std::vector<Setting> known = describe(settings);
  for (const auto& [variable, text] : environment) {
    if (text.empty()) continue;  // how shells spell "not set"
    if (variable.rfind(kSetPrefix, 0) == 0) {
      settings.set.push_back({variable.substr(sizeof(kSetPrefix) - 1), text, true});
      continue;
    }
    const auto meant = std::find_if(
        known.begin(), known.end(),
        [&name = variable](const Setting& setting) { return setting.variable() == name; });
    if (meant != known.end()) meant->set(text, variable);
  }
}

std::vector<KeyText> process_environment() {
  std::vector<KeyText> all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const auto equals = text.find('=');
    if (equals != std::string::npos)
      all.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  // The order of environ is an accident; results must not hang on it.
  std::sort(all.begin(), all.end());
  return all;
}

Clusterer make_clusterer(const RunSettings& settings) {
  Clusterer clusterer(settings.method);
  for (const MethodSetting& setting : settings.set) {
    const std::optional<std::string> key =
        setting.from_environment ? key_of_variable(clusterer, setting.key) : setting.key;
    if (!key) continue;
    if (!settings.model.empty()) refuse_learned(clusterer, clusterer.find(*key), settings.model);
    clusterer.set(*key, setting.text);
  }
  return clusterer;
}

double parse_duration(const std::string& text, const std::string& shown_as) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const auto unit = std::string("smh").find(std::string(stop, end));
  if (error != std::errc() || end - stop != 1 || unit == std::string::npos || !(value > 0.0) ||
      !std::isfinite(value)) {
    refuse(shown_as, text, "must be a time such as 90s, 30m or 2h");
  }
  return value * std::pow(60.0, static_cast<double>(unit));
}

std::int64_t parse_bytes(const std::string& text, const std::string& shown_as) {
  const auto fail = [&] { refuse(shown_as, text, "must be bytes such as 4G, 512M or 1e9"); };
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || !std::isfinite(value) || value < 0.0) fail();
  std::string unit(stop, end);
  const bool binary = unit.size() >= 2 && unit[1] == 'i';
  if (!unit.empty() && unit.back() == 'B') unit.pop_back();
  if (binary) unit.erase(1, 1);
  if (unit.size() > 1) fail();
  if (!unit.empty()) {
    const auto power = std::string("kMGT").find(unit == "K" ? 'k' : unit[0]);
    if (power == std::string::npos) fail();
    value *= std::pow(binary ? 1024.0 : 1000.0, static_cast<double>(power + 1));
  }
  if (value >= 9.2e18) refuse(shown_as, text, "must be less than 9.2e18 bytes");
  return static_cast<std::int64_t>(value);
}

}  // namespace subspace::pipelines
