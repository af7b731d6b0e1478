#include "common/packing/mxfp4_packing.hpp"

#include <gtest/gtest.h>

#include "common/format/e2m1.hpp"
#include "common/random/fill.hpp"

namespace mxproof {
namespace {

/// Two rows of 64 elements, element k of row r with code (k + 3r) % 16, scales 10, 20, 30, 40.
Mxfp4Matrix counting() {
  Mxfp4Matrix m(2, 64);
  for (int64_t r = 0; r < 2; ++r) {
    for (int64_t k = 0; k < 64; ++k)
      m.code_row(r)[k / 2] |= static_cast<uint8_t>((k + 3 * r) % 16 << (k % 2 * 4));
  }
  m.scales = {10, 20, 30, 40};
  return m;
}

TEST(Packing, HighFirstExchangesNibbles) {
  const std::vector<uint8_t> codes = export_codes(counting(), Mxfp4Packing::high_first);
  EXPECT_EQ(codes[0], 0x01);
  EXPECT_EQ(codes[1], 0x23);
  // Element 0 of 0x72 is 2 low-first and 7 high-first.
  const std::vector<uint8_t> byte(16, 0x72);
  const std::vector<uint8_t> scale(1, 127);
  EXPECT_EQ(e2m1_code_at(import_mxfp4(byte, scale, 1, 32).value().code_row(0), 0), 2);
  EXPECT_EQ(e2m1_code_at(import_mxfp4(byte, scale, 1, 32, Mxfp4Packing::high_first).value().code_row(0), 0),
            7);
}

TEST(Packing, GgmlRecordsPairElementsSixteenApart) {
  const std::vector<uint8_t> records = export_ggml(counting());
  ASSERT_EQ(records.size(), 4u * 17);
  EXPECT_EQ(records[0], 10);
  EXPECT_EQ(records[17], 20);
  for (int j = 0; j < 16; ++j) {
    EXPECT_EQ(records[static_cast<size_t>(1 + j)], j | j << 4);  // codes repeat every 16 elements
    EXPECT_EQ(records[static_cast<size_t>(2 * 17 + 1 + j)] & 0xf, (j + 3) % 16);
  }
}

TEST(Packing, EveryOrderComesBack) {
  constexpr uint64_t kSeed = 0x5eed0030;
  Mxfp4Matrix m(5, 96);
  fill_bytes(m.codes, kSeed, TensorId::a);
  fill_bytes(m.scales, kSeed, TensorId::scales);
  const Mxfp4Matrix from_ggml = import_ggml(export_ggml(m), 5, 96).value();
  EXPECT_EQ(from_ggml.codes, m.codes);
  EXPECT_EQ(from_ggml.scales, m.scales);
  for (const Mxfp4Packing order : {Mxfp4Packing::low_first, Mxfp4Packing::high_first}) {
    EXPECT_EQ(import_mxfp4(export_codes(m, order), m.scales, 5, 96, order).value().codes, m.codes);
  }
}

TEST(Packing, WrongSizesAreBadInput) {
  const std::vector<uint8_t> bytes(64);
  const std::span<const uint8_t> all(bytes);
  EXPECT_EQ(import_mxfp4(all.first(16), all.first(2), 1, 32).status().message(),
            "the scales of a 1 x 32 matrix take 1 bytes, got 2");
  EXPECT_EQ(import_mxfp4(all.first(15), all.first(1), 1, 32).status().message(),
            "the codes of a 1 x 32 matrix take 16 bytes, got 15");
  EXPECT_EQ(import_ggml(all.first(16), 1, 32).status().message(),
            "the GGML blocks of a 1 x 32 matrix take 17 bytes, got 16");
  for (const auto& [rows, cols] : std::vector<std::pair<int64_t, int64_t>>{
           {0, 32}, {-1, 32}, {1, 0}, {1, 33}, {1, -32}, {int64_t{1} << 62, 32}, {1, int64_t{1} << 62}}) {
    EXPECT_EQ(import_ggml(all, rows, cols).status().code(), StatusCode::bad_input) << rows << " x " << cols;
    EXPECT_EQ(import_mxfp4(all, all, rows, cols).status().code(), StatusCode::bad_input)
        << rows << " x " << cols;
  }
}

TEST(Packing, NamesComeBack) {
  for (const char* name : {"low-first", "high-first", "ggml"})
    EXPECT_EQ(name_of(parse_packing(name).value()), name);
  EXPECT_NE(parse_packing("linear").status().message().find("high-first"), std::string::npos);
}

}  // namespace
}  // namespace mxproof
