// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "images/arrange.h"
#include "io/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

namespace subspace::datasets {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string folder_of(const std::string& name) {
  const auto slash = name.rfind('/');
  return slash == std::string::npos ? std::string() : name.substr(0, slash);
}

std::string file_of(const std::string& name) { return name.substr(name.rfind('/') + 1); }

bool is_hidden(const std::string& name) {
  return name.starts_with('.') || name.find("/.") != std::string::npos ||
         name.starts_with("__MACOSX/") || name.find("/__MACOSX/") != std::string::npos;
}

/// Reads digits at the start of `text` and takes them off; nothing if there are none, or too many.
std::optional<int> take_number(std::string_view& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || text.empty() || !is_digit(text.front())) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

struct View {
  int object = 0;
  int view = 0;
};

/// objK__V.png
std::optional<View> parse_view(const std::string& name) {
  const std::string file = lower_case(file_of(name));
  std::string_view rest = file;
  if (!rest.starts_with("obj")) return std::nullopt;
  rest.remove_prefix(3);
  const auto object = take_number(rest);
  if (!object || !rest.starts_with("__")) return std::nullopt;
  rest.remove_prefix(2);
  const auto view = take_number(rest);
  if (!view || rest != ".png") return std::nullopt;
  return View{*object, *view};
}

/// Labels of turntable names, or false if one of them is none.
bool arrange_views(const std::vector<std::string>& names, Arrangement& out) {
  std::vector<std::tuple<int, int, std::size_t>> keys;
  for (const std::size_t i : out.order) {
    const auto view = parse_view(names[i]);
    if (!view) return false;
    keys.emplace_back(view->object, view->view, i);
  }
  std::ranges::sort(keys);
  for (std::size_t i = 1; i < keys.size(); ++i) {
    const auto& [object, view, position] = keys[i];
    if (std::tie(object, view) == std::tie(std::get<0>(keys[i - 1]), std::get<1>(keys[i - 1]))) {
      out.repeated = names[position];
    }
  }
  out.kind = Arrangement::Kind::kTurntable;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    out.order[i] = std::get<2>(keys[i]);
    out.labels.push_back(std::get<0>(keys[i]));
  }
  return true;
}

/// The folder a file lies in, without those above it.
std::string class_of(const std::string& name) { return file_of(folder_of(name)); }

void arrange_folders(const std::vector<std::string>& names, Arrangement& out) {
  std::ranges::sort(out.order, [&](std::size_t i, std::size_t j) {
    const std::string a = class_of(names[i]), b = class_of(names[j]);
    return a != b ? natural_less(a, b) : natural_less(names[i], names[j]);
  });
  std::set<std::string> folders;
  for (const std::size_t i : out.order) {
    folders.insert(folder_of(names[i]));
    const std::string folder = class_of(names[i]);
    if (out.class_names.empty() || out.class_names.back() != folder) {
      out.class_names.push_back(folder);
    }
    out.labels.push_back(static_cast<int>(out.class_names.size()) - 1);
  }
  out.kind = Arrangement::Kind::kClassFolders;
  out.is_doubtful = folders.size() != out.class_names.size() || folders.contains("");
}

}  // namespace

bool natural_less(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    const auto number = [](const std::string& text, std::size_t& at) {
      while (at + 1 < text.size() && text[at] == '0' && is_digit(text[at + 1])) ++at;
      const std::size_t begin = at;
      while (at < text.size() && is_digit(text[at])) ++at;
      return std::string_view(text).substr(begin, at - begin);
    };
    const auto p = number(a, i), q = number(b, j);
    if (p.size() != q.size()) return p.size() < q.size();
    if (p != q) return p < q;
  }
  if ((i < a.size()) != (j < b.size())) return j < b.size();
  return a < b;  // equal but for leading zeros
}

Arrangement arrange(const std::vector<std::string>& names) {
  Arrangement out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_hidden(names[i])) continue;
    if (lower_case(names[i]).ends_with(".png")) {
      out.order.push_back(i);
    } else {
      ++out.left_out;
    }
  }
  if (out.order.empty() || arrange_views(names, out)) return out;
  const std::string first = folder_of(names[out.order.front()]);
  const bool one_folder =
      std::ranges::all_of(out.order, [&](std::size_t i) { return folder_of(names[i]) == first; });
  if (one_folder) {
    std::ranges::sort(
        out.order, [&](std::size_t i, std::size_t j) { return natural_less(names[i], names[j]); });
  } else {
    arrange_folders(names, out);
  }
  return out;
}

}  // namespace subspace::datasets
