// Where v_mfma_scale_f32_{16x16x128,32x32x64}_f8f6f4 keeps its FP4 operands, block scales and results in a
// 64-lane wave.
//
//   A[i][k]   lane i + m*(k/32)    VGPR (k%32)/8    nibble k%8, low first          (4 VGPRs a lane)
//   B[k][j]   lane j + n*(k/32)    same
//   scale of A row i, block b      lane i + m*b     (the byte is picked for the whole wave by op_sel)
//   scale of B column j, block b   lane j + n*b
//   D[i][j]   16x16: lane j + 16*(i/4),      register i%4
//             32x32: lane j + 32*((i/4)%2),  register 4*(i/8) + i%4
//
// Seen on a functional model for 16x16x128 and taken from AMD's CDNA4 ISA document for 32x32x64.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace mxproof {

inline constexpr int kWaveLanes = 64;

struct MfmaShape {
  std::string_view name;
  int m = 0;
  int n = 0;
  int k = 0;
  constexpr int blocks() const { return k / 32; }
  constexpr int result_registers() const { return m * n / kWaveLanes; }
  friend constexpr bool operator==(const MfmaShape&, const MfmaShape&) = default;
};

inline constexpr MfmaShape kMfma16x16x128{"16x16x128", 16, 16, 128};
inline constexpr MfmaShape kMfma32x32x64{"32x32x64", 32, 32, 64};
inline constexpr std::array<MfmaShape, 2> kMfmaShapes = {kMfma16x16x128, kMfma32x32x64};

/// One FP4 operand element in the registers of a wave.
struct OperandSlot {
  int lane = 0;
  int vgpr = 0;    ///< 0..3 of the operand.
  int nibble = 0;  ///< 0..7 of the dword, low first.
  friend constexpr bool operator==(const OperandSlot&, const OperandSlot&) = default;
};

/// One f32 of the result.
struct ResultSlot {
  int lane = 0;
  int vgpr = 0;
  friend constexpr bool operator==(const ResultSlot&, const ResultSlot&) = default;
};

/// Row or column and position along k of an operand element.
struct OperandCoord {
  int row = 0;
  int k = 0;
  friend constexpr bool operator==(const OperandCoord&, const OperandCoord&) = default;
};
struct ResultCoord {
  int row = 0;
  int col = 0;
  friend constexpr bool operator==(const ResultCoord&, const ResultCoord&) = default;
};

/// Slot of A[row][k], or of B[k][row]: both operands lie alike, and m == n in both shapes.
constexpr OperandSlot operand_slot(const MfmaShape& s, int row, int k) {
  return {row + s.m * (k / 32), k % 32 / 8, k % 8};
}
constexpr OperandCoord operand_coord(const MfmaShape& s, OperandSlot slot) {
  return {slot.lane % s.m, slot.lane / s.m * 32 + slot.vgpr * 8 + slot.nibble};
}

/// Lane that supplies the scale of a row of A (column of B) for one block of the instruction's K.
constexpr int scale_lane(const MfmaShape& s, int row, int block) {
  return row + s.m * block;
}

constexpr ResultSlot result_slot(const MfmaShape& s, int row, int col) {
  const int group = row / 4;                 // four rows lie in consecutive registers
  const int lane_groups = kWaveLanes / s.n;  // groups that sit side by side in the lanes
  return {col + s.n * (group % lane_groups), 4 * (group / lane_groups) + row % 4};
}
constexpr ResultCoord result_coord(const MfmaShape& s, ResultSlot slot) {
  const int lane_groups = kWaveLanes / s.n;
  return {4 * (slot.vgpr / 4 * lane_groups + slot.lane / s.n) + slot.vgpr % 4, slot.lane % s.n};
}

}  // namespace mxproof
