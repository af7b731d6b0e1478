// A kernel as its code object describes it: what the launcher must set up before the first instruction.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mxproof::emulator {

/// What a kernel argument holds: the `.value_kind` of the AMDGPU metadata, code object 5. Kinds from
/// `hidden_block_count_x` on are not passed by the caller: the launcher fills them in.
enum class ValueKind : uint8_t {
  unknown,  ///< A kind that this version does not know; a launch refuses it by name.
  by_value,
  global_buffer,
  dynamic_shared_pointer,
  hidden_block_count_x,
  hidden_block_count_y,
  hidden_block_count_z,
  hidden_group_size_x,
  hidden_group_size_y,
  hidden_group_size_z,
  hidden_remainder_x,
  hidden_remainder_y,
  hidden_remainder_z,
  hidden_global_offset_x,
  hidden_global_offset_y,
  hidden_global_offset_z,
  hidden_grid_dims,
  hidden_none,
  hidden_printf_buffer,
  hidden_hostcall_buffer,
  hidden_multigrid_sync_arg,
  hidden_heap_v1,
  hidden_default_queue,
  hidden_completion_action,
  hidden_dynamic_lds_size,
  hidden_private_base,
  hidden_shared_base,
  hidden_queue_ptr,
};

/// The metadata's spelling of a kind, such as "global_buffer"; "unknown" for `ValueKind::unknown`.
std::string_view value_kind_name(ValueKind kind);

/// The kind that the metadata spells so; `ValueKind::unknown` when there is none.
ValueKind value_kind_from_name(std::string_view name);

/// True for the arguments that the launcher, not the caller, fills in.
constexpr bool is_hidden(ValueKind kind) {
  return kind >= ValueKind::hidden_block_count_x;
}

/// One argument of a kernel, at bytes [offset, offset + size) of the kernarg segment.
struct KernelArg {
  std::string name;             ///< As the source spells it; empty for hidden arguments.
  std::string type_name;        ///< Empty when the compiler recorded none.
  std::string value_kind_text;  ///< The metadata's own spelling, kept for messages.
  uint32_t offset = 0;          ///< Bytes.
  uint32_t size = 0;            ///< Bytes.
  ValueKind value_kind = ValueKind::unknown;
};

/// The 64-byte kernel descriptor (symbol NAME.kd), amd_kernel_code v3 to v5.
/// Source of offsets and bits: LLVM's "User Guide for AMDGPU Backend", section "Kernel Descriptor".
struct KernelDescriptor {
  uint32_t lds_bytes = 0;      ///< Byte 0: fixed LDS; dynamic LDS comes on top.
  uint32_t private_bytes = 0;  ///< Byte 4: scratch per lane.
  uint32_t kernarg_bytes = 0;  ///< Byte 8.
  int64_t entry_offset = 0;    ///< Byte 16: entry, relative to the descriptor's address.
  uint32_t rsrc3 = 0;          ///< Byte 44: compute_pgm_rsrc3.
  uint32_t rsrc1 = 0;          ///< Byte 48: compute_pgm_rsrc1.
  uint32_t rsrc2 = 0;          ///< Byte 52: compute_pgm_rsrc2.
  uint16_t properties = 0;     ///< Byte 56: kernel_code_properties.
  uint16_t preload = 0;        ///< Byte 58: kernarg preload.

  // kernel_code_properties: which values the wave finds in its first SGPRs, in this order.
  bool has_private_segment_buffer() const { return (properties & (1U << 0)) != 0; }  ///< 4 SGPRs
  bool has_dispatch_ptr() const { return (properties & (1U << 1)) != 0; }            ///< 2 SGPRs
  bool has_queue_ptr() const { return (properties & (1U << 2)) != 0; }               ///< 2 SGPRs
  bool has_kernarg_segment_ptr() const { return (properties & (1U << 3)) != 0; }     ///< 2 SGPRs
  bool has_dispatch_id() const { return (properties & (1U << 4)) != 0; }             ///< 2 SGPRs
  bool has_flat_scratch_init() const { return (properties & (1U << 5)) != 0; }       ///< 2 SGPRs
  bool has_private_segment_size() const { return (properties & (1U << 6)) != 0; }    ///< 1 SGPR
  bool is_wave32() const { return (properties & (1U << 10)) != 0; }
  bool uses_dynamic_stack() const { return (properties & (1U << 11)) != 0; }

  /// Kernarg dwords that the hardware preloads into SGPRs after those above. When this is not 0, execution
  /// starts 256 bytes after `entry`: the first 256 bytes load the same by hand for older firmware.
  uint32_t preload_dwords() const { return preload & 0x7fU; }
  uint32_t preload_offset_dwords() const {
    return (preload >> 7) & 0x1ffU;
  }  ///< First kernarg dword preloaded.

  // compute_pgm_rsrc2.
  bool has_private_segment() const {
    return (rsrc2 & (1U << 0)) != 0;
  }  ///< A scratch wave offset SGPR, or architected scratch.
  uint32_t user_sgprs() const { return (rsrc2 >> 1) & 0x1fU; }  ///< SGPRs before the work-group ids.
  bool has_workgroup_id_x() const { return (rsrc2 & (1U << 7)) != 0; }
  bool has_workgroup_id_y() const { return (rsrc2 & (1U << 8)) != 0; }
  bool has_workgroup_id_z() const { return (rsrc2 & (1U << 9)) != 0; }
  bool has_workgroup_info() const { return (rsrc2 & (1U << 10)) != 0; }
  uint32_t workitem_id_dims() const { return ((rsrc2 >> 11) & 3U) + 1; }  ///< How many of x, y, z are in v0.

  // compute_pgm_rsrc1 and 3.
  uint32_t vgpr_blocks() const { return rsrc1 & 0x3fU; }  ///< (granules of 8) - 1, VGPRs and AGPRs together.
  uint32_t allocated_vgprs() const { return (vgpr_blocks() + 1) * 8; }  ///< VGPRs and AGPRs a lane.
  uint32_t float_mode() const {
    return (rsrc1 >> 12) & 0xffU;
  }  ///< MODE[7:0]: round f32, f16/64, denorm f32, f16/64.
  bool dx10_clamp() const { return (rsrc1 & (1U << 21)) != 0; }
  bool ieee_mode() const { return (rsrc1 & (1U << 23)) != 0; }
  uint32_t first_agpr() const {
    return ((rsrc3 & 0x3fU) + 1) * 4;
  }  ///< Register file index of a0 (ACCUM_OFFSET).
};

/// One kernel of a loaded code object. Addresses are host addresses inside the loaded image, which are the
/// device addresses too.
struct Kernel {
  std::string name;    ///< As launched (mangled).
  std::string symbol;  ///< Name of the descriptor's symbol, normally name + ".kd".
  KernelDescriptor descriptor;
  uint64_t descriptor_address = 0;
  uint64_t entry = 0;       ///< Address of the first instruction (without the 256 bytes of kernarg preload).
  uint64_t code_bytes = 0;  ///< Size of the kernel's function symbol; 0 when the file does not say.
  std::vector<KernelArg> args;

  uint32_t kernarg_bytes = 0;      ///< Metadata's .kernarg_segment_size, hidden arguments included.
  uint32_t kernarg_alignment = 1;  ///< A power of two.
  uint32_t wavefront_size = 64;
  uint32_t max_workgroup_size = 1024;               ///< Lanes of a work-group at most.
  uint32_t required_workgroup_size[3] = {0, 0, 0};  ///< All zero when any will do.
  uint32_t vgpr_count = 0;                          ///< Architectural VGPRs.
  uint32_t agpr_count = 0;                          ///< Accumulation VGPRs.
  uint32_t sgpr_count = 0;
  uint32_t sgpr_spills = 0;
  uint32_t vgpr_spills = 0;
  bool uses_dynamic_stack = false;
};

}  // namespace mxproof::emulator
