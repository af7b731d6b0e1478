#include "tools/report/page.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "common/array/byte_source.hpp"
#include "tools/report/assets.hpp"
#include "tools/report/json_text.hpp"
#include "tools/report/page_data.hpp"

namespace mxproof::report {
namespace {

namespace fs = std::filesystem;

Expected<std::string> read_chart_js(const std::string& wanted) {
  const std::string path = wanted.empty() ? MXPROOF_CHART_JS : wanted;
  const std::string advice = "install Debian's libjs-chart.js or name a Chart.js 3 script with --chart-js";
  if (path.empty() || !fs::exists(path)) {
    return Status::bad_input(fmt::format("Chart.js not found at '{}'; {}", path, advice));
  }
  auto text = read_text(path);
  if (!text) return text.status();
  if (text->find("Chart.js v3.") == std::string::npos) {
    return Status::bad_input(fmt::format("{}: not Chart.js 3; {}", path, advice));
  }
  return *std::move(text);
}

Expected<std::vector<PublishedFigure>> read_published() {
  std::vector<PublishedFigure> all;
  for (const Asset& asset : published_assets()) {
    auto figures = parse_published(asset.text, std::string(asset.name));
    if (!figures) return figures.status();
    all.insert(all.end(), figures->begin(), figures->end());
  }
  return all;
}

}  // namespace

Expected<PageSummary> write_page(const PageOptions& options) {
  auto chart_js = read_chart_js(options.chart_js);
  if (!chart_js) return chart_js.status();
  auto published = read_published();
  if (!published) return published.status();
  auto store = read_store(options.runs);
  if (!store) return store.status();
  if (store->runs.empty()) {
    std::string message = fmt::format("{}: no usable run in it; mxproof_bench writes them", options.runs);
    for (const std::string& problem : store->problems) message += "; " + problem;
    return Status::bad_input(message);
  }
  const fs::path out(options.out);
  std::error_code error;
  fs::create_directories(out, error);
  if (error) return Status::bad_input(fmt::format("{}: cannot be made ({})", options.out, error.message()));
  // A script, because a page opened from disk may not fetch.
  const std::string data = "window.mxproofData = " + page_data(*store, *published).dump() + ";\n";
  if (Status status = write_text(out / "data.js", data); !status) return status;
  if (Status status = write_text(out / "chart.js", *chart_js); !status) return status;
  for (const Asset& asset : page_assets()) {
    if (Status status = write_text(out / asset.name, asset.text); !status) return status;
  }
  return PageSummary{(out / "index.html").string(), store->runs.size(), store->problems};
}

}  // namespace mxproof::report
