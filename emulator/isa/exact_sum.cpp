#include "emulator/isa/exact_sum.hpp"

#include <bit>
#include <cassert>
#include <cmath>

namespace mxproof::emulator {

void ExactSum::add(__int128 significand, int exponent) {
  if (significand == 0) return;
  assert(exponent >= kLowestExponent);
  const bool minus = significand < 0;
  auto rest = static_cast<unsigned __int128>(minus ? -significand : significand);
  const auto shift = static_cast<unsigned>(exponent - kLowestExponent);
  std::array<uint64_t, kWords> term{};
  for (unsigned word = shift / 64, bit = shift % 64; rest != 0; ++word, bit = 0) {
    assert(word < kWords && "a term beyond the accumulator's range");
    term[word] = static_cast<uint64_t>(rest << bit);
    rest >>= 64 - bit;
  }
  uint64_t carry = minus ? 1 : 0;
  for (int i = 0; i < kWords; ++i) {
    const unsigned __int128 sum =
        static_cast<unsigned __int128>(words_[i]) + (minus ? ~term[i] : term[i]) + carry;
    words_[i] = static_cast<uint64_t>(sum);
    carry = static_cast<uint64_t>(sum >> 64);
  }
}

void ExactSum::add(float value) {
  if (value == 0) return;
  int exponent = 0;
  const float fraction = std::frexp(value, &exponent);
  add(static_cast<__int128>(fraction * 0x1p24F), exponent - 24);
}

bool ExactSum::is_zero() const {
  for (const uint64_t word : words_) {
    if (word != 0) return false;
  }
  return true;
}

std::array<uint64_t, ExactSum::kWords> ExactSum::magnitude() const {
  if (!negative()) return words_;
  std::array<uint64_t, kWords> result{};
  uint64_t carry = 1;
  for (int i = 0; i < kWords; ++i) {
    result[i] = ~words_[i] + carry;
    carry = carry != 0 && result[i] == 0 ? 1 : 0;
  }
  return result;
}

int ExactSum::leading_exponent() const {
  const auto bits = magnitude();
  for (int i = kWords - 1; i >= 0; --i) {
    if (bits[i] != 0) return kLowestExponent + i * 64 + 63 - std::countl_zero(bits[i]);
  }
  return kLowestExponent;
}

float ExactSum::to_float() const {
  if (is_zero()) return 0.0F;
  const auto bits = magnitude();
  const int leading = leading_exponent();
  // The last place kept: 24 significant bits, but never below the subnormal step 2^-149.
  const int last = leading - 23 < -149 ? -149 : leading - 23;
  const int position = last - kLowestExponent;
  const auto bit_at = [&bits](int at) {
    return at < 0 ? 0U : static_cast<uint32_t>(bits[at / 64] >> (at % 64)) & 1U;
  };
  uint32_t kept = 0;
  for (int i = 24; i >= 0; --i) {
    if (position + i < kWords * 64) kept = kept << 1 | bit_at(position + i);
  }
  bool sticky = false;
  for (int at = position - 2; at >= 0 && !sticky; --at) sticky = bit_at(at) != 0;
  const bool half = bit_at(position - 1) != 0;
  if (half && (sticky || (kept & 1U) != 0)) ++kept;
  const float result = std::ldexp(static_cast<float>(kept), last);
  return negative() ? -result : result;
}

}  // namespace mxproof::emulator
