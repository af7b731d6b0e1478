#include "tools/report/command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "tools/report/check.hpp"
#include "tools/report/noise_rule.hpp"
#include "tools/report/page.hpp"

namespace mxproof::report {
namespace {

struct Arguments {
  PageOptions page;
  std::vector<std::string> check;
  CompareOptions compare;
};

int fail(const Status& status) {
  fmt::print(stderr, "mxproof report: {}\n", status.message());
  return 2;
}

int check(const Arguments& arguments) {
  auto result = check_files(arguments.check[0], arguments.check[1], arguments.compare);
  if (!result) return fail(result.status());
  fmt::print("{}{}\n", result->text, result->regressed ? "regression" : "no regression");
  return result->regressed ? 1 : 0;
}

int write(const Arguments& arguments) {
  if (arguments.page.runs.empty() || arguments.page.out.empty()) {
    return fail(Status::bad_input("give a folder of runs and -o DIR, or --check BASE NEW"));
  }
  auto summary = write_page(arguments.page);
  if (!summary) return fail(summary.status());
  for (const std::string& problem : summary->problems) fmt::print(stderr, "mxproof report: {}\n", problem);
  fmt::print("{} runs, {} files left out: {}\n", summary->runs, summary->problems.size(), summary->index);
  return 0;
}

}  // namespace

void add_command(CLI::App& program, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      program.add_subcommand("report", "latency dashboard over benchmark runs, regression check");
  command->add_option("runs", arguments->page.runs, "folder of runs written by mxproof_bench (data/runs)")
      ->type_name("RUNS");
  command->add_option("-o,--out", arguments->page.out, "folder for the dashboard; open its index.html")
      ->type_name("DIR");
  command
      ->add_option("--chart-js", arguments->page.chart_js,
                   "Chart.js 3 as one script; by default that of Debian's libjs-chart.js")
      ->type_name("FILE");
  CLI::Option* check_option = command
                                  ->add_option("--check", arguments->check,
                                               "compare two runs; exit 1 on a regression, 2 on bad input")
                                  ->type_name("BASE NEW")
                                  ->expected(2);
  command
      ->add_flag("--same-build", arguments->compare.same_build,
                 "with --check: allow equal build ids, to measure noise")
      ->needs(check_option);
  command
      ->add_flag("--common", arguments->compare.common_only,
                 "with --check: ignore rows that NEW does not have")
      ->needs(check_option);
  command->footer(fmt::format("The rule: {}", noise_rule_text()));
  command->callback([arguments, &exit_code] {
    exit_code = arguments->check.empty() ? write(*arguments) : check(*arguments);
  });
}

}  // namespace mxproof::report
