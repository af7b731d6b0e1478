// The conversion instruction and the portable conversion against each other and the reference: every finite
// bf16 under every scale byte that a block can have (0 to 253).
#include <gtest/gtest.h>

#include <numeric>

#include "reference/quantize.hpp"
#include "tests/optimized/convert/convert_kernel.hpp"
#include "tests/optimized/support/device_case.hpp"

namespace mxproof {
namespace {

TEST(Convert, EveryFiniteBf16UnderEveryScale) {
  // Exponent field 255 (Inf and NaN) never gets to the conversion; zeros take their place.
  std::vector<Bf16> values(65536);
  for (uint32_t i = 0; i < values.size(); ++i) {
    values[i] = Bf16{static_cast<uint16_t>((i & 0x7f80u) == 0x7f80u ? 0 : i)};
  }
  const auto count = static_cast<int64_t>(values.size());
  const auto in = expect_value(DeviceBuffer::copy_of(values));
  const auto by_instruction = expect_value(DeviceBuffer::make(count / 2));
  const auto portable = expect_value(DeviceBuffer::make(count / 2));
  for (int byte = 0; byte <= 253; ++byte) {
    run_launch(convert_launch(
        {in.as(), by_instruction.as<uint32_t>(), portable.as<uint32_t>(), static_cast<uint32_t>(byte)},
        count));
    const auto a = expect_value(by_instruction.read_all<uint8_t>());
    ASSERT_EQ(a, expect_value(portable.read_all<uint8_t>())) << "scale byte " << byte;
    for (size_t i = 0; i < values.size(); ++i) {
      const uint8_t code = i % 2 == 0 ? a[i / 2] & 0xf : a[i / 2] >> 4;
      ASSERT_EQ(int{code},
                int{reference::element_code(values[i].to_float(), byte - 127, TieRule::nearest_even)})
          << "bf16 bits " << values[i].bits << ", scale byte " << byte;
    }
  }
}

}  // namespace
}  // namespace mxproof
