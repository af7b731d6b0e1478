// Seeds of the emulator's fuzzers: a small code object with a bit of everything. One instruction of each encoding
// format, modifiers included; two kernels, one with preloaded arguments.
  .amdgcn_target "amdgcn-amd-amdhsa--gfx950"
  .text
  .globl formats
  .p2align 8
  .type formats,@function
formats:
  s_load_dwordx4 s[8:11], s[0:1], 0x0
  s_load_dword s12, s[0:1], s3 offset:0x10
  s_buffer_load_dwordx2 s[14:15], s[8:11], 0x4
  s_store_dword s12, s[0:1], 0x0
  s_waitcnt vmcnt(0) lgkmcnt(0)
  s_add_u32 s4, s5, 0x12345678
  s_movk_i32 s6, 0x7fff
  s_cmpk_eq_i32 s6, 5
  s_cmp_lg_u64 s[4:5], s[6:7]
  s_and_saveexec_b64 s[16:17], vcc
  s_getpc_b64 s[18:19]
  s_cbranch_scc1 .Lnext
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xf5
  s_set_gpr_idx_on s6, gpr_idx(SRC0,DST)
  v_mov_b32_e32 v1, v2
  s_set_gpr_idx_off
  s_mov_b32 m0, 64
.Lnext:
  v_add_f32_e32 v1, v2, v3
  v_fma_f32 v1, -v2, |v3|, s4 clamp mul:2
  v_add_u32_sdwa v1, v2, v3 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:BYTE_3
  v_cmp_gt_f32_sdwa vcc, v2, v3 src0_sel:WORD_0 src1_sel:DWORD
  v_mov_b32_dpp v1, v2 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xa bound_ctrl:0
  v_add_u32_dpp v1, v2, v3 row_shr:1 row_mask:0x5 bank_mask:0xf
  v_cmp_class_f64_e64 s[20:21], v[2:3], v4
  v_cmpx_lt_i16_e32 vcc, v1, v2
  v_add_co_u32_e32 v1, vcc, v2, v3
  v_mad_u64_u32 v[4:5], s[22:23], v1, v2, v[6:7]
  v_div_scale_f64 v[4:5], vcc, v[6:7], v[8:9], v[6:7]
  v_fma_f16 v1, v2, v3, v4 op_sel:[1,0,0,1]
  v_pk_fma_f16 v1, v2, v3, v4 op_sel_hi:[0,1,1] neg_lo:[1,0,0]
  v_pk_mul_f32 v[4:5], v[6:7], v[8:9]
  v_fma_mixlo_f16 v1, v2, v3, v4 op_sel:[0,1,0] op_sel_hi:[0,1,1]
  v_dot4_i32_i8 v1, v2, v3, v4
  v_bitop3_b32 v1, v2, v3, v4 bitop3:0x96
  v_permlane32_swap_b32_e32 v1, v2
  v_readlane_b32 s24, v1, s4
  v_writelane_b32 v1, s24, 5
  v_accvgpr_write_b32 a3, v1
  v_cvt_scalef32_pk_fp4_f32 v1, v2, v3, v4 op_sel:[0,0,1,0]
  v_cvt_scalef32_pk32_f32_fp6 v[32:63], v[2:7], v8
  v_cvt_sr_fp8_f32 v1, v2, v3 op_sel:[0,0,1,1]
  v_cvt_pk_f32_fp8_sdwa v[4:5], v2 src0_sel:WORD_1
  v_trig_preop_f64 v[4:5], v[6:7], v8
  v_mqsad_u32_u8 v[4:7], v[8:9], v10, v[12:15]
  v_mfma_f32_32x32x16_f16 a[0:15], v[0:3], v[4:7], a[0:15] cbsz:1 abid:2 blgp:3
  v_mfma_f64_16x16x4_f64 a[0:7], v[2:3], v[4:5], a[0:7] neg:[1,0,0]
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:7], v[8:11], v[0:3], v12, v13 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:4 blgp:4
  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[16:23], v[24:29], v[0:15], v12, v13 op_sel_hi:[0,0,0] blgp:2
  v_smfmac_f32_16x16x64_bf16 v[0:3], v[4:7], v[8:15], v16 abid:1
  ds_read2st64_b64 v[0:3], v4 offset0:1 offset1:2
  ds_write_b128 v4, v[0:3] offset:16
  ds_add_rtn_f32 v1, v4, v2 offset:4
  ds_cmpst_rtn_b64 v[0:1], v4, v[2:3], v[6:7]
  ds_swizzle_b32 v1, v2 offset:swizzle(BROADCAST,32,5)
  ds_bpermute_b32 v1, v2, v3 offset:8
  ds_read_b64_tr_b8 v[0:1], v4
  ds_append v1 offset:8
  ds_wrxchg2_rtn_b32 v[0:1], v4, v2, v3 offset1:1
  global_load_dwordx3 v[0:2], v[4:5], off offset:-16
  global_store_short_d16_hi v6, v7, s[8:9] offset:2
  global_atomic_cmpswap_x2 v[0:1], v6, v[8:11], s[8:9] sc0
  global_load_lds_dwordx4 v[4:5], off
  flat_load_ubyte v1, v[4:5]
  flat_atomic_add_f32 v[4:5], v6
  scratch_store_dwordx2 off, v[4:5], s4 offset:8
  scratch_load_dword v1, v2, off
  buffer_load_dwordx4 v[0:3], v[4:5], s[8:11], s12 idxen offen offset:4
  buffer_load_dword v4, s[8:11], 0 offen lds
  buffer_store_byte v1, off, s[8:11], 0 offset:100
  buffer_atomic_pk_add_bf16 v1, v4, s[8:11], 0 offen sc0
  s_barrier
  s_sleep 1
  s_memtime s[26:27]
  s_call_b64 s[28:29], .Lend
  s_swappc_b64 s[28:29], s[18:19]
.Lend:
  s_endpgm
.Lformats_end:
  .size formats, .Lformats_end-formats

  .globl preloaded
  .p2align 8
  .type preloaded,@function
preloaded:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_branch .Lpreloaded
  .p2align 8
.Lpreloaded:
  v_lshlrev_b32_e32 v0, 2, v0
  global_store_dword v0, v0, s[2:3]
  s_endpgm
.Lpreloaded_end:
  .size preloaded, .Lpreloaded_end-preloaded

  .rodata
  .p2align 6
  .amdhsa_kernel formats
    .amdhsa_group_segment_fixed_size 1024
    .amdhsa_private_segment_fixed_size 64
    .amdhsa_kernarg_size 24
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_next_free_vgpr 256
    .amdhsa_accum_offset 128
    .amdhsa_next_free_sgpr 32
  .end_amdhsa_kernel
  .p2align 6
  .amdhsa_kernel preloaded
    .amdhsa_kernarg_size 8
    .amdhsa_user_sgpr_count 4
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_user_sgpr_kernarg_preload_length 2
    .amdhsa_next_free_vgpr 1
    .amdhsa_accum_offset 4
    .amdhsa_next_free_sgpr 8
  .end_amdhsa_kernel

  .data
  .globl counter
  .type counter,@object
  .size counter, 8
  .p2align 3
counter:
  .quad counter

  .amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx950
amdhsa.kernels:
  - .name: formats
    .symbol: formats.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 64
    .wavefront_size: 64
    .sgpr_count: 38
    .vgpr_count: 256
    .agpr_count: 128
    .max_flat_workgroup_size: 256
    .args:
      - { .name: to, .address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer }
      - { .name: count, .offset: 8, .size: 4, .value_kind: by_value }
      - { .offset: 16, .size: 4, .value_kind: hidden_block_count_x }
  - .name: preloaded
    .symbol: preloaded.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 14
    .vgpr_count: 1
    .max_flat_workgroup_size: 64
    .reqd_workgroup_size: [ 64, 1, 1 ]
    .args:
      - { .name: to, .address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer }
...
  .end_amdgpu_metadata
