// The unscaled matrix instructions, v_mfma_*, from one table of shapes.
//
// With B blocks of M x N x K and E elements a lane (E * 64 = M * K * B):
//   A[block][i][k]   lane i + M * (block + B * (k / E)), element k % E
//   B[block][k][j]   lane j + N * (block + B * (k / E)), element k % E
//   D[block][i][j]   32x32: register 16 * block + 4 * (i / 8) + i % 4, lane j + 32 * ((i / 4) % 2)
//                    16x16: register 4 * block + i % 4, lane j + 16 * (i / 4);  4x4: register i, lane j + 4 *
//                    block f64 16x16: registers of i / 4, lane j + 16 * (i % 4);  f64 4x4: lane j + 4 * block
//                    + 16 * i
// Source: AMD matrix instruction calculator. How the chip rounds inside is not public: by default sums go
// through k in order, each product and addition fused and rounded once to nearest even;
// mfma_dense_accumulation has the other models. Inside the exact zone no order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/matrix.cpp"
#include <hwy/foreach_target.h>
//
#include <limits>
#include <vector>

#include "emulator/isa/lanes-inl.hpp"
#include "emulator/isa/matrix_format.hpp"
#include "emulator/isa/matrix_model.hpp"
#include "emulator/isa/matrix_operand.hpp"
#include "emulator/isa/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

using u32 = uint32_t;

constexpr int kLargest = 32;  ///< M and N at most.

/// cbsz and abid: groups of 2^cbsz blocks all read block `abid` of their group of A.
HWY_INLINE int a_block(const MatrixShape& shape, int block, int cbsz, int abid) {
  if (shape.blocks == 1 || cbsz == 0) return block;
  const int group = 1 << cbsz;
  return (block & ~(group - 1)) + (abid & (group - 1));
}

/// blgp: which lane of B is read for `lane`.
HWY_INLINE int b_lane(int lane, int blgp) {
  switch (blgp) {
    case 1:
      return lane & 31;  // the first 32 lanes for both halves
    case 2:
      return 32 | (lane & 31);  // the second 32
    case 3:
      return (lane + 16) & 63;  // rotated by 16
    case 4:
    case 5:
    case 6:
    case 7:
      return 16 * (blgp - 4) + (lane & 15);  // one group of 16 for all
    default:
      return lane;
  }
}

template <class T>
struct Tile {
  alignas(64) T a[kLargest * 64];  ///< a[k * M + i]
  alignas(64) T b[kLargest * 64];  ///< b[k * N + j]
  alignas(64) T d[kLargest * kLargest];
};

HWY_INLINE u32 element_bits(const Wave& w, uint16_t reg, int lane, int element, int bits) {
  const int at = element * bits;
  return w.row(static_cast<uint16_t>(reg + at / 32))[lane] >> (at % 32);
}

template <class T>
HWY_INLINE T load_element(const Wave& w, uint16_t reg, int lane, int element, MatrixElement type) {
  const u32 bits = element_bits(w, reg, lane, element, element_size(type));
  if constexpr (std::is_same_v<T, int32_t>) {
    return static_cast<int8_t>(bits);
  } else if constexpr (std::is_same_v<T, double>) {
    const auto at = static_cast<uint16_t>(reg + 2 * element);
    return std::bit_cast<double>(w.row(at)[lane] | uint64_t{w.row(static_cast<uint16_t>(at + 1))[lane]}
                                                       << 32);
  } else {
    return element_value(type, bits);
  }
}

/// d[i][j] += a[i][k] * b[k][j], k ascending.
template <class T>
HWY_INLINE void multiply(const MatrixShape& shape, Tile<T>& t) {
  for (int i = 0; i < shape.m; ++i) {
    for (int k = 0; k < shape.k; ++k) {
      const T a = t.a[k * shape.m + i];
      const T* HWY_RESTRICT b = &t.b[k * shape.n];
      T* HWY_RESTRICT d = &t.d[i * shape.n];
      for (int j = 0; j < shape.n; ++j) {
        if constexpr (std::is_same_v<T, int32_t>) {
          d[j] = static_cast<int32_t>(static_cast<u32>(d[j]) + static_cast<u32>(a * b[j]));
        } else if constexpr (std::is_same_v<T, double>) {
          d[j] = __builtin_fma(a, b[j], d[j]);
        } else {
          d[j] = __builtin_fmaf(a, b[j], d[j]);
        }
      }
    }
  }
}

/// The same by a model of accumulation whose terms are the products.
void multiply_by_model(MfmaDenseAccumulation model, const MatrixShape& shape, Tile<float>& t) {
  std::array<BlockSum, 64> products;
  for (int i = 0; i < shape.m; ++i) {
    for (int j = 0; j < shape.n; ++j) {
      for (int k = 0; k < shape.k; ++k) products[k] = product_of(t.a[k * shape.m + i], t.b[k * shape.n + j]);
      float& d = t.d[i * shape.n + j];
      // Both switches name the same models in the same order.
      d = accumulate_blocks(static_cast<MfmaAccumulation>(model), d, std::span(products).first(shape.k));
    }
  }
}
static_assert(static_cast<int>(MfmaDenseAccumulation::tree) == static_cast<int>(MfmaAccumulation::tree) &&
              static_cast<int>(MfmaDenseAccumulation::fused) == static_cast<int>(MfmaAccumulation::fused));

struct Place {
  int reg;
  int lane;
};
HWY_INLINE Place d_place(const MatrixShape& shape, int block, int i, int j) {
  if (shape.a == MatrixElement::f64) {
    return shape.m == 16 ? Place{2 * (i / 4), j + 16 * (i % 4)} : Place{0, j + 4 * block + 16 * i};
  }
  if (shape.m == 32) return {16 * block + 4 * (i / 8) + i % 4, j + 32 * ((i / 4) % 2)};
  if (shape.m == 16) return {4 * block + i % 4, j + 16 * (i / 4)};
  return {i, j + 4 * block};
}

template <class T>
HWY_INLINE T load_c(const Wave& w, const Source& c, Place place) {
  const auto word = [&](int k) {
    if (c.kind == SourceKind::vector) return w.row(static_cast<uint16_t>(c.reg + place.reg + k))[place.lane];
    return c.constant[k * kLanes];
  };
  if constexpr (sizeof(T) == 8) {
    return std::bit_cast<T>(word(0) | uint64_t{word(1)} << 32);
  } else {
    return std::bit_cast<T>(word(0));
  }
}
template <class T>
HWY_INLINE void store_d(Wave& w, uint16_t dst, Place place, T value) {
  // The sign and payload of a NaN are not public; one pattern keeps every host alike.
  if (value != value) {
    const T nan = std::numeric_limits<T>::quiet_NaN();
    value = w.settings.mfma_nan == MfmaNan::negative ? -nan : nan;
  }
  uint32_t* row = w.row(static_cast<uint16_t>(dst + place.reg));
  LaneType<T>::store(row, place.lane, value);
}

template <class T>
void mfma(const Instruction& inst, Wave& w) {
  const MatrixShape& shape = matrix_shape(inst.extra);
  const int cbsz = inst.offset & 7;
  const int abid = (inst.offset >> 3) & 15;
  const int blgp = (inst.offset >> 7) & 7;
  // On f64, blgp negates A, B and C instead.
  const bool negates = std::is_same_v<T, double>;
  const int per_lane = shape.elements_per_lane();
  static thread_local Tile<T> t;
  alignas(64) T results[16 * kLargest * kLargest / 4];  // at most 2048 values: 64 lanes of 32 registers
  static_assert(sizeof(results) / sizeof(T) >= 2048);
  for (int block = 0; block < shape.blocks; ++block) {
    const int from = a_block(shape, block, cbsz, abid);
    for (int k = 0; k < shape.k; ++k) {
      const int group = k / per_lane;
      for (int i = 0; i < shape.m; ++i) {
        const int lane = i + shape.m * (from + shape.blocks * group);
        const T value = load_element<T>(w, inst.src[kMatrixA].reg, lane, k % per_lane, shape.a);
        t.a[k * shape.m + i] = negates && (blgp & 1) != 0 ? -value : value;
      }
      for (int j = 0; j < shape.n; ++j) {
        const int lane = j + shape.n * (block + shape.blocks * group);
        const T value = load_element<T>(w, inst.src[kMatrixB].reg, negates ? lane : b_lane(lane, blgp),
                                        k % per_lane, shape.b);
        t.b[k * shape.n + j] = negates && (blgp & 2) != 0 ? -value : value;
      }
    }
    for (int i = 0; i < shape.m; ++i) {
      for (int j = 0; j < shape.n; ++j) {
        const T value = load_c<T>(w, inst.src[kMatrixC], d_place(shape, block, i, j));
        t.d[i * shape.n + j] = negates && (blgp & 4) != 0 ? -value : value;
      }
    }
    if constexpr (std::is_same_v<T, float>) {
      const auto model = w.settings.mfma_dense_accumulation;
      if (model == MfmaDenseAccumulation::sequential) {
        multiply(shape, t);
      } else {
        multiply_by_model(model, shape, t);
      }
    } else {
      multiply(shape, t);
    }
    const size_t values = static_cast<size_t>(shape.m) * static_cast<size_t>(shape.n);
    std::memcpy(results + static_cast<size_t>(block) * values, t.d, sizeof(T) * values);
  }
  // D may be A or B: nothing is written before everything is read.
  for (int block = 0; block < shape.blocks; ++block) {
    for (int i = 0; i < shape.m; ++i) {
      for (int j = 0; j < shape.n; ++j) {
        store_d(w, inst.dst, d_place(shape, block, i, j), results[(block * shape.m + i) * shape.n + j]);
      }
    }
  }
}

Status build(const BuildContext& context, Instruction& instruction) {
  const MatrixShape& shape = matrix_shape(context.row.extra);
  const auto& text = context.text;
  instruction.offset = static_cast<int32_t>(text.item("cbsz", 0, 0) | text.item("abid", 0, 0) << 3 |
                                            text.item("blgp", 0, 0) << 7);
  if (shape.a == MatrixElement::f64 && text.has("neg")) {
    for (size_t i = 0; i < 3; ++i)
      instruction.offset |= static_cast<int32_t>(text.item("neg", i, 0)) << (7 + i);
  }
  return build_matrix(context, shape.d_registers(), shape.ab_registers(), shape.ab_registers(), instruction);
}

std::vector<Row> make_rows() {
  std::vector<Row> rows;
  rows.reserve(matrix_shapes().size());
  for (uint32_t i = 0; i < matrix_shapes().size(); ++i) {
    const MatrixShape& shape = matrix_shape(i);
    const bool integer = shape.a == MatrixElement::i8;
    const bool wide = shape.a == MatrixElement::f64;
    rows.push_back({shape.name,
                    integer ? &mfma<int32_t>
                    : wide  ? &mfma<double>
                            : &mfma<float>,
                    &build,
                    InstructionClass::matrix,
                    wide      ? OperandType::f64
                    : integer ? OperandType::b32
                              : OperandType::f32,
                    {},
                    i});
  }
  return rows;
}

}  // namespace

std::span<const Row> matrix_rows() {
  static const std::vector<Row> rows = make_rows();
  return rows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(matrix_rows);
std::span<const Row> matrix_rows() {
  return HWY_DYNAMIC_DISPATCH(matrix_rows)();
}
}  // namespace mxproof::emulator
#endif
