// The register maps of both MFMA shapes, held to literals and to bijection.
#include "common/layout/mfma_operands.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace mxproof {
namespace {

TEST(MfmaOperands, LandmarksOf16x16x128) {
  const MfmaShape s = kMfma16x16x128;
  EXPECT_EQ(operand_slot(s, 0, 0), (OperandSlot{0, 0, 0}));
  EXPECT_EQ(operand_slot(s, 5, 7), (OperandSlot{5, 0, 7}));
  EXPECT_EQ(operand_slot(s, 5, 8), (OperandSlot{5, 1, 0}));
  EXPECT_EQ(operand_slot(s, 5, 32), (OperandSlot{21, 0, 0}));
  EXPECT_EQ(operand_slot(s, 15, 127), (OperandSlot{63, 3, 7}));
  EXPECT_EQ(scale_lane(s, 3, 2), 35);
  EXPECT_EQ(result_slot(s, 0, 9), (ResultSlot{9, 0}));
  EXPECT_EQ(result_slot(s, 6, 9), (ResultSlot{25, 2}));
  EXPECT_EQ(result_slot(s, 15, 15), (ResultSlot{63, 3}));
}

TEST(MfmaOperands, LandmarksOf32x32x64) {
  const MfmaShape s = kMfma32x32x64;
  EXPECT_EQ(operand_slot(s, 31, 31), (OperandSlot{31, 3, 7}));
  EXPECT_EQ(operand_slot(s, 0, 32), (OperandSlot{32, 0, 0}));
  EXPECT_EQ(scale_lane(s, 3, 1), 35);
  EXPECT_EQ(result_slot(s, 4, 9), (ResultSlot{41, 0}));
  EXPECT_EQ(result_slot(s, 8, 9), (ResultSlot{9, 4}));
  EXPECT_EQ(result_slot(s, 31, 31), (ResultSlot{63, 15}));
}

TEST(MfmaOperands, OperandsFillEveryNibbleOnce) {
  for (const MfmaShape& s : kMfmaShapes) {
    std::set<std::tuple<int, int, int>> seen;
    for (int row = 0; row < s.m; ++row) {
      for (int k = 0; k < s.k; ++k) {
        const OperandSlot slot = operand_slot(s, row, k);
        EXPECT_LT(slot.lane, kWaveLanes);
        EXPECT_LT(slot.vgpr, 4);
        EXPECT_LT(slot.nibble, 8);
        EXPECT_EQ(operand_coord(s, slot), (OperandCoord{row, k}));
        seen.insert({slot.lane, slot.vgpr, slot.nibble});
      }
    }
    EXPECT_EQ(seen.size(), size_t{64 * 4 * 8}) << s.name;
  }
}

TEST(MfmaOperands, ResultsFillEveryRegisterOnce) {
  for (const MfmaShape& s : kMfmaShapes) {
    std::set<std::pair<int, int>> seen;
    for (int row = 0; row < s.m; ++row) {
      for (int col = 0; col < s.n; ++col) {
        const ResultSlot slot = result_slot(s, row, col);
        EXPECT_LT(slot.lane, kWaveLanes);
        EXPECT_LT(slot.vgpr, s.result_registers());
        EXPECT_EQ(result_coord(s, slot), (ResultCoord{row, col}));
        seen.insert({slot.lane, slot.vgpr});
      }
    }
    EXPECT_EQ(static_cast<int>(seen.size()), s.m * s.n) << s.name;
  }
}

TEST(MfmaOperands, EveryLaneSuppliesOneScale) {
  for (const MfmaShape& s : kMfmaShapes) {
    std::set<int> lanes;
    for (int row = 0; row < s.m; ++row) {
      for (int b = 0; b < s.blocks(); ++b) lanes.insert(scale_lane(s, row, b));
    }
    EXPECT_EQ(lanes.size(), size_t{kWaveLanes}) << s.name;
  }
}

}  // namespace
}  // namespace mxproof
