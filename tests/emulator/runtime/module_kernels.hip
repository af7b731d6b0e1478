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

// What device printf and malloc come to: they follow a pointer of the hidden arguments, at their offsets of
// code object version 5.
MX_DEVICE long through_hidden(int offset) {
  const auto* hidden = (const char __attribute__((address_space(4)))*)__builtin_amdgcn_implicitarg_ptr();
  const long* service = *(const long* const __attribute__((address_space(4)))*)(hidden + offset);
  return service[3];
}
MX_GLOBAL void call_host(long* out) {
  *out = through_hidden(80);  // hidden_hostcall_buffer
}
MX_GLOBAL void use_heap(long* out) {
  *out = through_hidden(96);  // hidden_heap_v1
}
// A stack that grows with n.
MX_DEVICE __attribute__((noinline)) int nested(int n) {
  return n < 1 ? 0 : nested(n - 1) * 3 % 1001 + 1;
}
MX_GLOBAL void nest(int* out, int n) {
  *out = nested(n);
}
MX_GLOBAL void follow(long* out, const long* pointer) {
  *out = *pointer;
}

}  // extern "C"
