#include "optimized/checks.hpp"
#include "optimized/device/check.hpp"
#include "optimized/platform/device.hpp"
#include "optimized/shuffle/shuffle.hpp"

namespace mxproof {
namespace {

struct PreshuffleParams {
  const uint8_t* row_major;
  uint8_t* shuffled;
  int64_t row_bytes;
};

constexpr int kPieceBytes = 16;      ///< of one row, stay together
constexpr int kPiecesPerGroup = 16;  ///< along K
constexpr int kThreads = static_cast<int>(Codes16x16::kTileRows) * kPiecesPerGroup;

/// One thread moves sixteen bytes; neighbouring threads have neighbouring rows, so that the writes are
/// contiguous.
__global__ void __launch_bounds__(kThreads) preshuffle_codes(PreshuffleParams p) {
  const int64_t row = int64_t{blockIdx.x} * Codes16x16::kTileRows + threadIdx.x % Codes16x16::kTileRows;
  const int64_t byte =
      (int64_t{blockIdx.y} * kPiecesPerGroup + threadIdx.x / Codes16x16::kTileRows) * kPieceBytes;
  if (byte >= p.row_bytes) return;
  *reinterpret_cast<uint4*>(p.shuffled + Codes16x16::offset_in(row, byte, p.row_bytes)) =
      *reinterpret_cast<const uint4*>(p.row_major + row * p.row_bytes + byte);
}

}  // namespace

Expected<Launch> preshuffle_codes_launch(DeviceCodes from, DeviceCodes16x16 to) {
  constexpr auto kKernel = KernelId::preshuffle_codes;
  const Extent extent = from.layout.logical();
  MXPROOF_RETURN_IF_ERROR(first_error({
      check_multiple(kKernel, "N", extent.rows, Codes16x16::kTileRows),
      check_multiple(kKernel, "K/2", extent.cols, Codes16x16::kTileCols),
      check_extent(kKernel, "codes_16x16", to.layout.logical(), extent),
      check_pointer(kKernel, "codes_row_major", from.data, kPieceBytes),
      check_pointer(kKernel, "codes_16x16", to.data, kPieceBytes),
      check_grid(kKernel, "K", ceil_div(extent.cols, kPiecesPerGroup * kPieceBytes)),
  }));
  const dim3 grid(static_cast<unsigned>(extent.rows / Codes16x16::kTileRows),
                  static_cast<unsigned>(ceil_div(extent.cols, kPiecesPerGroup * kPieceBytes)), 1);
  return Launch(kKernel, &preshuffle_codes, grid, kThreads,
                PreshuffleParams{from.data, to.data, extent.cols});
}

}  // namespace mxproof
