// A code object that the test program loads as a module.
#define MX_GLOBAL __attribute__((global))
#define MX_DEVICE __attribute__((device))

extern "C" {

MX_DEVICE int offsets[3] = {100, 200, 300};

// out[i] = in[i] + offsets[which] + bias for i < 64, one lane each.
MX_GLOBAL void add_offset(int* out, const int* in, char which, long bias) {
  const unsigned i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  out[i] = in[i] + offsets[which] + static_cast<int>(bias);
}

}  // extern "C"
