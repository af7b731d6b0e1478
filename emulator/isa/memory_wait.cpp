#include "emulator/isa/memory_wait.hpp"

#include <cstring>

#include "emulator/isa/host_address.hpp"

namespace mxproof::emulator {
namespace {

void complete(ScalarAccess& access, Wave& w) {
  if (access.words == 0) {
    w.set_scalar64(access.dst, access.value);
    return;
  }
  const auto* from = host(access.address);
  for (uint32_t word = 0; word < access.words; ++word) {
    uint32_t value = 0;
    if (uint64_t{word} * 4 + 4 <= access.valid_bytes) std::memcpy(&value, from + word * 4, sizeof value);
    w.sgpr[access.dst + word] = value;
  }
}

/// Flat operations count on both counters and complete when both waits have covered them. Nothing orders
/// them against what comes later, so later ones do not wait for them.
void complete_or_keep(Wave& w) {
  VectorAccess& oldest = w.vector_memory.pop();
  if (!oldest.flat || oldest.sequence < w.lgkm_sequence) {
    oldest.inst->complete(oldest, w);
    if (oldest.flat) --w.flat_in_flight;
    return;
  }
  w.flat_waiting.push_back(oldest);
}

}  // namespace

void wait_vm(Wave& w, uint32_t count) {
  while (w.vector_memory.size() > count) complete_or_keep(w);
}

void wait_lgkm(Wave& w, uint32_t count) {
  // At least (outstanding - count) operations are done. In the worst case all the unordered ones, scalar and
  // flat, are among them; what is left over is how many LDS operations, which go in order, must be done.
  while (w.lds.size() > count) {
    LdsAccess& oldest = w.lds.pop();
    oldest.inst->complete_lds(oldest, w);
  }
  if (count != 0) return;
  for (ScalarAccess& access : w.scalar_memory) complete(access, w);
  w.scalar_memory.clear();
  ++w.lgkm_sequence;
  if (w.flat_in_flight == 0) return;
  for (VectorAccess& access : w.flat_waiting) {
    access.inst->complete(access, w);
    --w.flat_in_flight;
  }
  w.flat_waiting.clear();
}

void finish_all_accesses(Wave& w) {
  wait_lgkm(w, 0);
  wait_vm(w, 0);
}

VectorAccess& begin_vector_access(Wave& w) {
  if (w.vector_memory.size() == kMaxVmCount) wait_vm(w, kMaxVmCount - 1);
  return w.vector_memory.push();
}

LdsAccess& begin_lds_access(Wave& w) {
  if (w.lds.size() == kMaxLgkmCount) {
    LdsAccess& oldest = w.lds.pop();
    oldest.inst->complete_lds(oldest, w);
  }
  return w.lds.push();
}

}  // namespace mxproof::emulator
