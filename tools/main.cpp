// mxproof: one program, one subcommand for each thing it does.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "common/report/build_info.hpp"
#include "tools/command.hpp"

namespace mxproof {
namespace {

constexpr const char* kDescription =
    "Bit-exact verification of MXFP4 quantisation and scaled GEMM kernels for AMD MI355X (gfx950).";
constexpr const char* kFooter =
    "Examples:\n"
    "  mxproof verify                                   ten shapes, every output against the exact "
    "reference\n"
    "  mxproof verify --shapes 32x2880x512 --path all   one shape, every way to compute it\n"
    "  mxproof verify --a a.npy --b w.safetensors:q     your own tensors\n\n"
    "mxproof COMMAND --help explains a command.";

std::string version_text() {
  const BuildInfo& build = build_info();
  return fmt::format("mxproof {} ({}{}, {}, {})", build.version, build.commit.substr(0, 12),
                     build.dirty ? " with changes" : "", build.compiler, build.platform);
}

// The parser's complaint as one line, with where to read on.
int report_usage_error(const Program& program, const CLI::ParseError& error) {
  const auto chosen = program.app.get_subcommands();
  const std::string command = chosen.empty() ? "mxproof" : "mxproof " + chosen.front()->get_name();
  std::string what = error.what();
  if (chosen.empty() && program.argc > 1) what = fmt::format("'{}' is no command or flag", program.argv[1]);
  return report_error(Status::bad_input(fmt::format("{} ({} --help explains)", what, command)));
}

int run(int argc, char** argv) {
  CLI::App app(kDescription, "mxproof");
  app.footer(kFooter);
  app.set_version_flag("--version", version_text(), "Print what this program was built from");
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", "Print this help");
  Program program{app, argc, argv, {}};
  add_commands(program);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    fmt::print("{}", chosen.empty() ? app.help() : chosen.front()->help("mxproof"));
    return kExitPass;
  } catch (const CLI::CallForVersion&) {
    fmt::print("{}\n", version_text());
    return kExitPass;
  } catch (const CLI::ParseError& error) {
    return report_usage_error(program, error);
  }
  return program.action();
}

/// A report that did not arrive is no pass.
int finish_output(int code) {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::ferror(stdout) == 0) return code;
  const Status lost = Status::device(fmt::format("standard output cannot be written: {}",
                                                 errno != 0 ? std::strerror(errno) : "output is lost"));
  const int failed = report_error(lost);
  return code == kExitPass ? failed : code;
}

}  // namespace

}  // namespace mxproof

int main(int argc, char** argv) {
  try {
    const int code = mxproof::run(argc, argv);
    return mxproof::finish_output(code);
  } catch (const std::bad_alloc&) {
    return mxproof::report_error(mxproof::Status::device("out of memory; try a smaller shape"));
  } catch (const std::exception& error) {
    return mxproof::report_error(mxproof::Status::internal(error.what()));
  }
}
