// Moving a lane's bytes between memory and registers when a vector memory operation completes.
// Included once per host SIMD level (Highway's foreach_target).
#if defined(MXPROOF_EMULATOR_ISA_VECTOR_TRANSFER_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MXPROOF_EMULATOR_ISA_VECTOR_TRANSFER_INL_HPP
#undef MXPROOF_EMULATOR_ISA_VECTOR_TRANSFER_INL_HPP
#else
#define MXPROOF_EMULATOR_ISA_VECTOR_TRANSFER_INL_HPP
#endif

#include "emulator/isa/access_shape.hpp"
#include "emulator/isa/host_address.hpp"
#include "emulator/isa/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {

HWY_INLINE uint32_t sign_extended(uint32_t value, size_t bits) {
  const auto up = static_cast<int>(32 - bits);
  return static_cast<uint32_t>(static_cast<int32_t>(value << up) >> up);
}

/// to[k][lane] = from[lane * N + k] for all lanes: records to rows.
template <int N>
HWY_INLINE void records_to_rows(const uint32_t* HWY_RESTRICT from, uint32_t* HWY_RESTRICT to) {
  if constexpr (N == 1) {
    std::memcpy(to, from, sizeof(uint32_t) * kLanes);
  } else {
    const hn::CappedTag<uint32_t, 16> d;
    constexpr int kStep = static_cast<int>(HWY_MIN(HWY_LANES(uint32_t), 16));
    for (int lane = 0; lane < kLanes; lane += kStep) {
      hn::Vec<decltype(d)> a;
      hn::Vec<decltype(d)> b;
      hn::Vec<decltype(d)> c;
      hn::Vec<decltype(d)> e;
      if constexpr (N == 2) hn::LoadInterleaved2(d, from + lane * N, a, b);
      if constexpr (N == 3) hn::LoadInterleaved3(d, from + lane * N, a, b, c);
      if constexpr (N == 4) hn::LoadInterleaved4(d, from + lane * N, a, b, c, e);
      hn::Store(a, d, to + lane);
      hn::Store(b, d, to + kLanes + lane);
      if constexpr (N >= 3) hn::Store(c, d, to + 2 * kLanes + lane);
      if constexpr (N >= 4) hn::Store(e, d, to + 3 * kLanes + lane);
    }
  }
}

/// The inverse.
template <int N>
HWY_INLINE void rows_to_records(const uint32_t* HWY_RESTRICT from, uint32_t* HWY_RESTRICT to) {
  if constexpr (N == 1) {
    std::memcpy(to, from, sizeof(uint32_t) * kLanes);
  } else {
    const hn::CappedTag<uint32_t, 16> d;
    constexpr int kStep = static_cast<int>(HWY_MIN(HWY_LANES(uint32_t), 16));
    for (int lane = 0; lane < kLanes; lane += kStep) {
      const auto a = hn::Load(d, from + lane);
      const auto b = hn::Load(d, from + kLanes + lane);
      if constexpr (N == 2) hn::StoreInterleaved2(a, b, d, to + lane * N);
      if constexpr (N == 3)
        hn::StoreInterleaved3(a, b, hn::Load(d, from + 2 * kLanes + lane), d, to + lane * N);
      if constexpr (N == 4) {
        hn::StoreInterleaved4(a, b, hn::Load(d, from + 2 * kLanes + lane),
                              hn::Load(d, from + 3 * kLanes + lane), d, to + lane * N);
      }
    }
  }
}

/// Loads N dwords a lane into rows from register `dst` on. `address(lane)` is a host pointer.
template <int N, class Address>
HWY_INLINE void load_rows(Wave& w, uint16_t dst, uint64_t exec, const std::byte* consecutive,
                          Address address) {
  uint32_t* rows = w.row(dst);
  alignas(64) uint32_t records[kLanes * N];
  if (consecutive != nullptr) {
    std::memcpy(records, consecutive, sizeof records);
    records_to_rows<N>(records, rows);
    return;
  }
  if (exec == kAllLanes) {
    for (int lane = 0; lane < kLanes; ++lane) std::memcpy(&records[lane * N], address(lane), N * 4);
    records_to_rows<N>(records, rows);
    return;
  }
  for (uint64_t left = exec; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    uint32_t value[N];
    std::memcpy(value, address(lane), N * 4);
    for (int k = 0; k < N; ++k) rows[k * kLanes + lane] = value[k];
  }
}

/// Stores N dwords a lane from `rows`.
template <int N, class Address>
HWY_INLINE void store_rows(const uint32_t* rows, uint64_t exec, std::byte* consecutive, Address address) {
  alignas(64) uint32_t records[kLanes * N];
  if (consecutive != nullptr) {
    rows_to_records<N>(rows, records);
    std::memcpy(consecutive, records, sizeof records);
    return;
  }
  if (exec == kAllLanes) {
    rows_to_records<N>(rows, records);
    for (int lane = 0; lane < kLanes; ++lane) std::memcpy(address(lane), &records[lane * N], N * 4);
    return;
  }
  for (uint64_t left = exec; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    uint32_t value[N];
    for (int k = 0; k < N; ++k) value[k] = rows[k * kLanes + lane];
    std::memcpy(address(lane), value, N * 4);
  }
}

/// Loads 1 or 2 bytes a lane, extended or placed as the shape says.
template <class T, class Address>
HWY_INLINE void load_narrow(Wave& w, uint16_t dst, uint64_t exec, uint32_t shape, Address address) {
  uint32_t* row = w.row(dst);
  for (uint64_t left = exec; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    T narrow;
    std::memcpy(&narrow, address(lane), sizeof narrow);
    uint32_t value = narrow;
    if ((shape & kShapeSigned) != 0) value = sign_extended(value, sizeof(T) * 8);
    if ((shape & kShapeHalf) != 0) {
      const bool high = (shape & kShapeHigh) != 0;
      const uint32_t old = row[lane];
      value = high ? (old & 0xffffU) | (value << 16) : (old & 0xffff0000U) | (value & 0xffffU);
    }
    row[lane] = value;
  }
}

template <class T, class Address>
HWY_INLINE void store_narrow(const uint32_t* row, uint64_t exec, uint32_t shape, Address address) {
  const int shift = (shape & kShapeHigh) != 0 ? 16 : 0;
  for (uint64_t left = exec; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const T narrow = static_cast<T>(row[lane] >> shift);
    std::memcpy(address(lane), &narrow, sizeof narrow);
  }
}

/// Any load into registers, by the shape's size.
template <class Address>
HWY_INLINE void load_shape(Wave& w, uint16_t dst, uint64_t exec, uint32_t shape, const std::byte* consecutive,
                           Address address) {
  switch (shape_bytes(shape)) {
    case 1:
      return load_narrow<uint8_t>(w, dst, exec, shape, address);
    case 2:
      return load_narrow<uint16_t>(w, dst, exec, shape, address);
    case 4:
      return load_rows<1>(w, dst, exec, consecutive, address);
    case 8:
      return load_rows<2>(w, dst, exec, consecutive, address);
    case 12:
      return load_rows<3>(w, dst, exec, consecutive, address);
    default:
      return load_rows<4>(w, dst, exec, consecutive, address);
  }
}
template <class Address>
HWY_INLINE void store_shape(const uint32_t* rows, uint64_t exec, uint32_t shape, std::byte* consecutive,
                            Address address) {
  switch (shape_bytes(shape)) {
    case 1:
      return store_narrow<uint8_t>(rows, exec, shape, address);
    case 2:
      return store_narrow<uint16_t>(rows, exec, shape, address);
    case 4:
      return store_rows<1>(rows, exec, consecutive, address);
    case 8:
      return store_rows<2>(rows, exec, consecutive, address);
    case 12:
      return store_rows<3>(rows, exec, consecutive, address);
    default:
      return store_rows<4>(rows, exec, consecutive, address);
  }
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
