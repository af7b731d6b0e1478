// HIP's calls by name.
#include <dlfcn.h>

#include <string>

#include <fmt/format.h>

#include "emulator/runtime/linked_hip.hpp"
#include "emulator/runtime/runtime.hpp"

using namespace mxproof::emulator;

namespace {

// Of HIP 6.1 and newer.
constexpr uint64_t kLegacyStream = 1;
constexpr uint64_t kPerThreadStream = 2;
constexpr int kFound = 0;
constexpr int kNotFound = 1;
constexpr int kVersionsOfMajor = 10'000'000;

// In this library alone: the process may hold AMD's too.
void* find_call(const std::string& name) {
  Dl_info self{};
  if (!name.starts_with("hip") || ::dladdr(reinterpret_cast<const void*>(&find_call), &self) == 0)
    return nullptr;
  void* library = ::dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  void* call = ::dlsym(library, name.c_str());
  ::dlclose(library);  // it stays: this function is in it
  return call;
}

// HIP 6 calls these by the name of the newer structure's version.
std::string name_in(int major, const std::string& name) {
  const bool is_versioned = name == "hipGetDeviceProperties" || name == "hipChooseDevice";
  return major >= 6 && is_versioned ? name + "R0600" : name;
}

Outcome give_call(const char* name, int major, uint64_t flags, void** call, int* status) {
  if (name == nullptr || call == nullptr) return invalid("a null pointer");
  if (flags != 0 && flags != kLegacyStream && flags != kPerThreadStream) return invalid("unknown flags");
  const std::string wanted = name_in(major, name);
  *call = flags == kPerThreadStream ? find_call(wanted + "_spt") : nullptr;
  if (*call == nullptr) *call = find_call(wanted);
  if (status != nullptr) *status = *call == nullptr ? kNotFound : kFound;
  return *call != nullptr ? Outcome() : Outcome(hipErrorNotFound, fmt::format("there is no call {}", name));
}

}  // namespace

extern "C" {

hipError_t hipGetProcAddress(const char* name, void** call, int version, uint64_t flags, int* status) {
  return host_call(
      __func__, [&](Runtime&) { return give_call(name, version / kVersionsOfMajor, flags, call, status); });
}
hipError_t hipGetProcAddress_spt(const char* name, void** call, int version, uint64_t flags, int* status) {
  return hipGetProcAddress(name, call, version, flags == 0 ? kPerThreadStream : flags, status);
}
hipError_t hipGetDriverEntryPoint(const char* name, void** call, unsigned long long flags, int* status) {
  return host_call(__func__,
                   [&](Runtime&) { return give_call(name, linked_hip_major(), flags, call, status); });
}
hipError_t hipGetDriverEntryPoint_spt(const char* name, void** call, unsigned long long flags, int* status) {
  return hipGetDriverEntryPoint(name, call, flags == 0 ? kPerThreadStream : flags, status);
}

}  // extern "C"
