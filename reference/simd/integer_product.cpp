// Layout of the work, for vectors of L int32 lanes and P = V * L rows of A ("panel"):
//
//   packed A   dword (k/2, lane): elements k and k+1 of one row, as two int16; lanes are rows
//              [ k=0,1: row 0 | row 1 | ... | row P-1 ] [ k=2,3: row 0 | ... ]
//   group of B kGroup rows in natural order, int16; the dword (k, k+1) of a row is broadcast to all lanes
//
// acc[j][v] += pairwise products: V loads and kGroup broadcasts feed V * kGroup multiply-adds.
#include "reference/simd/integer_product.hpp"

#include <algorithm>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reference/simd/integer_product.cpp"
#include <hwy/aligned_allocator.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mxproof::reference::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int kGroup = 6;
/// Bytes of A that are packed at a time, small enough to stay in a second-level cache.
constexpr int64_t kPackedBytes = 768 * 1024;

using DoubledTable = hn::FixedTag<int8_t, 16>;

alignas(16) constexpr int8_t kDoubled[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

/// Decodes one row to int16: doubled code value << (block exponent - lowest), in natural order.
void decode_row(const Mxfp4Matrix& m, int64_t row, const RowProfile& profile, int16_t* HWY_RESTRICT out) {
  const int64_t blocks = m.cols / kBlock;
  if (!profile.narrow) {
    std::fill_n(out, m.cols, int16_t{0});
    return;
  }
  const DoubledTable d8;
  const hn::FixedTag<uint8_t, 16> du8;
  const hn::FixedTag<int16_t, 8> d16;
  const auto table = hn::Load(d8, kDoubled);
  const auto nibble = hn::Set(du8, uint8_t{0x0f});
  const uint8_t* codes = m.code_row(row);
  const uint8_t* scales = m.scale_row(row);
  for (int64_t b = 0; b < blocks; ++b) {
    // A block of zeros may lie below the lowest exponent; its shift does not matter.
    const int shift = std::clamp(int{scales[b]} - 127 - profile.lowest, 0, kNarrowSpan);
    const auto pair = hn::LoadU(du8, codes + 16 * b);
    const auto low = hn::TableLookupBytes(table, hn::BitCast(d8, hn::And(pair, nibble)));
    const auto high = hn::TableLookupBytes(
        table,
        hn::BitCast(
            d8, hn::And(hn::BitCast(du8, hn::ShiftRight<4>(hn::BitCast(hn::FixedTag<uint16_t, 8>(), pair))),
                        nibble)));
    const auto first = hn::InterleaveLower(d8, low, high);
    const auto second = hn::InterleaveUpper(d8, low, high);
    int16_t* to = out + kBlock * b;
    const hn::Half<DoubledTable> half8;
    hn::StoreU(hn::ShiftLeftSame(hn::PromoteTo(d16, hn::LowerHalf(half8, first)), shift), d16, to);
    hn::StoreU(hn::ShiftLeftSame(hn::PromoteTo(d16, hn::UpperHalf(half8, first)), shift), d16, to + 8);
    hn::StoreU(hn::ShiftLeftSame(hn::PromoteTo(d16, hn::LowerHalf(half8, second)), shift), d16, to + 16);
    hn::StoreU(hn::ShiftLeftSame(hn::PromoteTo(d16, hn::UpperHalf(half8, second)), shift), d16, to + 24);
  }
}

/// kGroup x V vectors of sums over `pairs` dwords.
template <int V>
HWY_INLINE void multiply_tile(const int32_t* HWY_RESTRICT panel, const int16_t* HWY_RESTRICT group,
                              int64_t pairs, int32_t* HWY_RESTRICT sums) {
  const hn::ScalableTag<int32_t> d32;
  const hn::Repartition<int16_t, decltype(d32)> d16;
  using Sum = hn::Vec<decltype(d32)>;
  const size_t lanes = hn::Lanes(d32);
  // Some instruction sets sum even and odd products apart; the pair is joined at the end.
  Sum even[kGroup][V];
  Sum odd[kGroup][V];
  for (int j = 0; j < kGroup; ++j) {
    for (int v = 0; v < V; ++v) even[j][v] = odd[j][v] = hn::Zero(d32);
  }
  const int64_t stride = 2 * pairs;
  for (int64_t p = 0; p < pairs; ++p) {
    hn::Vec<decltype(d16)> rows[V];
    for (int v = 0; v < V; ++v) rows[v] = hn::BitCast(d16, hn::Load(d32, panel + (p * V + v) * lanes));
    for (int j = 0; j < kGroup; ++j) {
      int32_t pair;
      hwy::CopyBytes<sizeof(pair)>(group + j * stride + 2 * p, &pair);
      const auto broadcast = hn::BitCast(d16, hn::Set(d32, pair));
      for (int v = 0; v < V; ++v) {
        even[j][v] = hn::ReorderWidenMulAccumulate(d32, rows[v], broadcast, even[j][v], odd[j][v]);
      }
    }
  }
  for (int j = 0; j < kGroup; ++j) {
    for (int v = 0; v < V; ++v) {
      hn::Store(hn::RearrangeToOddPlusEven(even[j][v], odd[j][v]), d32, sums + (j * V + v) * lanes);
    }
  }
}

/// Scales and rounds the sums of one B row: f32 and bf16 of `rows` lanes.
void round_sums(const int32_t* HWY_RESTRICT sums, const float* HWY_RESTRICT row_scale, float col_scale,
                int64_t lanes, float* HWY_RESTRICT f32, uint32_t* HWY_RESTRICT bf16) {
  const hn::ScalableTag<int32_t> di;
  const hn::ScalableTag<float> df;
  const hn::ScalableTag<uint32_t> du;
  const auto scale = hn::Set(df, col_scale);
  for (int64_t i = 0; i < lanes; i += static_cast<int64_t>(hn::Lanes(di))) {
    // One rounding, in the conversion; both scalings are by powers of two and stay normal.
    const auto value =
        hn::Mul(hn::Mul(hn::ConvertTo(df, hn::Load(di, sums + i)), hn::Load(df, row_scale + i)), scale);
    hn::Store(value, df, f32 + i);
    const auto bits = hn::BitCast(du, value);
    const auto last = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
    hn::Store(hn::ShiftRight<16>(hn::Add(bits, hn::Add(last, hn::Set(du, 0x7fffu)))), du, bf16 + i);
  }
}

float power_of_two(int exponent) {
  return std::bit_cast<float>(static_cast<uint32_t>(exponent + 127) << 23);
}

/// The rows [first, first + P) of A, packed and their scales; rows past the end are zeros.
template <int V>
struct Panel {
  int64_t first_row = 0;
  hwy::AlignedFreeUniquePtr<int32_t[]> packed;
  hwy::AlignedFreeUniquePtr<float[]> scale;
};

template <int V>
Panel<V> pack_panel(const IntegerProductJob& job, int64_t first_row, int16_t* HWY_RESTRICT scratch) {
  const int64_t lanes = V * static_cast<int64_t>(hn::Lanes(hn::ScalableTag<int32_t>()));
  const int64_t pairs = job.a.cols / 2;
  Panel<V> panel;
  panel.first_row = first_row;
  panel.packed = hwy::AllocateAligned<int32_t>(static_cast<size_t>(pairs * lanes));
  panel.scale = hwy::AllocateAligned<float>(static_cast<size_t>(lanes));
  for (int64_t lane = 0; lane < lanes; ++lane) {
    const int64_t row = first_row + lane;
    int32_t* to = panel.packed.get() + lane;
    panel.scale[static_cast<size_t>(lane)] = 0.0f;
    if (row >= job.a.rows) {
      for (int64_t p = 0; p < pairs; ++p) to[p * lanes] = 0;
      continue;
    }
    const RowProfile& profile = job.a_rows[static_cast<size_t>(row)];
    decode_row(job.a, row, profile, scratch);
    for (int64_t p = 0; p < pairs; ++p) hwy::CopyBytes<sizeof(int32_t)>(scratch + 2 * p, to + p * lanes);
    panel.scale[static_cast<size_t>(lane)] = power_of_two(std::clamp(profile.lowest, kMinLowest, kMaxLowest));
  }
  return panel;
}

template <int V>
void multiply_rows(const IntegerProductJob& job, int64_t first_row, int64_t last_row, MatrixView<float> f32,
                   MatrixView<Bf16> bf16) {
  const int64_t lanes = V * static_cast<int64_t>(hn::Lanes(hn::ScalableTag<int32_t>()));
  const int64_t k = job.a.cols;
  auto group = hwy::AllocateAligned<int16_t>(static_cast<size_t>(kGroup * k));
  auto sums = hwy::AllocateAligned<int32_t>(static_cast<size_t>(kGroup * lanes));
  auto values = hwy::AllocateAligned<float>(static_cast<size_t>(kGroup * lanes));
  auto narrow = hwy::AllocateAligned<uint32_t>(static_cast<size_t>(kGroup * lanes));

  std::vector<Panel<V>> panels;
  for (int64_t row = first_row; row < last_row; row += lanes)
    panels.push_back(pack_panel<V>(job, row, group.get()));

  for (int64_t col = job.first_col; col < job.last_col; col += kGroup) {
    const int64_t cols = std::min<int64_t>(kGroup, job.last_col - col);
    for (int64_t j = 0; j < cols; ++j) {
      decode_row(job.b, col + j, job.b_rows[static_cast<size_t>(col + j)], group.get() + j * k);
    }
    std::fill(group.get() + cols * k, group.get() + kGroup * k, int16_t{0});
    for (const Panel<V>& panel : panels) {
      multiply_tile<V>(panel.packed.get(), group.get(), k / 2, sums.get());
      for (int64_t j = 0; j < cols; ++j) {
        const int lowest = job.b_rows[static_cast<size_t>(col + j)].lowest;
        round_sums(sums.get() + j * lanes, panel.scale.get(),
                   power_of_two(std::clamp(lowest, kMinLowest, kMaxLowest) - 2), lanes,
                   values.get() + j * lanes, narrow.get() + j * lanes);
      }
      const int64_t rows = std::min(lanes, last_row - panel.first_row);
      for (int64_t r = 0; r < rows; ++r) {
        float* to_f32 = f32.row(panel.first_row + r) + col;
        Bf16* to_bf16 = bf16.row(panel.first_row + r) + col;
        for (int64_t j = 0; j < cols; ++j) {
          to_f32[j] = values[static_cast<size_t>(j * lanes + r)];
          to_bf16[j].bits = static_cast<uint16_t>(narrow[static_cast<size_t>(j * lanes + r)]);
        }
      }
    }
  }
}

void integer_product(const IntegerProductJob& job, MatrixView<float> f32, MatrixView<Bf16> bf16) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<int32_t>()));
  // As many rows as the packed budget allows, whole panels of the widest tile.
  constexpr int kWidest = HWY_MAX_BYTES >= 64 ? 4 : 2;
  const int64_t panel = kWidest * lanes;
  const int64_t chunk = std::max<int64_t>(1, kPackedBytes / (2 * job.a.cols) / panel) * panel;
  for (int64_t row = 0; row < job.a.rows; row += chunk) {
    const int64_t end = std::min(job.a.rows, row + chunk);
    if (end - row <= lanes) {
      multiply_rows<1>(job, row, end, f32, bf16);
    } else if (end - row <= 2 * lanes) {
      multiply_rows<2>(job, row, end, f32, bf16);
    } else {
      multiply_rows<kWidest>(job, row, end, f32, bf16);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace mxproof::reference::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::reference::simd {

HWY_EXPORT(integer_product);

void integer_product(const IntegerProductJob& job, MatrixView<float> f32, MatrixView<Bf16> bf16) {
  HWY_DYNAMIC_DISPATCH(integer_product)(job, f32, bf16);
}

}  // namespace mxproof::reference::simd
#endif
