// The subcommand alone as a program, for tests that drive it from outside.
#include "tools/report/command.hpp"

int main(int argc, char** argv) {
  CLI::App program{"mxproof"};
  int exit_code = 0;
  mxproof::report::add_command(program, exit_code);
  program.require_subcommand(1);
  CLI11_PARSE(program, argc, argv);
  return exit_code;
}
