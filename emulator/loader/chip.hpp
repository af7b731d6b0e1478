// The chips whose code runs here. The machine is a gfx950; nearly all instructions of gfx942 are among
// gfx950's, in the same encoding, and a kernel that uses one of the others stops there. So code for gfx942
// runs too, on a device that says that it is one.
#pragma once

#include <cstdint>
#include <string_view>

namespace mxproof::emulator {

struct Chip {
  const char* arch;         ///< As in --offload-arch.
  const char* target;       ///< With the features that the device has.
  const char* device_name;  ///< What programs are told.
  unsigned elf_processor;   ///< e_flags & EF_AMDGPU_MACH of its code objects
  int minor;                ///< of the compute capability; the major one is 9
  int compute_units;
  int clock_khz;
  int memory_clock_khz;
  uint32_t lds_bytes;  ///< of a work-group
};

/// MI355X. Sources: AMD's data sheet (compute units, clocks) and CDNA 4's documents (LDS).
inline constexpr Chip kGfx950{.arch = "gfx950",
                              .target = "gfx950:sramecc+:xnack-",
                              .device_name = "gfx950 (emulated)",
                              .elf_processor = 0x4f,
                              .minor = 5,
                              .compute_units = 256,
                              .clock_khz = 2'400'000,
                              .memory_clock_khz = 2'000'000,
                              .lds_bytes = 160 * 1024};

/// MI300X. Sources: as above, CDNA 3.
inline constexpr Chip kGfx942{.arch = "gfx942",
                              .target = "gfx942:sramecc+:xnack-",
                              .device_name = "gfx942 (emulated)",
                              .elf_processor = 0x4c,
                              .minor = 4,
                              .compute_units = 304,
                              .clock_khz = 2'100'000,
                              .memory_clock_khz = 1'300'000,
                              .lds_bytes = 64 * 1024};

inline constexpr const Chip* kChips[] = {&kGfx950, &kGfx942};

/// By its arch; nullptr when there is none.
constexpr const Chip* find_chip(std::string_view arch) {
  for (const Chip* chip : kChips) {
    if (chip->arch == arch) return chip;
  }
  return nullptr;
}

}  // namespace mxproof::emulator
