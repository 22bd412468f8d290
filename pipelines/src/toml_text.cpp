// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "toml_text.h"

#include <charconv>
#include <fstream>
#include <iterator>

#include <subspace/core/error.h>
#include <subspace/core/parameters.h>

namespace subspace::pipelines {
namespace {

void append_options(std::vector<KeyText>& options, const toml::table& table,
                    const std::string& prefix, const std::string& shown_as) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const auto* stage = node.as_table()) {
      append_options(options, *stage, name + ".", shown_as);
    } else {
      options.emplace_back(name, toml_text(node, shown_as + name));
    }
  }
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path, const std::string& what) {
  const auto refuse = [&] { throw IoError(message(path.string(), ": cannot be read as ", what)); };
  std::ifstream file(path);
  // A folder can be opened; reading it throws what is no error of ours.
  if (!file.is_open() || std::filesystem::is_directory(path)) refuse();
  std::string content((std::istreambuf_iterator<char>(file)), {});
  if (file.bad()) refuse();
  return content;
}

toml::table parse_toml(const std::string& content, const std::string& shown_as) {
  try {
    return toml::parse(content, shown_as);
  } catch (const toml::parse_error& error) {
    throw InvalidArgument(
        message(shown_as, ": line ", error.source().begin.line, ": ", error.description()));
  }
}

std::string toml_text(const toml::node& node, const std::string& shown_as) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* number = node.as_floating_point()) {
    char buffer[64];
    return {buffer, std::to_chars(buffer, buffer + sizeof(buffer), number->get()).ptr};
  }
  throw InvalidArgument(message(shown_as, ": must be text, a number, true or false"));
}

const toml::table& as_table(const toml::node& node, const std::string& shown_as) {
  if (!node.is_table()) throw InvalidArgument(message(shown_as, ": must be a table"));
  return *node.as_table();
}

std::vector<KeyText> toml_options(const toml::table& table, const std::string& shown_as) {
  std::vector<KeyText> options;
  append_options(options, table, "", shown_as);
  return options;
}

void refuse_key(const std::string& key, const std::vector<std::string>& known,
                const std::string& shown_as) {
  const std::string nearest = nearest_name(key, known);
  throw InvalidArgument(
      message(shown_as, ": unknown key '", key, "'",
              nearest.empty() ? std::string() : "; did you mean '" + nearest + "'?"));
}

}  // namespace subspace::pipelines
