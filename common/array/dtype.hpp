// Element types of array files, and every public name under which they are met.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mxproof {

enum class Dtype {
  f32,
  f16,
  bf16,
  u8,    ///< Plain bytes; also how packed codes and scales are usually saved.
  e8m0,  ///< Block scales, one byte each.
  e2m1,  ///< FP4 codes, two a byte. Shapes count elements, never bytes.
  // For arguments of any kernel (`mxproof run`); none of these holds numbers to quantise, codes or scales.
  i8,
  u16,
  i16,
  u32,
  i32,
  u64,
  i64,
  f64,
};

/// Canonical name, as the enumerator is spelt.
std::string_view dtype_name(Dtype dtype);

/// Bits of one element.
int dtype_bits(Dtype dtype);

/// A name as some library writes it ("bfloat16", "BF16", "float8_e8m0fnu", "F4", "uint8", ...), matched
/// without regard to case. `pair` tells a type whose one element is a byte with two codes (torch's
/// float4_e2m1fn_x2), so that the last dimension of its shape must be doubled to count elements.
struct DtypeName {
  Dtype dtype;
  bool pair = false;
};
std::optional<DtypeName> find_dtype(std::string_view name);

/// The canonical names of all types, separated by commas.
std::string dtype_names();

/// All names that find_dtype knows for `dtype`, for messages and help.
std::string dtype_aliases(Dtype dtype);

}  // namespace mxproof
