#include "tools/verify/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "common/report/build_info.hpp"
#include "common/shapes/shape_list.hpp"

namespace mxproof {
namespace {

constexpr size_t kShownOutputs = 3;  // mismatching outputs below the table; the JSON has more

constexpr std::array kDifferences = {Difference::unwritten, Difference::nan, Difference::inf,
                                     Difference::sign_of_zero, Difference::value};

bool ran(const VerifyRow& row) {
  return row.comparison.verdict != Verdict::refused && row.comparison.verdict != Verdict::error;
}

Colour colour_of(Verdict verdict) {
  if (verdict == Verdict::bit_equal) return Colour::green;
  if (verdict == Verdict::within_bound || verdict == Verdict::refused) return Colour::yellow;
  return Colour::red;
}

std::string hex(Bf16 value) {
  return fmt::format("0x{:04x}", value.bits);
}

// "3 value, 2 unwritten"
std::string counts_by_difference(const Comparison& comparison) {
  std::string text;
  for (const Difference difference : kDifferences)
    if (const int64_t count = comparison.count(difference); count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name_of(difference));
  return text;
}

std::string note_on_output(const OutputDifference& output) {
  return fmt::format("    C[{}][{}]  expected {} ({})  actual {} ({})  {}{}{}\n", output.row, output.col,
                     hex(output.expected), output.expected.to_float(), hex(output.actual),
                     output.actual.to_float(), name_of(output.difference),
                     output.in_exact_zone ? ", in the exact zone" : ", outside the exact zone",
                     output.accepted ? fmt::format(", accepted by {}", output.accepted_by) : "");
}

std::string replay_command(const VerifyRow& row, const VerifyOptions& options) {
  std::string command = "mxproof verify";
  if (options.a_file.empty())
    command += " --shapes " + to_string(row.shape);
  else
    command += fmt::format(" --a {} --b {}", options.a_file, options.b_file);
  command += " --path " + row.path;
  if (options.a_file.empty()) command += fmt::format(" --seed {}", options.seed);
  if (options.policy.name != QuantPolicy{}.name) command += fmt::format(" --policy {}", options.policy.name);
  if (options.acceptance != Acceptance::exact_zone())
    command += fmt::format(" --accept '{}'", options.acceptance.name());
  if (!options.settings_file.empty()) command += fmt::format(" --settings {}", options.settings_file);
  return command;
}

std::string note_on_row(const VerifyRow& row, const VerifyOptions& options) {
  const Comparison& c = row.comparison;
  std::string note = fmt::format("{} {}: {}", to_string(row.shape), row.path, name_of(c.verdict));
  if (!ran(row)) {
    note += fmt::format(": {}\n", one_line(c.message));
  } else {
    note += fmt::format(": {} of {} outputs differ ({})", c.mismatches + c.accepted, c.outputs,
                        counts_by_difference(c));
    if (c.all_zero) note += "; every output is zero";
    note += '\n';
    for (size_t i = 0; i < std::min(c.examples.size(), kShownOutputs); ++i)
      note += note_on_output(c.examples[i]);
    if (c.examples.empty() && c.first) note += note_on_output(*c.first);
    std::istringstream explanation(row.explanation);
    for (std::string line; std::getline(explanation, line);) note += "    " + line + '\n';
  }
  if (c.verdict == Verdict::mismatch && options.policy.name != QuantPolicy{}.name)
    note += fmt::format("    the reference quantised by '{}'; the kernels quantise A by '{}'\n",
                        options.policy.name, QuantPolicy{}.name);
  if (c.verdict != Verdict::refused) note += fmt::format("    repeat: {}\n", replay_command(row, options));
  return note;
}

// Rounded down, so that "100.00 %" means all of them.
std::string share_text(double share) {
  return fmt::format("{:.2f} %", std::floor(share * 10000) / 100);
}

nlohmann::json output_json(const OutputDifference& output) {
  return {{"row", output.row},
          {"col", output.col},
          {"expected_bits", hex(output.expected)},
          {"actual_bits", hex(output.actual)},
          {"difference", name_of(output.difference)},
          {"in_exact_zone", output.in_exact_zone},
          {"accepted_by", output.accepted_by}};
}

nlohmann::json row_json(const VerifyRow& row, const std::string& device, const VerifyOptions& options) {
  const Comparison& c = row.comparison;
  nlohmann::json json = {{"m", row.shape.m},
                         {"n", row.shape.n},
                         {"k", row.shape.k},
                         {"path", row.path},
                         {"plan", row.plan},
                         {"device", device},
                         {"policy", options.policy.name},
                         {"accept", options.acceptance.name()},
                         {"verdict", name_of(c.verdict)},
                         {"message", c.message},
                         {"outputs", c.outputs},
                         {"bit_equal", c.bit_equal},
                         {"mismatches", c.mismatches},
                         {"accepted", c.accepted},
                         {"non_finite", c.non_finite},
                         {"max_ulp", c.max_ulp},
                         {"exact_zone_share", c.exact_zone_share},
                         {"all_zero", c.all_zero},
                         {"explanation", row.explanation}};
  for (const Difference difference : kDifferences)
    json["differences"][std::string(name_of(difference))] = c.count(difference);
  json["examples"] = nlohmann::json::array();
  for (const OutputDifference& output : c.examples) json["examples"].push_back(output_json(output));
  return json;
}

}  // namespace

std::string verify_heading(const VerifyOptions& options) {
  const std::string inputs = options.a_file.empty()
                                 ? fmt::format("standard normal bf16, seed {}", options.seed)
                                 : fmt::format("A from {}, B from {}", options.a_file, options.b_file);
  return fmt::format("inputs: {}; quantised by '{}'; accepted by '{}'\n\n", one_line(inputs),
                     options.policy.name, options.acceptance.name());
}

Table make_verify_table(const std::vector<GemmShape>& shapes, const std::string& device, bool colour) {
  size_t shape_width = 0;
  for (const GemmShape& shape : shapes) shape_width = std::max(shape_width, to_string(shape).size());
  size_t path_width = 0;
  for (const Route route : kRoutes) path_width = std::max(path_width, route_name(route).size());
  return Table({{"MxNxK", shape_width},
                {"path", path_width},
                {"device", device.size()},
                {"verdict", name_of(Verdict::within_bound).size()},
                {"mismatches", 10, true},
                {"max ulp", 7, true},
                {"exact zone", 10, true}},
               colour);
}

std::vector<TableCell> verify_cells(const VerifyRow& row, const std::string& device) {
  const Comparison& c = row.comparison;
  const auto number = [&](const std::string& text) { return TableCell{ran(row) ? text : "-"}; };
  return {{to_string(row.shape)},
          {row.path},
          {device},
          {std::string(name_of(c.verdict)), colour_of(c.verdict)},
          number(fmt::format("{}", c.mismatches)),
          number(fmt::format("{}", c.max_ulp)),
          number(share_text(c.exact_zone_share))};
}

std::string verify_notes(const std::vector<VerifyRow>& rows, const VerifyOptions& options) {
  std::string notes;
  for (const VerifyRow& row : rows) {
    const Comparison& c = row.comparison;
    if (c.verdict != Verdict::bit_equal) notes += note_on_row(row, options);
    if (ran(row) && c.non_finite > 0)
      notes += fmt::format(
          "{} {}: {} of {} expected outputs are NaN or Inf; the exact zone's share leaves them out\n",
          to_string(row.shape), row.path, c.non_finite, c.outputs);
  }
  return notes;
}

std::string verify_summary(const std::vector<VerifyRow>& rows, const std::string& device) {
  std::string verdicts;
  for (const Verdict verdict :
       {Verdict::bit_equal, Verdict::within_bound, Verdict::mismatch, Verdict::refused, Verdict::error}) {
    const auto count =
        std::ranges::count_if(rows, [&](const VerifyRow& r) { return r.comparison.verdict == verdict; });
    if (count > 0) verdicts += fmt::format("{}{} {}", verdicts.empty() ? "" : ", ", count, name_of(verdict));
  }
  const auto passing =
      std::ranges::count_if(rows, [](const VerifyRow& r) { return passed(r.comparison.verdict); });
  const bool nothing = std::ranges::none_of(rows, ran);
  return fmt::format("{} of {} pass ({}) on {}{}", passing, rows.size(), verdicts, device,
                     nothing ? "; nothing ran, which is no pass" : "");
}

bool all_pass(const std::vector<VerifyRow>& rows) {
  return !rows.empty() &&
         std::ranges::all_of(rows, [](const VerifyRow& r) { return passed(r.comparison.verdict); });
}

nlohmann::json verify_json(const std::vector<VerifyRow>& rows, const DeviceInfo& device,
                           const VerifyOptions& options) {
  nlohmann::json json = {{"results", nlohmann::json::array()}, {"build", to_json(build_info())}};
  for (const VerifyRow& row : rows) json["results"].push_back(row_json(row, device.name, options));
  json["build"]["device"] = device.name;
  json["build"]["architecture"] = device.arch;
  json["build"]["driver"] = device.runtime;
  const bool files = !options.a_file.empty();
  json["inputs"] = files ? nlohmann::json{{"a", options.a_file}, {"b", options.b_file}}
                         : nlohmann::json{{"distribution", "standard normal bf16"}, {"seed", options.seed}};
  return json;
}

}  // namespace mxproof
