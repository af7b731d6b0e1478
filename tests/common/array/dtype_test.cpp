#include "common/array/dtype.hpp"

#include <gtest/gtest.h>

namespace mxproof {
namespace {

TEST(FindDtype, KnowsThePublicNames) {
  const std::pair<const char*, Dtype> names[] = {{"float32", Dtype::f32},
                                                 {"F32", Dtype::f32},
                                                 {"torch.float16", Dtype::f16},
                                                 {"BF16", Dtype::bf16},
                                                 {"bfloat16", Dtype::bf16},
                                                 {"ml_dtypes.bfloat16", Dtype::bf16},
                                                 {"uint8", Dtype::u8},
                                                 {"U8", Dtype::u8},
                                                 {"F8_E8M0", Dtype::e8m0},
                                                 {"float8_e8m0fnu", Dtype::e8m0},
                                                 {"torch.float8_e8m0fnu", Dtype::e8m0},
                                                 {"F4", Dtype::e2m1},
                                                 {"int8", Dtype::i8},
                                                 {"U16", Dtype::u16},
                                                 {"np.int16", Dtype::i16},
                                                 {"uint32", Dtype::u32},
                                                 {"torch.int32", Dtype::i32},
                                                 {"U64", Dtype::u64},
                                                 {"I64", Dtype::i64},
                                                 {"float64", Dtype::f64},
                                                 {"torch.double", Dtype::f64},
                                                 {"float4_e2m1fn", Dtype::e2m1},
                                                 {"float4_e2m1fn_x2", Dtype::e2m1}};
  for (const auto& [name, dtype] : names) {
    const auto found = find_dtype(name);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->dtype, dtype) << name;
    EXPECT_EQ(found->pair, std::string_view(name).ends_with("x2")) << name;
  }
  for (const char* name : {"", "f128", "int4", "u1", "float8_e4m3fn", "bf", "bf161"})
    EXPECT_FALSE(find_dtype(name)) << name;
}

TEST(DtypeName, IsFoundAgain) {
  for (const Dtype dtype :
       {Dtype::f32, Dtype::f16, Dtype::bf16, Dtype::u8, Dtype::e8m0, Dtype::e2m1, Dtype::i8, Dtype::u16,
        Dtype::i16, Dtype::u32, Dtype::i32, Dtype::u64, Dtype::i64, Dtype::f64}) {
    const auto found = find_dtype(dtype_name(dtype));
    ASSERT_TRUE(found) << dtype_name(dtype);
    EXPECT_EQ(found->dtype, dtype);
    EXPECT_FALSE(found->pair);
  }
  EXPECT_EQ(dtype_names(), "f32, f16, bf16, u8, e8m0, e2m1, i8, u16, i16, u32, i32, u64, i64, f64");
}

}  // namespace
}  // namespace mxproof
