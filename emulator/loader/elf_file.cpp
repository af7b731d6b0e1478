#include "emulator/loader/elf_file.hpp"

#include <fmt/format.h>

namespace mxproof::emulator {
namespace {

constexpr size_t kMaxSharing = 4;
constexpr size_t kMaxProgramHeaders = 64;
constexpr size_t kMaxNotes = 4096;

std::string_view view(llvm::StringRef text) {
  return {text.data(), text.size()};
}

}  // namespace

Status from_llvm(llvm::Error error, std::string_view what) {
  return Status::bad_input(fmt::format("{}: {}", what, llvm::toString(std::move(error))));
}

bool is_elf(std::span<const std::byte> file) {
  const llvm::StringRef bytes(reinterpret_cast<const char*>(file.data()), file.size());
  return bytes.starts_with(llvm::StringRef(llvm::ELF::ElfMagic, 4));
}

Expected<ElfReader> open_elf(std::span<const std::byte> file) {
  if (!is_elf(file)) return Status::bad_input("ELF file: does not start with ELF's magic");
  const llvm::StringRef bytes(reinterpret_cast<const char*>(file.data()), file.size());
  llvm::Expected<ElfReader> elf = ElfReader::create(bytes);
  if (!elf) return from_llvm(elf.takeError(), "ELF file");
  const Elf::Ehdr& header = elf->getHeader();
  if (header.e_ident[llvm::ELF::EI_CLASS] != llvm::ELF::ELFCLASS64 ||
      header.e_ident[llvm::ELF::EI_DATA] != llvm::ELF::ELFDATA2LSB) {
    return Status::bad_input("ELF file: not 64-bit little-endian");
  }
  return *elf;
}

Expected<std::vector<ElfSymbol>> read_symbols(const ElfReader& elf, const Elf::Shdr& table) {
  auto raw = elf.symbols(&table);
  if (!raw) return from_llvm(raw.takeError(), "symbol table");
  auto names = elf.getStringTableForSymtab(table);
  if (!names) return from_llvm(names.takeError(), "symbol names");
  std::vector<ElfSymbol> symbols;
  symbols.reserve(raw->size());
  size_t name_bytes = 0;
  for (const Elf::Sym& symbol : *raw) {
    auto name = symbol.getName(*names);
    if (!name) return from_llvm(name.takeError(), "symbol name");
    // Names may share their ends, but a file where thousands share one long name is an attack on our time.
    name_bytes += name->size();
    if (name_bytes > kMaxSharing * elf.getBufSize())
      return Status::bad_input("symbol names: too much shared");
    symbols.push_back({view(*name), symbol.st_value, symbol.st_size, symbol.getType(), symbol.st_shndx});
  }
  return symbols;
}

Expected<std::vector<std::span<const std::byte>>> sections_named(const ElfReader& elf,
                                                                 std::string_view name) {
  auto sections = elf.sections();
  if (!sections) return from_llvm(sections.takeError(), "section headers");
  auto names = elf.getSectionStringTable(*sections);
  if (!names) return from_llvm(names.takeError(), "section names");
  std::vector<std::span<const std::byte>> found;
  for (const Elf::Shdr& section : *sections) {
    auto section_name = elf.getSectionName(section, *names);
    if (!section_name) return from_llvm(section_name.takeError(), "section name");
    if (view(*section_name) != name || section.sh_type == llvm::ELF::SHT_NOBITS) continue;
    auto contents = elf.getSectionContents(section);
    if (!contents) return from_llvm(contents.takeError(), name);
    found.push_back(std::as_bytes(std::span(contents->data(), contents->size())));
  }
  return found;
}

Expected<std::vector<std::string_view>> find_notes(const ElfReader& elf, std::string_view owner,
                                                   uint32_t type) {
  auto headers = elf.program_headers();
  if (!headers) return from_llvm(headers.takeError(), "program headers");
  if (headers->size() > kMaxProgramHeaders) {
    return Status::bad_input(fmt::format("program headers: more than {}", kMaxProgramHeaders));
  }
  std::vector<std::string_view> found;
  for (const Elf::Phdr& header : *headers) {
    if (header.p_type != llvm::ELF::PT_NOTE) continue;
    const size_t alignment = std::max<size_t>(header.p_align, 4);
    llvm::Error error = llvm::Error::success();
    for (const auto& note : elf.notes(header, error)) {
      if (view(note.getName()) != owner || note.getType() != type) continue;
      const std::string_view description = view(note.getDescAsStringRef(alignment));
      // Segments may overlap: the same bytes are the same note.
      const auto is_same = [&](std::string_view other) { return other.data() == description.data(); };
      if (std::ranges::any_of(found, is_same)) continue;
      if (found.size() == kMaxNotes)
        return Status::bad_input(fmt::format("notes: more than {} of {}", kMaxNotes, owner));
      found.push_back(description);
    }
    if (error) return from_llvm(std::move(error), "notes");
  }
  return found;
}

}  // namespace mxproof::emulator
