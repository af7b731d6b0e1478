// A plan is a product that has been decided on: which kernels, which tiles, how much workspace. Made once per
// shape, then enqueued any number of times with any pointers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/shape.hpp"
#include "common/status.hpp"
#include "optimized/device/buffer.hpp"
#include "optimized/gemm/gemm.hpp"
#include "optimized/launch.hpp"
#include "optimized/operand.hpp"
#include "optimized/plan/route.hpp"

namespace mxproof {

struct GemmRequest {
  GemmShape shape;
  int64_t a_stride = 0;              ///< Elements from one row of A to the next; 0 means K.
  int64_t c_stride = 0;              ///< Elements from one row of C to the next; 0 means N.
  std::optional<Route> route{};      ///< Unset: the router's table decides.
  std::optional<TileConfig> tile{};  ///< Unset: the tuned one, or the default of the kernel.
  std::optional<int> splits{};       ///< Pieces of K, `fused` only. Unset: the tuned number, or 1.
};

/// Operands of one run. Those that the plan's route does not read may stay empty.
struct GemmPointers {
  Operand a;           ///< bf16_rows [M, K]
  Operand b_codes;     ///< codes_row_major [N, K/2]
  Operand b_shuffled;  ///< codes_16x16 [N, K/2]
  Operand b_scales;    ///< scale_32x8 [N, K/32]
  Operand c;           ///< bf16_rows [M, N]
};

class Plan {
 public:
  /// Decides, and allocates the workspace full of kPoison. Refuses with the reason what no kernel can do.
  static Expected<Plan> make(const GemmRequest& request);

  const GemmRequest& request() const { return request_; }
  Route route() const { return route_; }
  TileConfig tile() const { return tile_; }
  int splits() const { return splits_; }
  int64_t workspace_bytes() const { return workspace_.bytes(); }
  /// One line: route, kernels in order, tile, splits, and who decided: "requested", the tuned row, or
  /// "default".
  std::string describe() const;

  /// The launches of one run, checked: null, too small, misaligned, overlapping or wrongly tagged operands
  /// are refused by name.
  Expected<LaunchSequence> launches(const GemmPointers& pointers) const;

  /// Puts one to three launches on `stream`: no allocation, no synchronisation. Runs of one plan share
  /// its workspace, so they belong on one stream.
  Status enqueue(const GemmPointers& pointers, hipStream_t stream) const;

  /// Fills the workspace, to show that no result depends on what was in it.
  Status poison_workspace(uint8_t value = kPoison) { return workspace_.fill(value); }

 private:
  Plan() = default;

  /// Where the intermediate operands lie in the workspace: byte offsets.
  struct WorkspaceLayout {
    int64_t codes = 0;       ///< of A, row-major
    int64_t row_scales = 0;  ///< row-major: of A for staged, of B for one_kernel
    int64_t scales = 0;      ///< of A, scale_32x8
    int64_t partials = 0;
    int64_t bytes = 0;
  };
  static WorkspaceLayout layout_workspace(const GemmShape& shape, Route route, int splits);

  Status check_operands(const GemmPointers& pointers) const;

  GemmRequest request_;
  Route route_ = Route::staged;
  TileConfig tile_;
  int splits_ = 1;
  std::string decided_by_;
  WorkspaceLayout layout_;
  DeviceBuffer workspace_;
};

}  // namespace mxproof
