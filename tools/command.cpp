#include "tools/command.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "common/report/terminal.hpp"
#include "tools/dequantize/dequantize.hpp"
#include "tools/explain/command.hpp"
#include "tools/gemm/gemm.hpp"
#include "tools/identify/command.hpp"
#include "tools/layout/command.hpp"
#include "tools/probe_data/command.hpp"
#include "tools/profile/command.hpp"
#include "tools/quantize/quantize.hpp"
#include "tools/report/command.hpp"
#include "tools/verify/verify.hpp"
#ifdef MXPROOF_HAS_EMULATOR
#include "tools/emulate/emulate.hpp"
#include "tools/inspect/inspect.hpp"
#include "tools/probe/command.hpp"
#include "tools/run/run.hpp"
#endif

namespace mxproof {
namespace {

/// An integer as the parser reads it; nothing for other text. The parser itself takes what does not fit for
/// the nearest integer that does, and a leading zero for octal.
std::optional<int64_t> integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  std::string_view digits = text.substr(negative || text.starts_with('+') ? 1 : 0);
  const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (hexadecimal) digits.remove_prefix(2);
  if (!hexadecimal && digits.size() > 1 && digits.front() == '0') return std::nullopt;
  const std::string signed_digits = (negative ? "-" : "") + std::string(digits);
  int64_t value = 0;
  const char* end = signed_digits.data() + signed_digits.size();
  const auto [at, error] = std::from_chars(signed_digits.data(), end, value, hexadecimal ? 16 : 10);
  return error == std::errc() && at == end ? std::optional(value) : std::nullopt;
}

std::string integer_error(const std::string& text) {
  return fmt::format("'{}' is no integer from -2^63 to 2^63-1", text);
}

/// An empty value reads like a flag that was not given; the command would go on without it.
void refuse_values_that_would_be_lost(CLI::Option& option) {
  if (!option.nonpositional() || option.get_expected_max() == 0) return;
  const std::string type = option.get_type_name();
  option.check([type](const std::string& text) {
    if (text.empty()) return fmt::format("the value is empty, need {}", type);
    return type == "INT" && !integer(text) ? integer_error(text) : std::string();
  });
}

}  // namespace

std::function<std::string(const std::string&)> at_least(int64_t least) {
  return [least](const std::string& text) {
    const std::optional<int64_t> value = integer(text);
    if (!value) return integer_error(text);
    return *value < least ? fmt::format("{} is too small, need at least {}", *value, least) : std::string();
  };
}

Expected<uint64_t> parse_seed(const std::string& text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const char* first = text.data() + (hexadecimal ? 2 : 0);
  const char* last = text.data() + text.size();
  uint64_t seed = 0;
  const auto [end, code] = std::from_chars(first, last, seed, hexadecimal ? 16 : 10);
  if (code != std::errc() || end != last || first == last)
    return Status::bad_input(fmt::format("'{}' is no seed: need an integer from 0 to 2^64-1", text));
  return seed;
}

void add_commands(Program& program) {
  add_verify(program);
  add_profile(program);
  add_quantize(program);
  add_dequantize(program);
  add_gemm(program);
  add_explain(program);
  add_identify(program);
  add_probe_data(program);
  add_layout(program);
  add_report(program);
#ifdef MXPROOF_HAS_EMULATOR
  add_inspect(program);
  add_run(program);
  add_emulate(program);
  add_probe(program);
#endif
  for (CLI::App* command : program.app.get_subcommands([](CLI::App*) { return true; }))
    for (CLI::Option* option : command->get_options()) refuse_values_that_would_be_lost(*option);
}

int report_error(const Status& status) {
  fmt::print(stderr, "mxproof: {}\n", one_line(status.message()));
  return status.code() == StatusCode::bad_input ? kExitBadInput : kExitFail;
}

Status bad_flag(const std::string& flag, const Status& why) {
  return Status::bad_input(fmt::format("{}: {}", flag, why.message()));
}

}  // namespace mxproof
