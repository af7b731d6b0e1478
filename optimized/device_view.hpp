// Typed device pointers: what a kernel launcher takes. The layout is part of the type, so that a buffer in
// another layout does not compile.
#pragma once

#include <cstdint>

#include "common/format/bf16.hpp"
#include "common/layout/codes_16x16.hpp"
#include "common/layout/row_major.hpp"
#include "common/layout/scale_32x8.hpp"
#include "common/matrix.hpp"

namespace mxproof {

/// Bytes on the device in layout L (codes or scales).
template <ByteLayout L>
struct DeviceView {
  uint8_t* data = nullptr;
  L layout;
};

using DeviceCodes = DeviceView<CodesRowMajor>;
using DeviceCodes16x16 = DeviceView<Codes16x16>;
using DeviceScales = DeviceView<ScaleRowMajor>;
using DeviceScales32x8 = DeviceView<Scale32x8>;

/// bf16 rows on the device, `stride` elements apart.
using DeviceBf16 = MatrixView<Bf16>;
using DeviceConstBf16 = MatrixView<const Bf16>;

}  // namespace mxproof
