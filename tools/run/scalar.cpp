// Numbers as bytes.
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "common/format/bf16_round.hpp"

#include "tools/run/argument.hpp"

namespace mxproof {
namespace {

struct ScalarType {
  std::string_view name;
  size_t size;
  enum class Kind { signed_integer, unsigned_integer, floating, half, brain } kind;
};
using Kind = ScalarType::Kind;

constexpr ScalarType kTypes[] = {
    {"i8", 1, Kind::signed_integer},
    {"i16", 2, Kind::signed_integer},
    {"i32", 4, Kind::signed_integer},
    {"i64", 8, Kind::signed_integer},
    {"u8", 1, Kind::unsigned_integer},
    {"u16", 2, Kind::unsigned_integer},
    {"u32", 4, Kind::unsigned_integer},
    {"u64", 8, Kind::unsigned_integer},
    {"f32", 4, Kind::floating},
    {"f64", 8, Kind::floating},
    {"f16", 2, Kind::half},
    {"bf16", 2, Kind::brain},
};

template <class T>
std::vector<std::byte> bytes_of(T value, size_t size = sizeof(T)) {
  std::vector<std::byte> bytes(size);
  std::memcpy(bytes.data(), &value, size);
  return bytes;
}

Status bad_number(std::string_view text, std::string_view what) {
  return Status::bad_input(fmt::format("'{}' is not {}", text, what));
}

struct Integer {
  bool negative = false;
  uint64_t magnitude = 0;
};

// Decimal or 0x..., with a sign.
std::optional<Integer> parse_integer(std::string_view text) {
  Integer integer;
  integer.negative = text.starts_with('-');
  if (integer.negative) text.remove_prefix(1);
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  if (is_hex) text.remove_prefix(2);
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), integer.magnitude, is_hex ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return integer;
}

// `allow_both`: a bare number may use the signed or the unsigned range.
Expected<std::vector<std::byte>> integer_bytes(std::string_view text, size_t size, bool is_signed,
                                               bool allow_both) {
  const std::optional<Integer> integer = parse_integer(text);
  if (!integer) return bad_number(text, "an integer");
  const size_t bits = 8 * size;
  const uint64_t unsigned_max = bits == 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
  const uint64_t positive_max = is_signed && !allow_both ? unsigned_max >> 1 : unsigned_max;
  const uint64_t negative_max = is_signed ? uint64_t{1} << (bits - 1) : 0;
  if (integer->magnitude > (integer->negative ? negative_max : positive_max)) {
    return bad_number(text, fmt::format("an integer of {} bits", bits));
  }
  return bytes_of(integer->negative ? uint64_t{0} - integer->magnitude : integer->magnitude, size);
}

template <class T>
Expected<T> parse_floating(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return bad_number(text, "a number");
  return value;
}

Expected<std::vector<std::byte>> floating_bytes(std::string_view text, const ScalarType& type) {
  if (type.size == 8) {
    const auto value = parse_floating<double>(text);
    if (!value) return value.status();
    return bytes_of(*value);
  }
  const auto value = parse_floating<float>(text);
  if (!value) return value.status();
  if (type.kind == Kind::half) return bytes_of(static_cast<_Float16>(*value));
  if (type.kind == Kind::brain) return bytes_of(round_to_bf16(*value));
  return bytes_of(*value);
}

bool looks_floating(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("-0x")) return false;
  return text.find_first_of(".eEnN") != std::string_view::npos;
}

}  // namespace

Expected<std::vector<std::byte>> parse_scalar(std::string_view text, std::string_view type_name,
                                              size_t size) {
  if (type_name.empty()) {
    if (size != 1 && size != 2 && size != 4 && size != 8) {
      return Status::bad_input(fmt::format("the argument has {} bytes: use hex:", size));
    }
    if (!looks_floating(text)) return integer_bytes(text, size, true, true);
    if (size < 4) return Status::bad_input(fmt::format("the argument has {} bytes: say f16: or bf16:", size));
    return floating_bytes(text, {"", size, Kind::floating});
  }
  const ScalarType* type = nullptr;
  for (const ScalarType& candidate : kTypes) {
    if (candidate.name == type_name) type = &candidate;
  }
  if (type == nullptr) return Status::bad_input(fmt::format("'{}' is no type of number", type_name));
  if (type->size != size) {
    return Status::bad_input(fmt::format("{} has {} bytes, the argument {}", type_name, type->size, size));
  }
  if (type->kind == Kind::signed_integer) return integer_bytes(text, size, true, false);
  if (type->kind == Kind::unsigned_integer) return integer_bytes(text, size, false, false);
  return floating_bytes(text, *type);
}

}  // namespace mxproof
