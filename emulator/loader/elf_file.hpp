// Thin, checked access to a 64-bit little-endian ELF file through LLVM's reader. Every range that comes out
// of here lies inside the file.
#pragma once

#include <llvm/Object/ELF.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.hpp"

namespace mxproof::emulator {

using Elf = llvm::object::ELF64LE;
using ElfReader = llvm::object::ELFFile<Elf>;

/// A symbol with its name resolved.
struct ElfSymbol {
  std::string_view name;
  uint64_t value = 0;  ///< The file's numbering (vaddr).
  uint64_t size = 0;
  uint8_t type = 0;      ///< STT_*
  uint16_t section = 0;  ///< Index, or SHN_*
};

/// The message of an LLVM error, as bad_input behind `what`.
Status from_llvm(llvm::Error error, std::string_view what);

/// Opens a file that starts with ELF's magic. Errors: bad_input for another magic, class or byte order.
Expected<ElfReader> open_elf(std::span<const std::byte> file);

/// True when the bytes start with ELF's magic.
bool is_elf(std::span<const std::byte> file);

/// The symbols of a table section (SHT_SYMTAB or SHT_DYNSYM), in order.
Expected<std::vector<ElfSymbol>> read_symbols(const ElfReader& elf, const Elf::Shdr& table);

/// The contents of every section of that name.
Expected<std::vector<std::span<const std::byte>>> sections_named(const ElfReader& elf, std::string_view name);

/// The descriptions of all notes (owner, type) in PT_NOTE segments. A linked file has several when its code
/// was generated in parts.
Expected<std::vector<std::string_view>> find_notes(const ElfReader& elf, std::string_view owner,
                                                   uint32_t type);

}  // namespace mxproof::emulator
