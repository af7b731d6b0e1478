#include "bench/run/build_id.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstring>

namespace mxproof::bench {
namespace {

constexpr size_t align4(size_t n) {
  return (n + 3) / 4 * 4;
}

/// Looks through the notes of one segment: header, name, description, each padded to four bytes.
std::string find_in_notes(const char* notes, size_t size) {
  ElfW(Nhdr) header;
  while (size >= sizeof(header)) {
    std::memcpy(&header, notes, sizeof(header));
    const size_t total = sizeof(header) + align4(header.n_namesz) + align4(header.n_descsz);
    if (total > size) break;
    const char* name = notes + sizeof(header);
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
      std::string text;
      const char* id = name + align4(header.n_namesz);
      for (size_t i = 0; i < header.n_descsz; ++i)
        text += fmt::format("{:02x}", static_cast<unsigned char>(id[i]));
      return text;
    }
    notes += total;
    size -= total;
  }
  return {};
}

/// The first object that the loader lists is the program itself.
int visit(dl_phdr_info* info, size_t /*size*/, void* result) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) & segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    auto& text = *static_cast<std::string*>(result);
    // The loader gives addresses as integers. NOLINTNEXTLINE(performance-no-int-to-ptr)
    text = find_in_notes(reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr), segment.p_memsz);
    if (!text.empty()) break;
  }
  return 1;
}

}  // namespace

std::string build_id() {
  std::string text;
  dl_iterate_phdr(visit, &text);
  return text;
}

}  // namespace mxproof::bench
