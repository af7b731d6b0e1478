#include "reference/exact_sum.hpp"

#include <bit>
#include <cassert>
#include <cmath>

namespace mxproof::reference {

void ExactSum::add(int64_t value, int exponent) {
  const int position = exponent - kLowestExponent;
  assert(position >= 0 && position / 64 < kWords);
  if (value == 0) return;
  const int word = position / 64;
  const int shift = position % 64;
  // The sign-extended value, shifted, as two words and then copies of the sign.
  const auto low = static_cast<uint64_t>(value);
  const uint64_t sign = value < 0 ? ~uint64_t{0} : 0;
  const uint64_t first = low << shift;
  const uint64_t second = shift == 0 ? sign : static_cast<uint64_t>(value >> (64 - shift));
  uint64_t carry = 0;
  for (int i = word; i < kWords; ++i) {
    const uint64_t addend = i == word ? first : i == word + 1 ? second : sign;
    const uint64_t partial = words_[i] + addend;
    const uint64_t sum = partial + carry;
    carry = (partial < addend || sum < partial) ? 1 : 0;
    words_[i] = sum;
  }
}

void ExactSum::add(float finite) {
  assert(std::isfinite(finite));
  if (finite == 0) return;
  int exponent = 0;
  const float fraction = std::frexp(finite, &exponent);
  // 24 bits of significand; a subnormal's trailing zeros keep the exponent at or above -149 - 24.
  add(static_cast<int64_t>(std::ldexp(fraction, 24)), exponent - 24);
}

bool ExactSum::is_zero() const {
  for (const uint64_t word : words_) {
    if (word != 0) return false;
  }
  return true;
}

Unrounded ExactSum::unrounded() const {
  std::array<uint64_t, kWords> magnitude = words_;
  Unrounded number{is_negative(), 0, 0, false};
  if (number.negative) {
    uint64_t carry = 1;
    for (uint64_t& word : magnitude) {
      word = ~word + carry;
      carry = carry != 0 && word == 0 ? 1 : 0;
    }
  }
  int top = kWords - 1;
  while (top >= 0 && magnitude[top] == 0) --top;
  if (top < 0) return number;

  const int zeros = std::countl_zero(magnitude[top]);
  const uint64_t below = top > 0 ? magnitude[top - 1] : 0;
  number.significand = zeros == 0 ? magnitude[top] : magnitude[top] << zeros | below >> (64 - zeros);
  number.exponent = top * 64 + 63 - zeros + kLowestExponent;
  number.sticky = top > 0 && zeros > 0 ? below << zeros != 0 : below != 0;
  for (int i = 0; i + 1 < top; ++i) number.sticky = number.sticky || magnitude[i] != 0;
  return number;
}

float ExactSum::to_f32() const {
  return std::bit_cast<float>(static_cast<uint32_t>(round_to_nearest_even(unrounded(), kF32Format)));
}
double ExactSum::to_f64() const {
  return std::bit_cast<double>(round_to_nearest_even(unrounded(), kF64Format));
}
Bf16 ExactSum::to_bf16() const {
  return {static_cast<uint16_t>(round_to_nearest_even(unrounded(), kBf16Format))};
}
Half ExactSum::to_f16() const {
  return {static_cast<uint16_t>(round_to_nearest_even(unrounded(), kF16Format))};
}

}  // namespace mxproof::reference
