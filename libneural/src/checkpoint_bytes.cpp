// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <nlohmann/json.hpp>

#include <subspace/core/error.h>
#include <subspace/core/sha256.h>
#include <subspace/core/zip_archive.h>

#include "checkpoint_file.h"

namespace subspace::neural {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "subspace-checkpoint-2";
constexpr const char* kJsonName = "checkpoint.json";
const std::string kSuffix = ".npy";

std::string payload_sha256(std::span<const ZipMember> arrays) {
  Sha256 hash;
  for (const ZipMember& member : arrays) {
    hash.update(std::as_bytes(std::span(member.name.c_str(), member.name.size() + 1)));
    hash.update(std::as_bytes(std::span(member.bytes)));
  }
  return hash.finish();
}

Json options_json(TrainingOptions options) {
  Json object = Json::object();
  for (const Parameter& parameter : describe(options)) {
    std::visit([&](const auto& value) { object[parameter.name] = value; }, parameter.get());
  }
  return object;
}

/// Options that came after the schema: a checkpoint without them was made as by their defaults.
bool may_be_missing(const std::string& name) {
  return name == "precision" || name == "schedule_steps";
}

/// Sets every described field from the object, which must have all of them and no other.
TrainingOptions options_from(const std::string& objective, const Json& object) {
  TrainingOptions options;
  options.objective = objective_options(objective_of(objective));
  std::size_t known = 0;
  for (const Parameter& parameter : describe(options)) {
    const auto value = object.find(parameter.name);
    if (value == object.end()) {
      if (may_be_missing(parameter.name)) continue;
      throw IoError(message("checkpoint.json: has no option '", parameter.name, "'"));
    }
    ++known;
    std::visit([&](const auto& like) { parameter.set(value->get<std::decay_t<decltype(like)>>()); },
               parameter.get());
  }
  if (known != object.size()) {
    throw IoError(message("checkpoint.json: has ", object.size() - known, " unknown options"));
  }
  check(describe(options), "checkpoint.json");
  return options;
}

Json to_json(const CheckpointInfo& info, const std::string& payload) {
  const ImageShape& shape = info.shape;
  return {
      {"schema", kSchema},
      {"objective", objective_name(info.options.objective.objective)},
      {"version", info.version},
      {"torch", info.torch_version},
      {"step", info.step},
      {"random", {{"generator", "philox4x32-10"}, {"seed", info.seed}, {"position", info.step}}},
      {"image", {{"channels", shape.channels}, {"height", shape.height}, {"width", shape.width}}},
      {"options", options_json(info.options)},
      {"data_sha256", info.data_sha256},
      {"start_sha256", info.start_sha256},
      {"device", info.device},
      {"threads", info.num_threads},
      {"payload_sha256", payload}};
}

CheckpointInfo info_from(const Json& json) {
  CheckpointInfo info;
  info.version = json.at("version");
  info.torch_version = json.at("torch");
  info.step = json.at("step");
  info.seed = json.at("random").at("seed");
  const Json& image = json.at("image");
  info.shape = {image.at("channels"), image.at("height"), image.at("width")};
  info.options = options_from(json.at("objective"), json.at("options"));
  info.data_sha256 = json.at("data_sha256");
  info.start_sha256 = json.at("start_sha256");
  info.device = json.at("device");
  info.num_threads = json.at("threads");
  return info;
}

CheckpointInfo checked_info(const std::string& text, const std::string& payload) try {
  const Json json = Json::parse(text);
  const std::string schema = json.at("schema");
  if (schema != kSchema) {
    throw IoError(message("checkpoint.json: schema = '", schema, "', must be '", kSchema, "'"));
  }
  if (json.at("payload_sha256") != payload) {
    throw IoError("checkpoint.json: payload_sha256 is not that of the arrays");
  }
  CheckpointInfo info = info_from(json);
  info.payload_sha256 = payload;
  return info;
} catch (const nlohmann::json::exception& error) {
  throw IoError(message("checkpoint.json: ", error.what()));
}

}  // namespace

std::string to_bytes(const Checkpoint& checkpoint) {
  std::vector<ZipMember> members(1);
  for (const auto& [name, array] : checkpoint.arrays) {
    members.push_back({name + kSuffix, to_npy(array)});
  }
  const std::string payload = payload_sha256(std::span(members).subspan(1));
  members[0] = {kJsonName, to_json(checkpoint.info, payload).dump(2) + "\n"};
  return to_zip(members);
}

Checkpoint from_bytes(std::string_view file) {
  const std::vector<ZipMember> members = from_zip(file);
  if (members[0].name != kJsonName) throw IoError("the archive is no checkpoint");
  const std::string payload = payload_sha256(std::span(members).subspan(1));
  Checkpoint checkpoint = {checked_info(members[0].bytes, payload), {}};
  for (const ZipMember& member : std::span(members).subspan(1)) {
    if (!member.name.ends_with(kSuffix)) throw IoError("the archive holds a foreign member");
    const std::string name = member.name.substr(0, member.name.size() - kSuffix.size());
    checkpoint.arrays[name] = from_npy(member.bytes);
  }
  return checkpoint;
}

}  // namespace subspace::neural
