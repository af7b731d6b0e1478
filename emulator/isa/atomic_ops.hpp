// Read-modify-write operations, the same for LDS and global memory.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "emulator/isa/float16.hpp"

namespace mxproof::emulator {

enum class AtomicOp : uint8_t {
  add,
  sub,
  rsub,
  min,
  max,
  and_,
  or_,
  xor_,
  increment,
  decrement,
  swap,
  compare_swap,
  mask_or,
  float_min,
  float_max,
  pk_add_f16,
  pk_add_bf16,
};

/// Two halves or two bf16 added apart, each rounded to nearest even.
constexpr uint32_t pk_add(uint32_t a, uint32_t b, bool brain) {
  uint32_t result = 0;
  for (int shift = 0; shift < 32; shift += 16) {
    const auto x = static_cast<uint16_t>(a >> shift);
    const auto y = static_cast<uint16_t>(b >> shift);
    const uint16_t sum = brain ? float_to_brain(brain_to_float(x) + brain_to_float(y))
                               : float_to_half(half_to_float(x) + half_to_float(y));
    result |= uint32_t{sum} << shift;
  }
  return result;
}

/// What memory holds afterwards. `second` is the value stored by compare_swap (`data` being compared with)
/// and the value or-ed in by mask_or (`data` being the mask).
template <AtomicOp Op, class T>
constexpr T apply_atomic(T old, T data, [[maybe_unused]] T second) {
  if constexpr (Op == AtomicOp::add) return old + data;
  if constexpr (Op == AtomicOp::sub) return old - data;
  if constexpr (Op == AtomicOp::rsub) return data - old;
  if constexpr (Op == AtomicOp::min) return data < old ? data : old;
  if constexpr (Op == AtomicOp::max) return data > old ? data : old;
  if constexpr (Op == AtomicOp::swap) return data;
  if constexpr (Op == AtomicOp::compare_swap) return old == data ? second : old;
  if constexpr (Op == AtomicOp::float_min) return std::fmin(old, data);
  if constexpr (Op == AtomicOp::float_max) return std::fmax(old, data);
  if constexpr (std::is_integral_v<T>) {
    if constexpr (Op == AtomicOp::and_) return old & data;
    if constexpr (Op == AtomicOp::or_) return old | data;
    if constexpr (Op == AtomicOp::xor_) return old ^ data;
    if constexpr (Op == AtomicOp::increment) return old >= data ? 0 : old + 1;
    if constexpr (Op == AtomicOp::decrement) return old == 0 || old > data ? data : old - 1;
    if constexpr (Op == AtomicOp::mask_or) return (old & ~data) | second;
    if constexpr (Op == AtomicOp::pk_add_f16) return pk_add(old, data, false);
    if constexpr (Op == AtomicOp::pk_add_bf16) return pk_add(old, data, true);
  }
}

constexpr bool has_second_operand(AtomicOp op) {
  return op == AtomicOp::compare_swap || op == AtomicOp::mask_or;
}

}  // namespace mxproof::emulator
