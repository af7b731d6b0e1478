#include "tools/explain/locate.hpp"

#include <fmt/format.h>

#include "common/format/e2m1.hpp"
#include "common/layout/mfma_operands.hpp"
#include "common/layout/scale_32x8.hpp"

namespace mxproof::explain {
namespace {

std::string number(Bf16 value, Bf16 poison) {
  if (value == poison) return fmt::format("unwritten (0x{:04x})", value.bits);
  return fmt::format("{} (0x{:04x})", value.to_float(), value.bits);
}

std::string nibbles(const Mxfp4Matrix& m, Coord block) {
  std::string text = fmt::format("scale {} codes ", m.scale_row(block.row)[block.col]);
  for (int64_t i = 0; i < kBlock; ++i)
    text += fmt::format("{:x}", e2m1_code_at(m.code_row(block.row), block.col * kBlock + i));
  return text;
}

WrongCell locate_output(const Evidence& e, Coord c) {
  WrongCell cell{.at = c,
                 .expected = number(e.expected(c.row, c.col), e.poison),
                 .actual = number(e.runs.front()(c.row, c.col), e.poison)};
  cell.place = fmt::format("byte {}", 2 * (c.row * e.expected.cols + c.col));
  for (const MfmaShape& s : kMfmaShapes) {
    const ResultSlot slot = result_slot(s, static_cast<int>(c.row % s.m), static_cast<int>(c.col % s.n));
    cell.place += fmt::format("; {}: lane {} register {}", s.name, slot.lane, slot.vgpr);
  }
  return cell;
}

WrongCell locate_block(const Evidence& e, Coord c) {
  WrongCell cell{.at = c, .expected = nibbles(e.wanted, c), .actual = nibbles(e.got, c)};
  int64_t k = c.col * kBlock;
  while (k < (c.col + 1) * kBlock - 1 &&
         e2m1_code_at(e.wanted.code_row(c.row), k) == e2m1_code_at(e.got.code_row(c.row), k)) {
    ++k;
  }
  const Extent scales{e.wanted.rows, e.wanted.cols / kBlock};
  const MfmaShape s = kMfma16x16x128;
  const OperandSlot slot = operand_slot(s, static_cast<int>(c.row % s.m), static_cast<int>(k % s.k));
  cell.place = fmt::format(
      "element k={}: byte {} {} nibble, lane {} register {} nibble {} ({}); scale: byte {} row-major, {} in "
      "scale_32x8",
      k, c.row * e.wanted.cols / 2 + k / 2, k % 2 ? "high" : "low", slot.lane, slot.vgpr, slot.nibble, s.name,
      c.row * scales.cols + c.col, Scale32x8(scales).offset(c));
  return cell;
}

}  // namespace

WrongCell locate(const Evidence& evidence, Coord cell) {
  return evidence.subject == Subject::quantised ? locate_block(evidence, cell)
                                                : locate_output(evidence, cell);
}

}  // namespace mxproof::explain
