#include "emulator/watch/descriptor.hpp"

#include <fmt/format.h>

namespace mxproof::emulator {
namespace {

constexpr int kDescriptor = 2;  // the source that holds it

}  // namespace

void check_descriptor(const VectorAccess& access, uint32_t bytes, const Wave& wave,
                      const Reporter& reporter) {
  if (access.zero == 0) return;
  const int lane = std::countr_zero(access.zero);
  const uint64_t address = access.partial_address[lane];
  reporter.report(Watcher::descriptor, *access.inst, wave.index_in_group, lane, address, [&] {
    const uint16_t reg = access.inst->src[kDescriptor].reg;
    const uint64_t base = wave.scalar64(reg) & 0xffffffffffffU;
    return fmt::format(
        "accesses {} bytes at 0x{:x}, {} past the descriptor's base 0x{:x}, which has {} records; {} "
        "of the bytes are in range",
        bytes, address, address - base, base, wave.sgpr[reg + 2], access.valid_bytes[lane]);
  });
}

}  // namespace mxproof::emulator
