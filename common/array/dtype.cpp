#include "common/array/dtype.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace mxproof {
namespace {

struct Alias {
  std::string_view name;
  DtypeName means;
};

// numpy and ml_dtypes; torch; safetensors; JAX, TensorRT, ONNX and the vendors' libraries.
constexpr std::array kAliases = {
    Alias{"f32", {Dtype::f32}},
    Alias{"float32", {Dtype::f32}},
    Alias{"float", {Dtype::f32}},
    Alias{"fp32", {Dtype::f32}},
    Alias{"f16", {Dtype::f16}},
    Alias{"float16", {Dtype::f16}},
    Alias{"half", {Dtype::f16}},
    Alias{"fp16", {Dtype::f16}},
    Alias{"bf16", {Dtype::bf16}},
    Alias{"bfloat16", {Dtype::bf16}},
    Alias{"u8", {Dtype::u8}},
    Alias{"uint8", {Dtype::u8}},
    Alias{"byte", {Dtype::u8}},
    Alias{"e8m0", {Dtype::e8m0}},
    Alias{"f8_e8m0", {Dtype::e8m0}},
    Alias{"f8e8m0", {Dtype::e8m0}},
    Alias{"f8e8m0fnu", {Dtype::e8m0}},
    Alias{"fp8_e8m0", {Dtype::e8m0}},
    Alias{"float8_e8m0", {Dtype::e8m0}},
    Alias{"float8_e8m0fnu", {Dtype::e8m0}},
    Alias{"float8e8m0", {Dtype::e8m0}},
    Alias{"ue8m0", {Dtype::e8m0}},
    Alias{"e2m1", {Dtype::e2m1}},
    Alias{"f4", {Dtype::e2m1}},
    Alias{"fp4", {Dtype::e2m1}},
    Alias{"mxfp4", {Dtype::e2m1}},
    Alias{"f4_e2m1", {Dtype::e2m1}},
    Alias{"fp4_e2m1", {Dtype::e2m1}},
    Alias{"f4e2m1fn", {Dtype::e2m1}},
    Alias{"float4", {Dtype::e2m1}},
    Alias{"float4_e2m1", {Dtype::e2m1}},
    Alias{"float4_e2m1fn", {Dtype::e2m1}},
    Alias{"float4e2m1", {Dtype::e2m1}},
    Alias{"float4_e2m1fn_x2", {Dtype::e2m1, true}},
    Alias{"f4_e2m1fn_x2", {Dtype::e2m1, true}},
    Alias{"fp4x2", {Dtype::e2m1, true}},
    Alias{"i8", {Dtype::i8}},
    Alias{"int8", {Dtype::i8}},
    Alias{"u16", {Dtype::u16}},
    Alias{"uint16", {Dtype::u16}},
    Alias{"i16", {Dtype::i16}},
    Alias{"int16", {Dtype::i16}},
    Alias{"u32", {Dtype::u32}},
    Alias{"uint32", {Dtype::u32}},
    Alias{"i32", {Dtype::i32}},
    Alias{"int32", {Dtype::i32}},
    Alias{"u64", {Dtype::u64}},
    Alias{"uint64", {Dtype::u64}},
    Alias{"i64", {Dtype::i64}},
    Alias{"int64", {Dtype::i64}},
    Alias{"f64", {Dtype::f64}},
    Alias{"float64", {Dtype::f64}},
    Alias{"double", {Dtype::f64}},
};

bool equal_without_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

std::string_view dtype_name(Dtype dtype) {
  const auto* first = std::ranges::find_if(kAliases, [&](const Alias& a) { return a.means.dtype == dtype; });
  return first->name;
}

int dtype_bits(Dtype dtype) {
  switch (dtype) {
    case Dtype::f64:
    case Dtype::u64:
    case Dtype::i64:
      return 64;
    case Dtype::f32:
    case Dtype::u32:
    case Dtype::i32:
      return 32;
    case Dtype::f16:
    case Dtype::bf16:
    case Dtype::u16:
    case Dtype::i16:
      return 16;
    case Dtype::u8:
    case Dtype::i8:
    case Dtype::e8m0:
      return 8;
    case Dtype::e2m1:
      return 4;
  }
  return 0;
}

std::optional<DtypeName> find_dtype(std::string_view name) {
  // "torch.bfloat16" and "ml_dtypes.bfloat16" are what str(dtype) prints.
  for (const std::string_view module : {"torch.", "ml_dtypes.", "np.", "numpy.", "jnp."})
    if (name.starts_with(module)) name.remove_prefix(module.size());
  for (const Alias& alias : kAliases)
    if (equal_without_case(alias.name, name)) return alias.means;
  return std::nullopt;
}

std::string dtype_names() {
  std::string names;
  const Alias* last = nullptr;  // the names of a type stand together, the canonical one first
  for (const Alias& alias : kAliases) {
    if (last == nullptr || alias.means.dtype != last->means.dtype)
      names += (names.empty() ? "" : ", ") + std::string(alias.name);
    last = &alias;
  }
  return names;
}

std::string dtype_aliases(Dtype dtype) {
  std::string names;
  for (const Alias& alias : kAliases)
    if (alias.means.dtype == dtype) names += (names.empty() ? "" : ", ") + std::string(alias.name);
  return names;
}

}  // namespace mxproof
