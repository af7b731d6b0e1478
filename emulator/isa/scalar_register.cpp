#include "emulator/isa/scalar_register.hpp"

#include <array>

namespace mxproof::emulator {
namespace {

struct Special {
  std::string_view name;
  uint16_t number;
  uint16_t count;
};

constexpr std::array kSpecials = {
    Special{"vcc", kVcc, 2},
    Special{"vcc_lo", kVcc, 1},
    Special{"vcc_hi", kVcc + 1, 1},
    Special{"exec", kExec, 2},
    Special{"exec_lo", kExec, 1},
    Special{"exec_hi", kExec + 1, 1},
    Special{"m0", kM0, 1},
    Special{"flat_scratch", kFlatScratch, 2},
    Special{"flat_scratch_lo", kFlatScratch, 1},
    Special{"flat_scratch_hi", kFlatScratch + 1, 1},
    Special{"xnack_mask", kXnackMask, 2},
    Special{"xnack_mask_lo", kXnackMask, 1},
    Special{"xnack_mask_hi", kXnackMask + 1, 1},
    Special{"src_shared_base", kSharedBase, 2},
    Special{"src_shared_limit", kSharedLimit, 2},
    Special{"src_private_base", kPrivateBase, 2},
    Special{"src_private_limit", kPrivateLimit, 2},
    Special{"src_pops_exiting_wave_id", kPopsExitingWaveId, 1},
    Special{"src_vccz", kVccz, 1},
    Special{"src_execz", kExecz, 1},
    Special{"src_scc", kScc, 1},
};

}  // namespace

std::optional<uint16_t> special_register(std::string_view name, uint16_t& count) {
  for (const Special& special : kSpecials) {
    if (special.name == name) {
      count = special.count;
      return special.number;
    }
  }
  return std::nullopt;
}

}  // namespace mxproof::emulator
