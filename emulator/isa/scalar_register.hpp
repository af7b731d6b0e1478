// The numbering of scalar registers, as in the 8-bit operand field of the ISA: SGPRs and the special
// registers that instructions read and write like SGPRs. A wave keeps all of them in one array.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mxproof::emulator {

inline constexpr uint16_t kFlatScratch = 102;
inline constexpr uint16_t kXnackMask = 104;
inline constexpr uint16_t kVcc = 106;
inline constexpr uint16_t kTtmp0 = 108;
inline constexpr uint16_t kM0 = 124;
inline constexpr uint16_t kExec = 126;
// The encodings 235..253, moved down to where the array goes on. Each is two words here: the apertures are
// 64-bit values.
inline constexpr uint16_t kSharedBase = 128;
inline constexpr uint16_t kSharedLimit = 130;
inline constexpr uint16_t kPrivateBase = 132;
inline constexpr uint16_t kPrivateLimit = 134;
inline constexpr uint16_t kPopsExitingWaveId = 136;
inline constexpr uint16_t kVccz = 138;   ///< Computed when read.
inline constexpr uint16_t kExecz = 140;  ///< Computed when read.
inline constexpr uint16_t kScc = 142;    ///< Computed when read.
inline constexpr uint16_t kScalarRegisters = 144;

/// The number of a special register by its name in assembly; nullopt when the name is none.
/// `count` receives how many words the name stands for.
std::optional<uint16_t> special_register(std::string_view name, uint16_t& count);

}  // namespace mxproof::emulator
