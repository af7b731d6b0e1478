// How far this process may read from an address, for data whose size the caller does not say.
#pragma once

#include <cstddef>
#include <span>

namespace mxproof::emulator {

/// The readable bytes from `data` to the end of the mappings that follow it without a gap; empty when `data`
/// is not mapped readable.
std::span<const std::byte> readable_from(const void* data);

}  // namespace mxproof::emulator
