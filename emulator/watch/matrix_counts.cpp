#include "emulator/watch/matrix_counts.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>

namespace mxproof::emulator {
namespace {

/// FLOP a cycle of one SIMD (256 compute units of 4), from the peak rates in AMD's MI355X data sheet at
/// 2.4 GHz: 10.1 PF for 4 and 6 bits, 5 for 8, 2.5 for 16, 157.3 TF for f32, 78.6 for f64.
constexpr double kRate4 = 4096;
constexpr double kRate8 = 2048;
constexpr double kRate16 = 1024;
constexpr double kRate32 = 64;
constexpr double kRate64 = 32;

constexpr std::array<std::string_view, 5> kNarrowFormats = {"fp8", "bf8", "fp6", "bf6", "fp4"};

double rate_of(std::string_view a, std::string_view b) {
  const auto is_wide = [](std::string_view format) {
    return format == "fp8" || format == "bf8" || format == "i8";
  };
  if (a == "f64") return kRate64;
  if (a == "f32" || a == "xf32") return kRate32;
  if (a == "f16" || a == "bf16") return kRate16;
  return is_wide(a) || is_wide(b) ? kRate8 : kRate4;
}

/// Reads a number off the front of `text`.
uint64_t take_number(std::string_view& text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

}  // namespace

MatrixKind matrix_kind(const Instruction& inst) {
  // v_mfma_[scale_]<result>_<M>x<N>x<K>[_<B>b]_<A>[_<B>], or with the formats glued to the shape: 4x4x4f16.
  std::string_view text = inst.row->name;
  text.remove_prefix(std::min(text.find('x'), text.size()));
  size_t back = static_cast<size_t>(text.data() - inst.row->name.data());
  while (back > 0 && inst.row->name[back - 1] >= '0' && inst.row->name[back - 1] <= '9') --back;
  text = inst.row->name.substr(back);
  const uint64_t m = take_number(text);
  if (!text.empty()) text.remove_prefix(1);
  const uint64_t n = take_number(text);
  if (!text.empty()) text.remove_prefix(1);
  const uint64_t k = take_number(text);
  if (text.starts_with('_')) text.remove_prefix(1);
  uint64_t blocks = 1;
  if (const size_t b = text.find("b_");
      b != std::string_view::npos && b > 0 && b <= 2 && text[0] >= '0' && text[0] <= '9') {
    blocks = take_number(text);
    text.remove_prefix(2);
  }
  std::string_view a = text.substr(0, text.find('_'));
  std::string_view b = a.size() == text.size() ? a : text.substr(a.size() + 1);
  if (a == "f8f6f4") {
    a = kNarrowFormats[(inst.extra & 7U) % kNarrowFormats.size()];
    b = kNarrowFormats[(inst.extra >> 3) % kNarrowFormats.size()];
  }
  MatrixKind kind;
  kind.name =
      fmt::format("{}{}x{}x{} {} x {}", blocks == 1 ? "" : fmt::format("{} x ", blocks), m, n, k, a, b);
  kind.flop = 2 * m * n * k * blocks;
  kind.cycles = static_cast<double>(kind.flop) / rate_of(a, b);
  return kind;
}

}  // namespace mxproof::emulator
