#include "tools/page/page.hpp"

#include <fmt/format.h>

#include "tools/page/assets.hpp"

namespace mxproof::page {
namespace {

/// JSON that may stand inside a script element: "</script>" in a string must not end it.
std::string embeddable(const nlohmann::json& data) {
  std::string text = data.dump(-1, ' ', true);
  for (size_t at = text.find("</"); at != std::string::npos; at = text.find("</", at + 3))
    text.replace(at, 2, "<\\/");
  return text;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string make(std::string_view title, std::string_view body, Script script, const nlohmann::json& data) {
  return fmt::format(R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{0}</title>
<style>
{1}</style>
</head>
<body>
<header class="top">
<h1>{0}</h1>
<button type="button" id="theme" aria-label="Switch between light and dark">Light / dark</button>
</header>
<main>
{2}
</main>
<script type="application/json" id="data">{3}</script>
<script>
{4}
{5}</script>
</body>
</html>
)",
                     escaped(title), asset("style.css"), body, embeddable(data), asset("theme.js"),
                     asset(script == Script::linked_grids ? "linked_grids.js" : "error_map.js"));
}

}  // namespace mxproof::page
