// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <string>
#include <vector>

#include <toml++/toml.h>

#include <subspace/pipelines/catalogue.h>

namespace subspace::pipelines {

/// The whole of a text file. Throws IoError "PATH: cannot be read as WHAT".
std::string read_text_file(const std::filesystem::path& path, const std::string& what);

/// Parses TOML; throws InvalidArgument with file and line.
toml::table parse_toml(const std::string& content, const std::string& shown_as);

/// The text that the flag of the same name would take.
std::string toml_text(const toml::node& node, const std::string& shown_as);

/// Throws InvalidArgument for anything but a table.
const toml::table& as_table(const toml::node& node, const std::string& shown_as);

/// Options of a method: `ensc.gamma = 50`, or a table a stage; in the order of the file's keys.
std::vector<KeyText> toml_options(const toml::table& table, const std::string& shown_as);

/// Throws InvalidArgument "unknown key 'x'; did you mean 'y'?".
[[noreturn]] void refuse_key(const std::string& key, const std::vector<std::string>& known,
                             const std::string& shown_as);

}  // namespace subspace::pipelines
