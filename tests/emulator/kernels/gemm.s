// Kernels written by hand.
  .amdgcn_target "amdgcn-amd-amdhsa--gfx950"
  .text

// C [M, N] f32 = A [M, K] f16 x B [N, K]^T f16; a wave a 16 x 16 tile, K a multiple of 64. Arguments are preloaded.
// Loads run one step of 32 ahead, in two sets of registers.
//
//   s[2:3] C   s[4:5] A   s[6:7] B   s8 K   s9 N   s10, s11 group
//   v0 lane   v1 lane % 16   v2 lane / 16   v3, v4 byte offsets into A, B   v[8:11] the tile
  .globl gemm_f16
  .p2align 8
  .type gemm_f16,@function
gemm_f16:
  s_load_dwordx2 s[2:3], s[0:1], 0x0  // for firmware that does not preload; skipped by what does
  s_load_dwordx4 s[4:7], s[0:1], 0x8
  s_load_dwordx2 s[8:9], s[0:1], 0x18
  s_waitcnt lgkmcnt(0)
  s_branch .Lgemm
  .p2align 8
.Lgemm:
  v_and_b32_e32 v1, 15, v0
  v_lshrrev_b32_e32 v2, 4, v0
  s_lshl_b32 s12, s11, 4
  s_lshl_b32 s13, s10, 4
  v_add_u32_e32 v3, s12, v1
  v_mul_lo_u32 v3, v3, s8
  v_lshl_add_u32 v3, v2, 3, v3
  v_lshlrev_b32_e32 v3, 1, v3
  v_add_u32_e32 v4, s13, v1
  v_mul_lo_u32 v4, v4, s8
  v_lshl_add_u32 v4, v2, 3, v4
  v_lshlrev_b32_e32 v4, 1, v4
  global_load_dwordx4 v[16:19], v3, s[4:5]
  global_load_dwordx4 v[20:23], v4, s[6:7]
  v_mov_b32_e32 v8, 0
  v_mov_b32_e32 v9, 0
  v_mov_b64_e32 v[10:11], 0
  s_lshr_b32 s14, s8, 5
.Lstep:
  v_add_u32_e32 v3, 64, v3
  v_add_u32_e32 v4, 64, v4
  global_load_dwordx4 v[24:27], v3, s[4:5]
  global_load_dwordx4 v[28:31], v4, s[6:7]
  s_sub_u32 s14, s14, 2
  s_cmp_eq_u32 s14, 0
  s_waitcnt vmcnt(2)
  v_mfma_f32_16x16x32_f16 v[8:11], v[16:19], v[20:23], v[8:11]
  s_cbranch_scc1 .Llast
  v_add_u32_e32 v3, 64, v3
  v_add_u32_e32 v4, 64, v4
  global_load_dwordx4 v[16:19], v3, s[4:5]
  global_load_dwordx4 v[20:23], v4, s[6:7]
  s_waitcnt vmcnt(2)
  v_mfma_f32_16x16x32_f16 v[8:11], v[24:27], v[28:31], v[8:11]
  s_branch .Lstep
.Llast:
  s_waitcnt vmcnt(0)
  v_mfma_f32_16x16x32_f16 v[8:11], v[24:27], v[28:31], v[8:11]
  v_lshlrev_b32_e32 v5, 2, v2
  v_add_u32_e32 v5, s12, v5
  v_mul_lo_u32 v5, v5, s9
  v_add3_u32 v5, v5, s13, v1
  v_lshlrev_b32_e32 v5, 2, v5
  s_lshl_b32 s15, s9, 2
  s_nop 7
  s_nop 7
  global_store_dword v5, v8, s[2:3]
  v_add_u32_e32 v5, s15, v5
  global_store_dword v5, v9, s[2:3]
  v_add_u32_e32 v5, s15, v5
  global_store_dword v5, v10, s[2:3]
  v_add_u32_e32 v5, s15, v5
  global_store_dword v5, v11, s[2:3]
  s_endpgm
.Lgemm_end:
  .size gemm_f16, .Lgemm_end-gemm_f16

// y[i] = a * x[i] + y[i] for i < count: s[0:1] points at y, x, a, count; s2 group.
  .globl saxpy
  .p2align 8
  .type saxpy,@function
saxpy:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[8:9], s[0:1], 0x10
  v_lshl_add_u32 v0, s2, 6, v0
  s_waitcnt lgkmcnt(0)
  v_cmp_gt_u32_e32 vcc, s9, v0
  s_and_saveexec_b64 s[10:11], vcc
  s_cbranch_execz .Lsaxpy_done
  v_lshlrev_b32_e32 v1, 2, v0
  global_load_dword v2, v1, s[4:5]
  global_load_dword v3, v1, s[6:7]
  s_waitcnt vmcnt(0)
  v_fmac_f32_e32 v2, s8, v3
  global_store_dword v1, v2, s[4:5]
.Lsaxpy_done:
  s_endpgm
.Lsaxpy_end:
  .size saxpy, .Lsaxpy_end-saxpy

  .rodata
  .p2align 6
  .amdhsa_kernel gemm_f16
    .amdhsa_kernarg_size 32
    .amdhsa_user_sgpr_count 10
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_user_sgpr_kernarg_preload_length 8
    .amdhsa_system_sgpr_workgroup_id_y 1
    .amdhsa_next_free_vgpr 32
    .amdhsa_accum_offset 32
    .amdhsa_next_free_sgpr 16
  .end_amdhsa_kernel
  .p2align 6
  .amdhsa_kernel saxpy
    .amdhsa_kernarg_size 24
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_next_free_vgpr 4
    .amdhsa_accum_offset 4
    .amdhsa_next_free_sgpr 12
  .end_amdhsa_kernel

  .amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx950
amdhsa.kernels:
  - .name: gemm_f16
    .symbol: gemm_f16.kd
    .kernarg_segment_size: 32
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 22
    .vgpr_count: 32
    .max_flat_workgroup_size: 64
    .args:
      - { .name: c, .address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer }
      - { .name: a, .address_space: global, .offset: 8, .size: 8, .value_kind: global_buffer }
      - { .name: b, .address_space: global, .offset: 16, .size: 8, .value_kind: global_buffer }
      - { .name: k, .offset: 24, .size: 4, .value_kind: by_value }
      - { .name: n, .offset: 28, .size: 4, .value_kind: by_value }
  - .name: saxpy
    .symbol: saxpy.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 18
    .vgpr_count: 4
    .max_flat_workgroup_size: 64
    .args:
      - { .name: y, .address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer }
      - { .name: x, .address_space: global, .offset: 8, .size: 8, .value_kind: global_buffer }
      - { .name: a, .offset: 16, .size: 4, .value_kind: by_value }
      - { .name: count, .offset: 20, .size: 4, .value_kind: by_value }
...
  .end_amdgpu_metadata
