#include "tools/report/command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "tools/report/check.hpp"
#include "tools/report/noise_rule.hpp"
#include "tools/report/page.hpp"

namespace mxproof {
namespace {

using namespace report;  // the room that this command opens

struct Arguments {
  PageOptions page;
  std::vector<std::string> check;
  CompareOptions compare;
};

int check(const Arguments& arguments) {
  if (!arguments.page.runs.empty() || !arguments.page.out.empty() || !arguments.page.chart_js.empty()) {
    return report_error(Status::bad_input(
        "--check compares two runs and writes no dashboard; give RUNS and -o in another call"));
  }
  auto result = check_files(arguments.check[0], arguments.check[1], arguments.compare);
  if (!result) return report_error(result.status());
  fmt::print("{}{}\n", result->text, result->regressed ? "regression" : "no regression");
  return result->regressed ? kExitFail : kExitPass;
}

int write(const Arguments& arguments) {
  if (arguments.page.runs.empty() || arguments.page.out.empty()) {
    return report_error(Status::bad_input("give a folder of runs and -o DIR, or --check BASE NEW"));
  }
  auto summary = write_page(arguments.page);
  if (!summary) return report_error(summary.status());
  for (const std::string& problem : summary->problems) fmt::print(stderr, "mxproof: {}\n", problem);
  fmt::print("{} (runs: {}, files left out: {})\n", summary->index, summary->runs, summary->problems.size());
  return kExitPass;
}

}  // namespace

void add_report(Program& program) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command =
      *program.app.add_subcommand("report", "Dashboard over benchmark runs, and a regression check for CI");
  command.add_option("runs", arguments->page.runs, "Folder of runs written by mxproof_bench (data/runs)")
      ->type_name("RUNS");
  command.add_option("-o,--out", arguments->page.out, "Folder for the dashboard; open its index.html")
      ->type_name("DIR");
  command
      .add_option("--chart-js", arguments->page.chart_js,
                  "Chart.js 3 as one script (default: Debian's libjs-chart.js)")
      ->type_name("FILE");
  CLI::Option* check_option =
      command
          .add_option("--check", arguments->check, "Compare two runs; exit 1 on a regression, 2 on bad input")
          ->type_name("BASE NEW")
          ->expected(2);
  command
      .add_flag("--same-build", arguments->compare.same_build,
                "With --check: allow equal build ids, to measure noise")
      ->needs(check_option);
  command
      .add_flag("--common", arguments->compare.common_only,
                "With --check: ignore rows that NEW does not have")
      ->needs(check_option);
  command.footer(
      fmt::format("Exit code: 0 written or no regression, 1 a regression, 2 a flag or file is wrong.\n\n"
                  "The rule: {}\n\n"
                  "Examples:\n"
                  "  mxproof report data/runs -o page\n"
                  "  mxproof report --check base.json new.json",
                  noise_rule_text()));
  command.callback([&program, arguments] {
    program.action = [arguments] { return arguments->check.empty() ? write(*arguments) : check(*arguments); };
  });
}

}  // namespace mxproof
