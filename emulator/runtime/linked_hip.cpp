#include "emulator/runtime/linked_hip.hpp"

#include <link.h>

#include <charconv>
#include <span>

#include "emulator/isa/host_address.hpp"

namespace mxproof::emulator {
namespace {

constexpr int kHeadersMajor = 5;

// The version that one object's DT_NEEDED entries ask for.
std::optional<int> needed_hip_major(const dl_phdr_info& object) {
  const ElfW(Dyn)* dynamic = nullptr;
  for (const ElfW(Phdr) & header : std::span(object.dlpi_phdr, object.dlpi_phnum)) {
    if (header.p_type == PT_DYNAMIC)
      dynamic = reinterpret_cast<const ElfW(Dyn)*>(host(object.dlpi_addr + header.p_vaddr));
  }
  if (dynamic == nullptr) return std::nullopt;
  uint64_t strings = 0;
  for (const auto* entry = dynamic; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
  }
  // The loader makes it an address, except in the vDSO, which is read-only.
  if (strings < object.dlpi_addr) strings += object.dlpi_addr;
  for (const auto* entry = dynamic; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != DT_NEEDED) continue;
    const auto* name = reinterpret_cast<const char*>(host(strings + entry->d_un.d_val));
    if (const auto major = hip_major(name)) return major;
  }
  return std::nullopt;
}

// The program comes first, then its libraries in the order of loading.
int look_at(dl_phdr_info* object, size_t, void* result) {
  auto& major = *static_cast<std::optional<int>*>(result);
  major = needed_hip_major(*object);
  return major.has_value() ? 1 : 0;
}

}  // namespace

std::optional<int> hip_major(std::string_view library) {
  constexpr std::string_view kPrefix = "libamdhip64.so.";
  if (!library.starts_with(kPrefix)) return std::nullopt;
  library.remove_prefix(kPrefix.size());
  int major = 0;
  const auto [end, error] = std::from_chars(library.data(), library.data() + library.size(), major);
  if (error != std::errc() || (end != library.data() + library.size() && *end != '.')) return std::nullopt;
  return major;
}

int linked_hip_major() {
  // Looked up until it is found: a library that needs HIP may come by dlopen.
  static std::optional<int> known;
  if (!known) ::dl_iterate_phdr(look_at, &known);
  return known.value_or(kHeadersMajor);
}

bool is_hip6_program() {
  return linked_hip_major() >= 6;
}

}  // namespace mxproof::emulator
