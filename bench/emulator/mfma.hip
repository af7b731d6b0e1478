// Nothing but matrix instructions: eight chains of them, so that the machine's cost of one can be read off.
typedef int Codes8 __attribute__((ext_vector_type(8)));
typedef float Tile __attribute__((ext_vector_type(4)));

extern "C" __attribute__((global)) void fp4_chains(const Codes8* a, const Codes8* b, Tile* d, int steps) {
  const int lane = __builtin_amdgcn_workitem_id_x();
  const Codes8 wide_a = a[lane];
  const Codes8 wide_b = b[lane];
  Tile acc[8] = {};
  for (int i = 0; i < steps; ++i) {
    for (int chain = 0; chain < 8; ++chain) {
      acc[chain] = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(wide_a, wide_b, acc[chain], 4, 4, 0,
                                                                    0x7f7f7f7f, 0, 0x7e7e7e7e);
    }
  }
  for (int chain = 0; chain < 8; ++chain) d[chain * 64 + lane] = acc[chain];
}
