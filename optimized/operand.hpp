// A device buffer as the callers of a plan see it: address, size and the layout that its bytes are in.
#pragma once

#include <cstdint>

#include "common/layout/layout_tag.hpp"

namespace mxproof {

struct Operand {
  void* data = nullptr;
  int64_t bytes = 0;
  LayoutTag layout = LayoutTag::bf16_rows;
};

}  // namespace mxproof
