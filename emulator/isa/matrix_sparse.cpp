// The sparse matrix instructions, v_smfmac_*: D += A * B, where A keeps two of every four elements along K
// and a register of indices says which.
//
//   E = M * K / 64 elements of B a lane, E / 2 of A      lane r + M * g holds k = E * g .. E * g + E - 1
//   element e of A stands for k = E * g + 4 * (e / 2) + index e      index e: bits 2 e + 1 : 2 e of the
//   lane's indices
//
// The indices of a lane take E bits. Where the register has room for several sets, abid picks one if cbsz is
// 0; if it is not, the first one counts. D lies as that of the dense instructions. Source: AMD CDNA3 ISA
// reference guide, "Sparse Matrix Arithmetic", and AMD matrix instruction calculator; gfx950's shapes of
// twice the K follow the same rule.
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "emulator/isa/matrix_format.hpp"
#include "emulator/isa/matrix_model.hpp"
#include "emulator/isa/matrix_operand.hpp"
#include "emulator/isa/rows.hpp"
#include "emulator/machine/wave.hpp"

namespace mxproof::emulator {
namespace {

struct SparseShape {
  std::string_view name;
  int m;  ///< And N.
  int k;
  MatrixElement a;
  MatrixElement b;

  constexpr int elements() const { return m * k / kLanes; }  ///< Of B, a lane.
  constexpr int b_registers() const { return elements() * element_size(b) / 32; }
  constexpr int a_registers() const { return b_registers() / 2; }
  constexpr int d_registers() const { return m * m / kLanes; }
};

using E = MatrixElement;
constexpr SparseShape kShapes[] = {
    {"v_smfmac_f32_16x16x32_f16", 16, 32, E::f16, E::f16},
    {"v_smfmac_f32_32x32x16_f16", 32, 16, E::f16, E::f16},
    {"v_smfmac_f32_16x16x32_bf16", 16, 32, E::bf16, E::bf16},
    {"v_smfmac_f32_32x32x16_bf16", 32, 16, E::bf16, E::bf16},
    {"v_smfmac_i32_16x16x64_i8", 16, 64, E::i8, E::i8},
    {"v_smfmac_i32_32x32x32_i8", 32, 32, E::i8, E::i8},
    {"v_smfmac_f32_16x16x64_bf8_bf8", 16, 64, E::bf8, E::bf8},
    {"v_smfmac_f32_16x16x64_bf8_fp8", 16, 64, E::bf8, E::fp8},
    {"v_smfmac_f32_16x16x64_fp8_bf8", 16, 64, E::fp8, E::bf8},
    {"v_smfmac_f32_16x16x64_fp8_fp8", 16, 64, E::fp8, E::fp8},
    {"v_smfmac_f32_32x32x32_bf8_bf8", 32, 32, E::bf8, E::bf8},
    {"v_smfmac_f32_32x32x32_bf8_fp8", 32, 32, E::bf8, E::fp8},
    {"v_smfmac_f32_32x32x32_fp8_bf8", 32, 32, E::fp8, E::bf8},
    {"v_smfmac_f32_32x32x32_fp8_fp8", 32, 32, E::fp8, E::fp8},
    {"v_smfmac_f32_16x16x64_f16", 16, 64, E::f16, E::f16},
    {"v_smfmac_f32_32x32x32_f16", 32, 32, E::f16, E::f16},
    {"v_smfmac_f32_16x16x64_bf16", 16, 64, E::bf16, E::bf16},
    {"v_smfmac_f32_32x32x32_bf16", 32, 32, E::bf16, E::bf16},
    {"v_smfmac_i32_16x16x128_i8", 16, 128, E::i8, E::i8},
    {"v_smfmac_i32_32x32x64_i8", 32, 64, E::i8, E::i8},
    {"v_smfmac_f32_16x16x128_bf8_bf8", 16, 128, E::bf8, E::bf8},
    {"v_smfmac_f32_16x16x128_bf8_fp8", 16, 128, E::bf8, E::fp8},
    {"v_smfmac_f32_16x16x128_fp8_bf8", 16, 128, E::fp8, E::bf8},
    {"v_smfmac_f32_16x16x128_fp8_fp8", 16, 128, E::fp8, E::fp8},
    {"v_smfmac_f32_32x32x64_bf8_bf8", 32, 64, E::bf8, E::bf8},
    {"v_smfmac_f32_32x32x64_bf8_fp8", 32, 64, E::bf8, E::fp8},
    {"v_smfmac_f32_32x32x64_fp8_bf8", 32, 64, E::fp8, E::bf8},
    {"v_smfmac_f32_32x32x64_fp8_fp8", 32, 64, E::fp8, E::fp8},
};

constexpr int kIndex = 2;  ///< The slot of the register of indices; A and B are as in matrix_operand.hpp.
constexpr int kMaxRows = 32;
constexpr int kMaxK = 128;

uint32_t element_bits(const Wave& w, uint16_t reg, int lane, int element, MatrixElement type) {
  const int at = element * element_size(type);
  return w.row(static_cast<uint16_t>(reg + at / 32))[lane] >> (at % 32);
}
template <class T>
T value_of(MatrixElement type, uint32_t bits) {
  if constexpr (std::is_same_v<T, int32_t>) {
    return static_cast<int8_t>(bits);
  } else {
    return element_value(type, bits);
  }
}

/// Sum of C and the products in the order of A's elements.
float accumulate(MfmaDenseAccumulation model, float c, std::span<const float> a, std::span<const float> b) {
  if (model == MfmaDenseAccumulation::sequential) {
    for (size_t i = 0; i < a.size(); ++i) c = std::fma(a[i], b[i], c);
    return c;
  }
  std::array<BlockSum, kMaxK / 2> products;
  for (size_t i = 0; i < a.size(); ++i) products[i] = product_of(a[i], b[i]);
  return accumulate_blocks(static_cast<MfmaAccumulation>(model), c, std::span(products).first(a.size()));
}
int32_t accumulate(MfmaDenseAccumulation, int32_t c, std::span<const int32_t> a, std::span<const int32_t> b) {
  auto sum = static_cast<uint32_t>(c);
  for (size_t i = 0; i < a.size(); ++i) sum += static_cast<uint32_t>(a[i] * b[i]);
  return static_cast<int32_t>(sum);
}

uint32_t result_bits(const Wave& w, float value) {
  if (value == value) return std::bit_cast<uint32_t>(value);
  return w.settings.mfma_nan == MfmaNan::negative ? 0xffc00000U : 0x7fc00000U;
}
uint32_t result_bits(const Wave&, int32_t value) {
  return static_cast<uint32_t>(value);
}

template <class T>
void smfmac(const Instruction& inst, Wave& w) {
  const SparseShape& shape = kShapes[inst.extra];
  const int elements = shape.elements();
  const int kept = shape.k / 2;
  // A's elements of each row in order of K, and the K that each stands for.
  static thread_local std::array<std::array<T, kMaxK / 2>, kMaxRows> a;
  static thread_local std::array<std::array<uint8_t, kMaxK / 2>, kMaxRows> position;
  static thread_local std::array<std::array<T, kMaxK>, kMaxRows> b;  // by column
  for (int lane = 0; lane < kLanes; ++lane) {
    const int row = lane % shape.m;
    const int group = lane / shape.m;
    const uint32_t indices = w.row(inst.src[kIndex].reg)[lane] >> inst.offset;
    for (int e = 0; e < elements / 2; ++e) {
      const int at = group * elements / 2 + e;
      a[row][at] = value_of<T>(shape.a, element_bits(w, inst.src[kMatrixA].reg, lane, e, shape.a));
      position[row][at] =
          static_cast<uint8_t>(group * elements + 4 * (e / 2) + static_cast<int>((indices >> (2 * e)) & 3U));
    }
    for (int e = 0; e < elements; ++e)
      b[row][group * elements + e] =
          value_of<T>(shape.b, element_bits(w, inst.src[kMatrixB].reg, lane, e, shape.b));
  }
  // D is read where it is written; A, B and the indices have been read.
  for (int i = 0; i < shape.m; ++i) {
    for (int j = 0; j < shape.m; ++j) {
      std::array<T, kMaxK / 2> column;
      for (int e = 0; e < kept; ++e) column[e] = b[j][position[i][e]];
      const int reg = shape.m == 32 ? 4 * (i / 8) + i % 4 : i % 4;
      const int lane = j + (shape.m == 32 ? 32 * ((i / 4) % 2) : 16 * (i / 4));
      uint32_t& d = w.row(static_cast<uint16_t>(inst.dst + reg))[lane];
      const auto size = static_cast<size_t>(kept);
      d = result_bits(
          w, accumulate(w.settings.mfma_dense_accumulation, std::bit_cast<T>(d),
                        std::span<const T>(a[i].data(), size), std::span<const T>(column.data(), size)));
    }
  }
}

/// vdst, A, B, indices
Status build(const BuildContext& context, Instruction& instruction) {
  const SparseShape& shape = kShapes[context.row.extra];
  if (Status s = need_operands(context, 4); !s.ok()) return s;
  if (Status s = build_destination(context, 0, shape.d_registers(), instruction); !s.ok()) return s;
  if (instruction.dst_scalar) return operand_error(context, 0, "should be vector registers");
  const std::array<int, 3> rows = {shape.a_registers(), shape.b_registers(), 1};
  for (size_t i = 0; i < rows.size(); ++i) {
    const TextOperand& operand = context.text.operands[i + 1];
    if (!is_vector(operand) || operand.count != rows[i])
      return operand_error(context, i + 1, "has the wrong number of vector registers");
    instruction.src[i] = vector_source(register_number(operand), rows[i]);
  }
  const int sets = 32 / shape.elements();
  const auto abid = static_cast<int>(context.text.item("abid", 0, 0));
  const bool picks = context.text.item("cbsz", 0, 0) == 0;
  instruction.offset = picks ? (abid % sets) * shape.elements() : 0;
  return {};
}

std::vector<Row> make_rows() {
  std::vector<Row> rows;
  for (uint32_t i = 0; i < std::size(kShapes); ++i) {
    const bool integer = kShapes[i].a == E::i8;
    rows.push_back({kShapes[i].name,
                    integer ? &smfmac<int32_t> : &smfmac<float>,
                    &build,
                    InstructionClass::matrix,
                    integer ? OperandType::b32 : OperandType::f32,
                    {},
                    i});
  }
  return rows;
}

}  // namespace

std::span<const Row> matrix_sparse_rows() {
  static const std::vector<Row> rows = make_rows();
  return rows;
}

}  // namespace mxproof::emulator
