#include "tools/command.hpp"
#include "tools/verify/verify.hpp"

namespace mxproof {

void add_commands(Program& program) {
  add_verify(program);
}

}  // namespace mxproof
