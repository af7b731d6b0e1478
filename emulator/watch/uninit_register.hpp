// Watcher `uninit-register`, and the part of `uninit-lds` and `uninit-global` that lies in registers: values
// that nobody wrote travel through moves and spills, and are reported where something is made of them.
#pragma once

#include "emulator/watch/register_shadow.hpp"
#include "emulator/watch/reporter.hpp"

namespace mxproof::emulator {

/// Before `inst` runs on `lanes`: reports what it uses, and passes on what it only moves. Each unwritten
/// value is reported once, where it is first used.
void check_undefined(const Instruction& inst, const OperandUse& operands, uint64_t lanes, const Wave& wave,
                     WatchSet watchers, RegisterShadow& shadow, const Reporter& reporter);

/// After a flat store: reports what it stores in `lanes`, those that go to global memory.
void check_stored(const Instruction& inst, const OperandUse& operands, uint64_t lanes, const Wave& wave,
                  WatchSet watchers, RegisterShadow& shadow, const Reporter& reporter);

/// "v7", "a7", "s7", "vcc_lo".
std::string vector_name(uint16_t row);
std::string scalar_name(size_t reg);

}  // namespace mxproof::emulator
