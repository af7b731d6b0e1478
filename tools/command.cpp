#include "tools/command.hpp"

#include <fmt/format.h>

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
}

int report_error(const Status& status) {
  fmt::print(stderr, "mxproof: {}\n", one_line(status.message()));
  return status.code() == StatusCode::bad_input ? kExitBadInput : kExitFail;
}

Status bad_flag(const std::string& flag, const Status& why) {
  return Status::bad_input(fmt::format("{}: {}", flag, why.message()));
}

}  // namespace mxproof
