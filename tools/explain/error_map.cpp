#include "tools/explain/error_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "common/compare/comparison.hpp"
#include "tools/explain/block_report.hpp"
#include "tools/explain/region.hpp"
#include "tools/explain/report.hpp"
#include "tools/page/page.hpp"

namespace mxproof::explain {
namespace {

using nlohmann::json;
using page::escaped;

struct CellClass {
  const char* name;
  const char* colour;  ///< Readable on light and on dark.
};

/// Mildest first; a bin takes the colour of the worst class in it.
constexpr std::array<CellClass, 8> kOutputClasses = {{{"right", "var(--right)"},
                                                      {"within one bf16 step", "#c9a227"},
                                                      {"within 1 %", "#e08a1e"},
                                                      {"further off", "#d1492e"},
                                                      {"other sign", "#a83279"},
                                                      {"zero for a number", "#3b82c4"},
                                                      {"NaN or Inf", "#7c4fc4"},
                                                      {"unwritten", "#1c9aa0"}}};

size_t class_of_output(const Evidence& e, const WrongMap& map, Coord c) {
  if (!map.at(c.row, c.col)) return 0;
  const Bf16 right = e.expected(c.row, c.col);
  const Bf16 actual = e.runs.front()(c.row, c.col);
  switch (classify(right, actual, e.poison)) {
    case Difference::unwritten:
      return 7;
    case Difference::nan:
    case Difference::inf:
      return 6;
    default:
      break;
  }
  const double x = right.to_float();
  const double y = actual.to_float();
  if (y == 0) return 5;
  if (x * y < 0) return 4;
  if (ulp_distance(right, actual) <= 1) return 1;
  return std::abs(y - x) <= 0.01 * std::abs(x) ? 2 : 3;
}

constexpr std::array<const char*, kBlockClassCount> kBlockColours = {
    "var(--right)", "#7c4fc4", "#8d99a6", "#c9a227", "#e0b21e", "#e08a1e",
    "#3b82c4",      "#a83279", "#1c9aa0", "#c77d4a", "#d1492e"};

struct Classes {
  std::vector<std::string> names;
  std::vector<std::string> colours;
};

Classes classes_of(Subject subject) {
  Classes classes;
  if (subject == Subject::output) {
    for (const CellClass& c : kOutputClasses)
      classes.names.emplace_back(c.name), classes.colours.emplace_back(c.colour);
  } else {
    for (int c = 0; c < kBlockClassCount; ++c) {
      classes.names.emplace_back(name_of(static_cast<BlockClass>(c)));
      classes.colours.emplace_back(kBlockColours[static_cast<size_t>(c)]);
    }
  }
  return classes;
}

/// Counts per bin and class.
struct Bins {
  Extent grid;  ///< Bins down and across.
  Extent bin;   ///< Cells a bin.
  std::vector<int64_t> counts;
  size_t classes = 0;

  int64_t& at(int64_t row, int64_t col, size_t c) {
    return counts[static_cast<size_t>(row * grid.cols + col) * classes + c];
  }
  /// The worst class with a share worth seeing; wrong ones win over right ones.
  size_t colour(int64_t row, int64_t col) {
    size_t best = 0;
    for (size_t c = 1; c < classes; ++c) {
      if (at(row, col, c) > 0 && (best == 0 || at(row, col, c) >= at(row, col, best))) best = c;
    }
    return best;
  }
};

Bins make_bins(const Evidence& e, size_t classes) {
  constexpr int64_t kMostRows = 160;
  constexpr int64_t kMostCols = 256;
  const Extent cells = e.cells();
  Bins bins;
  bins.bin = {ceil_div(cells.rows, kMostRows), ceil_div(cells.cols, kMostCols)};
  bins.grid = {ceil_div(cells.rows, bins.bin.rows), ceil_div(cells.cols, bins.bin.cols)};
  bins.classes = classes;
  bins.counts.resize(static_cast<size_t>(bins.grid.size()) * classes);
  const WrongMap map(cells, e.wrong_cells());
  for (int64_t r = 0; r < cells.rows; ++r) {
    for (int64_t c = 0; c < cells.cols; ++c) {
      const size_t what = e.subject == Subject::output ? class_of_output(e, map, {r, c})
                                                       : static_cast<size_t>(classify_block(e, {r, c}));
      ++bins.at(r / bins.bin.rows, c / bins.bin.cols, what);
    }
  }
  return bins;
}

/// One path a class: runs of bins of that colour.
std::string draw(Bins& bins, const Classes& classes) {
  std::vector<std::string> paths(classes.names.size());
  for (int64_t r = 0; r < bins.grid.rows; ++r) {
    for (int64_t c = 0; c < bins.grid.cols;) {
      const size_t colour = bins.colour(r, c);
      int64_t end = c + 1;
      while (end < bins.grid.cols && bins.colour(r, end) == colour) ++end;
      paths[colour] += fmt::format("M{} {}h{}v1h-{}z", c, r, end - c, end - c);
      c = end;
    }
  }
  std::string out;
  for (size_t c = 0; c < paths.size(); ++c) {
    if (!paths[c].empty())
      out += fmt::format("<path style=\"fill:{}\" d=\"{}\"/>\n", classes.colours[c], paths[c]);
  }
  return out;
}

/// Lines at tile borders, in units of bins; none where they would be closer than four bins.
std::string draw_tiles(const Bins& bins, Extent cells, Extent tile) {
  std::string path;
  if (tile.rows >= 4 * bins.bin.rows || bins.grid.rows <= 64) {
    for (int64_t r = tile.rows; r < cells.rows; r += tile.rows) {
      path += fmt::format("M0 {:.6g}h{}", static_cast<double>(r) / static_cast<double>(bins.bin.rows),
                          bins.grid.cols);
    }
  }
  if (tile.cols >= 4 * bins.bin.cols || bins.grid.cols <= 64) {
    for (int64_t c = tile.cols; c < cells.cols; c += tile.cols) {
      path += fmt::format("M{:.6g} 0v{}", static_cast<double>(c) / static_cast<double>(bins.bin.cols),
                          bins.grid.rows);
    }
  }
  return fmt::format(
      "<path d=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".55\" "
      "vector-effect=\"non-scaling-stroke\"/>\n",
      path);
}

std::string legend(const Bins& bins, const Classes& classes) {
  std::string out = "<ul class=\"legend\" aria-label=\"Colours\">";
  for (size_t c = 0; c < classes.names.size(); ++c) {
    int64_t total = 0;
    for (size_t i = c; i < bins.counts.size(); i += bins.classes) total += bins.counts[i];
    if (total == 0) continue;
    out += fmt::format("<li><span class=\"swatch\" style=\"background:{}\"></span>{}: {}</li>",
                       classes.colours[c], escaped(classes.names[c]), total);
  }
  return out + "</ul>\n";
}

std::string findings(const Explanation& e) {
  std::string out;
  const auto item = [&](const std::string& what, const std::string& text) {
    out += fmt::format("<li>{}: {}</li>\n", what, escaped(text));
  };
  for (const Finding& f : e.alternatives) {
    if (e.answer == Answer::explained) item("This data cannot tell it from", f.text);
  }
  if (e.answer == Answer::unknown && e.best) {
    item("Closest, but not good enough",
         fmt::format("{} ({:.4g} % of the wrong ones explained, {} right ones broken)", e.best->text,
                     100 * e.best->score.share(), e.best->score.broken));
  }
  if (e.runner_up)
    item("Runner-up", fmt::format("{} ({:.4g} % of the wrong ones explained)", e.runner_up->text,
                                  100 * e.runner_up->score.share()));
  for (const std::string& seen : e.observations) item("Seen", seen);
  return out.empty() ? "" : "<ul>\n" + out + "</ul>\n";
}

std::string first_cells(const Explanation& e) {
  if (e.first.empty()) return "";
  std::string rows;
  for (const WrongCell& c : e.first) {
    rows += fmt::format("<tr><td>({}, {})</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", c.at.row, c.at.col,
                        escaped(c.expected), escaped(c.actual), escaped(c.place));
  }
  return "<h2>First wrong ones</h2>\n<div class=\"scroll card\"><table><thead><tr><th "
         "scope=\"col\">Where</th><th scope=\"col\">Expected</th>"
         "<th scope=\"col\">Got</th><th scope=\"col\">Byte, lane, register</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody></table></div>\n";
}

}  // namespace

std::string error_map_page(const Evidence& e, const Explanation& explanation, Extent tile) {
  const Extent cells = e.cells();
  const Classes classes = classes_of(e.subject);
  Bins bins = make_bins(e, classes.names.size());
  const std::string drawing = draw(bins, classes);
  // The map keeps the shape of the result, within reason: a row of four outputs must still be seen.
  const double aspect =
      std::clamp(static_cast<double>(cells.cols) / static_cast<double>(cells.rows), 0.5, 4.0);
  std::string body =
      fmt::format("<p class=\"verdict{}\">{}</p>\n{}", explanation.answer == Answer::right ? "" : " wrong",
                  escaped(explanation.headline()), findings(explanation));
  body += fmt::format("<h2>Map of {} {} by {}</h2>\n", e.subject == Subject::output ? "outputs" : "blocks",
                      cells.rows, cells.cols);
  body += legend(bins, classes);
  if (bins.bin.size() > 1) {
    body += fmt::format(
        "<p class=\"muted\">One square stands for {} x {}; it takes the colour of the commonest kind of "
        "wrong "
        "among them, right only when all are.</p>\n",
        bins.bin.rows, bins.bin.cols);
  }
  body += fmt::format(
      "<p class=\"muted\">Lines: tiles of {} x {}. Move over the map, or focus it and use the arrow "
      "keys.</p>\n",
      tile.rows, tile.cols);
  body += fmt::format(
      "<div class=\"info card\" id=\"info\" aria-live=\"polite\"></div>\n"
      "<div class=\"error-map card\"><svg viewBox=\"0 0 {0} {1}\" preserveAspectRatio=\"none\" "
      "tabindex=\"0\" role=\"application\" "
      "aria-label=\"Map of wrong cells; arrow keys move the cursor\" shape-rendering=\"crispEdges\" "
      "style=\"width:100%;aspect-ratio:{2:.4g};max-height:75vh\">\n{3}{4}"
      "<rect class=\"cursor\" width=\"1\" height=\"1\" visibility=\"hidden\" "
      "vector-effect=\"non-scaling-stroke\"/>\n</svg></div>\n",
      bins.grid.cols, bins.grid.rows, aspect, drawing, draw_tiles(bins, cells, tile));
  body += first_cells(explanation);
  if (const std::string patterns = drawn_patterns(explanation, ""); !patterns.empty())
    body += "<h2>Patterns</h2>\n<div class=\"scroll card\"><pre>" + escaped(patterns) + "</pre></div>\n";

  json known = json::object();
  for (const WrongCell& c : explanation.first) {
    known[fmt::format("{},{}", c.at.row, c.at.col)] =
        fmt::format("{} where {} belongs", c.actual, c.expected);
  }
  const json data = {{"map",
                      {{"rows", bins.grid.rows},
                       {"cols", bins.grid.cols},
                       {"binRows", bins.bin.rows},
                       {"binCols", bins.bin.cols},
                       {"height", cells.rows},
                       {"width", cells.cols},
                       {"classes", classes.names},
                       {"counts", bins.counts},
                       {"cells", known}}}};
  return page::make("Error map", body, page::Script::error_map, data);
}

}  // namespace mxproof::explain
