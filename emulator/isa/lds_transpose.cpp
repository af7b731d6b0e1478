// Transposing LDS reads. Sixteen lanes at a time read a matrix of 16 columns, row after row, and each lane
// ends up with one column of it:
//
//   b16   4 rows, 4 lanes a row     b8   8 rows, 2 lanes a row     b6, b4   16 rows, a lane a row
//   result of lane i, element e = column i of row e
//
// Source: AMD CDNA4 ISA reference guide, "MFMA Transpose Load from LDS", and layouts of public kernels [S].
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/lds_transpose.cpp"
#include <hwy/foreach_target.h>
//
#include <array>

#include "emulator/isa/access_shape.hpp"
#include "emulator/isa/lds_address-inl.hpp"
#include "emulator/isa/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

constexpr int kGroup = 16;  ///< Lanes, and columns.

void ds_read(const Instruction& inst, Wave& w) {
  begin_lds(inst, w, open_lds(inst, w), static_cast<uint32_t>(inst.offset), shape_bytes(inst.extra));
}

/// Bits of an element of the 16 lanes' loads, seen as one row-major matrix.
template <int Bits, int Bytes>
HWY_INLINE uint32_t element(const std::array<std::array<uint8_t, 16>, kGroup>& loaded, int row, int column) {
  constexpr int kPerLane = Bytes * 8 / Bits;
  const int index = row * kGroup + column;
  const auto& lane = loaded[index / kPerLane];
  const int at = index % kPerLane * Bits;
  uint32_t pair;
  std::memcpy(&pair, &lane[at / 8], sizeof pair);
  return (pair >> (at % 8)) & ((1U << Bits) - 1U);
}

template <int Bits, int Bytes>
void complete(LdsAccess& access, Wave& w) {
  constexpr int kRows = Bytes * 8 / Bits;  // a lane's result has as many elements as its load
  constexpr int kWords = Bytes / 4;
  const Instruction& inst = *access.inst;
  for (int first = 0; first < kLanes; first += kGroup) {
    std::array<std::array<uint8_t, 16>, kGroup> loaded{};  // inactive lanes load nothing
    for (int i = 0; i < kGroup; ++i) {
      if (((access.exec >> (first + i)) & 1U) == 0) continue;
      std::memcpy(loaded[i].data(), lds_at(w, access.address[first + i], static_cast<uint32_t>(inst.offset)),
                  Bytes);
    }
    for (int i = 0; i < kGroup; ++i) {
      if (((access.exec >> (first + i)) & 1U) == 0) continue;
      std::array<uint32_t, kWords + 1> words{};
      for (int e = 0; e < kRows; ++e) {
        const uint64_t placed = uint64_t{element<Bits, Bytes>(loaded, e, i)} << (e * Bits % 32);
        words[e * Bits / 32] |= static_cast<uint32_t>(placed);
        words[e * Bits / 32 + 1] |= static_cast<uint32_t>(placed >> 32);
      }
      for (int k = 0; k < kWords; ++k) w.row(static_cast<uint16_t>(inst.dst + k))[first + i] = words[k];
    }
  }
}

Status build(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 2); !s.ok()) return s;
  instruction.offset = static_cast<int32_t>(context.words[0] & 0xffffU);
  if (Status s = build_destination(context, 0, shape_rows(context.row.extra), instruction); !s.ok()) return s;
  return build_lds_register(context, 1, 1, kLdsAddress, instruction);
}

template <int Bits, int Bytes>
constexpr Row row(std::string_view name) {
  return {name, &ds_read, &build,  InstructionClass::lds, OperandType::none,
          {},   Bytes,    nullptr, &complete<Bits, Bytes>};
}

constexpr Row kRows[] = {
    row<16, 8>("ds_read_b64_tr_b16"),
    row<8, 8>("ds_read_b64_tr_b8"),
    row<6, 12>("ds_read_b96_tr_b6"),
    row<4, 8>("ds_read_b64_tr_b4"),
};

}  // namespace

std::span<const Row> lds_transpose_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(lds_transpose_rows);
std::span<const Row> lds_transpose_rows() {
  return HWY_DYNAMIC_DISPATCH(lds_transpose_rows)();
}
}  // namespace mxproof::emulator
#endif
