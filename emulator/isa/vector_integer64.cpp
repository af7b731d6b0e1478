// 64-bit integer instructions of the vector ALU, and 32-bit products of full width.
// Source of the operations: AMD CDNA3 ISA reference guide, chapter "Instructions", VOP3.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/vector_integer64.cpp"
#include <hwy/foreach_target.h>
//
#include "emulator/isa/lanes-inl.hpp"
#include "emulator/isa/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;
using i64 = int64_t;

MXPROOF_LANE u64 v_mov_b64(u64 a) {
  return a;
}
MXPROOF_LANE u64 v_lshlrev_b64(u32 a, u64 b) {
  return b << (a & 63U);
}
MXPROOF_LANE u64 v_lshrrev_b64(u32 a, u64 b) {
  return b >> (a & 63U);
}
MXPROOF_LANE i64 v_ashrrev_i64(u32 a, i64 b) {
  return b >> (a & 63U);
}
MXPROOF_LANE u64 v_lshl_add_u64(u64 a, u32 b, u64 c) {
  return (a << (b & 63U)) + c;
}

constexpr Row kRows[] = {
    MXPROOF_ROW(v_mov_b64),     MXPROOF_ROW(v_lshlrev_b64),  MXPROOF_ROW(v_lshrrev_b64),
    MXPROOF_ROW(v_ashrrev_i64), MXPROOF_ROW(v_lshl_add_u64),
};

}  // namespace

std::span<const Row> vector_integer64_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(vector_integer64_rows);
std::span<const Row> vector_integer64_rows() {
  return HWY_DYNAMIC_DISPATCH(vector_integer64_rows)();
}
}  // namespace mxproof::emulator
#endif
