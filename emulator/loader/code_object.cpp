#include "emulator/loader/code_object.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "emulator/loader/elf_file.hpp"
#include "emulator/loader/image.hpp"
#include "emulator/loader/metadata.hpp"

namespace mxproof::emulator {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kMaxImageBytes = uint64_t{16} << 30;
constexpr size_t kMaxSegments = 64;
constexpr size_t kMaxRelocationTables = 8;  // linkers write .rela.dyn and .rela.plt
constexpr uint64_t kDescriptorBytes = 64;
constexpr uint64_t kCodeAlignment = 256;

Status malformed(std::string_view what) {
  return Status::bad_input(fmt::format("code object: {}", what));
}

template <class T>
T read(std::span<const std::byte> bytes, size_t offset) {
  assert(offset + sizeof(T) <= bytes.size());
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

static_assert(kGfx950.elf_processor == llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX950);
static_assert(kGfx942.elf_processor == llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX942);

Status check_target(const Elf::Ehdr& header, const Chip& chip) {
  if (header.e_machine != llvm::ELF::EM_AMDGPU) {
    return malformed(
        fmt::format("ELF machine {}, not 224 (AMDGPU)", static_cast<unsigned>(header.e_machine)));
  }
  if (header.e_ident[llvm::ELF::EI_OSABI] != llvm::ELF::ELFOSABI_AMDGPU_HSA) {
    return Status::refused("code object: made for another system than HSA");
  }
  const unsigned abi = header.e_ident[llvm::ELF::EI_ABIVERSION];
  if (abi < llvm::ELF::ELFABIVERSION_AMDGPU_HSA_V4 || abi > llvm::ELF::ELFABIVERSION_AMDGPU_HSA_V6) {
    return Status::refused(fmt::format("code object: ABI version {}; 4, 5 and 6 are supported", abi + 2));
  }
  if (header.e_type != llvm::ELF::ET_DYN) {
    return malformed("not linked (compile without -c, or link it with ld.lld -shared)");
  }
  const unsigned processor = header.e_flags & llvm::ELF::EF_AMDGPU_MACH;
  if (processor != chip.elf_processor) {
    return Status::refused(
        fmt::format("code object: built for another processor than {} (e_flags processor {:#x}, not {:#x})",
                    chip.arch, processor, chip.elf_processor));
  }
  const unsigned xnack = header.e_flags & llvm::ELF::EF_AMDGPU_FEATURE_XNACK_V4;
  if (xnack == llvm::ELF::EF_AMDGPU_FEATURE_XNACK_ON_V4) {
    return Status::refused(fmt::format("code object: built for xnack+, the device is {}", chip.target));
  }
  const unsigned sramecc = header.e_flags & llvm::ELF::EF_AMDGPU_FEATURE_SRAMECC_V4;
  if (sramecc == llvm::ELF::EF_AMDGPU_FEATURE_SRAMECC_OFF_V4) {
    return Status::refused(fmt::format("code object: built for sramecc-, the device is {}", chip.target));
  }
  return {};
}

// The file's segments in one stretch of memory. Addresses in the file's numbering are checked against the
// segments before anything is read or written there.
class Layout {
 public:
  static Expected<Layout> build(const ElfReader& elf, std::span<const std::byte> file);

  /// True when [vaddr, vaddr + size) lies within one segment.
  bool holds(uint64_t vaddr, uint64_t size) const {
    return std::ranges::any_of(segments, [&](const Segment& s) { return within(s, vaddr, size); });
  }
  bool is_code(uint64_t vaddr, uint64_t size) const {
    return std::ranges::any_of(segments,
                               [&](const Segment& s) { return s.executable && within(s, vaddr, size); });
  }
  uint64_t address(uint64_t vaddr) const { return image->address() + (vaddr - base); }
  std::span<std::byte> at(uint64_t vaddr, uint64_t size) const {
    return image->bytes().subspan(vaddr - base, size);
  }

  std::unique_ptr<Image> image;  // never null once built
  std::vector<Segment> segments;
  uint64_t base = 0;  // vaddr of the image's first byte

 private:
  static bool within(const Segment& s, uint64_t vaddr, uint64_t size) {
    return vaddr >= s.vaddr && size <= s.size && vaddr - s.vaddr <= s.size - size;
  }
};

Expected<Layout> Layout::build(const ElfReader& elf, std::span<const std::byte> file) {
  auto headers = elf.program_headers();
  if (!headers) return from_llvm(headers.takeError(), "program headers");
  std::vector<Elf::Phdr> loads;
  for (const Elf::Phdr& header : *headers) {
    if (header.p_type == llvm::ELF::PT_LOAD && header.p_memsz > 0) loads.push_back(header);
  }
  if (loads.empty()) return malformed("no segment to load");
  if (loads.size() > kMaxSegments) return malformed(fmt::format("more than {} segments", kMaxSegments));

  uint64_t end = 0;
  for (const Elf::Phdr& load : loads) {
    if (load.p_filesz > load.p_memsz || load.p_offset > file.size() ||
        load.p_filesz > file.size() - load.p_offset) {
      return malformed("a segment reaches past the end of the file");
    }
    if (load.p_memsz > kMaxImageBytes || load.p_vaddr > UINT64_MAX - load.p_memsz) {
      return malformed(fmt::format("a segment of {} bytes at {:#x}", static_cast<uint64_t>(load.p_memsz),
                                   static_cast<uint64_t>(load.p_vaddr)));
    }
    if (load.p_align > kPage) {
      return Status::refused(fmt::format("code object: segment alignment {}, at most {} is supported",
                                         static_cast<uint64_t>(load.p_align), kPage));
    }
    if (load.p_vaddr < end) return malformed("segments overlap or are out of order");
    end = load.p_vaddr + load.p_memsz;
  }

  Layout layout;
  layout.base = loads.front().p_vaddr / kPage * kPage;
  if (end - layout.base > kMaxImageBytes) {
    return malformed(fmt::format("segments span {} bytes", end - layout.base));
  }
  Expected<Image> image = Image::allocate(end - layout.base);
  if (!image) return image.status();
  layout.image = std::make_unique<Image>(*std::move(image));
  for (const Elf::Phdr& load : loads) {
    if (load.p_filesz > 0) {
      std::memcpy(layout.at(load.p_vaddr, load.p_filesz).data(), file.data() + load.p_offset, load.p_filesz);
    }
    layout.segments.push_back({.address = layout.address(load.p_vaddr),
                               .size = load.p_memsz,
                               .vaddr = load.p_vaddr,
                               .writable = (load.p_flags & llvm::ELF::PF_W) != 0,
                               .executable = (load.p_flags & llvm::ELF::PF_X) != 0});
  }
  return layout;
}

// What one relocation type writes: `size` bytes of ((relative to its place ? S + A - P : S + A) >> shift), or
// B + A for RELATIVE64. Source: LLVM's "User Guide for AMDGPU Backend", section "Relocation Records".
struct RelocationRule {
  uint32_t type;
  uint32_t size;
  uint32_t shift;
  bool has_symbol;
  bool is_relative;
};

constexpr RelocationRule kRelocationRules[] = {
    {llvm::ELF::R_AMDGPU_ABS32_LO, 4, 0, true, false},    {llvm::ELF::R_AMDGPU_ABS32_HI, 4, 32, true, false},
    {llvm::ELF::R_AMDGPU_ABS64, 8, 0, true, false},       {llvm::ELF::R_AMDGPU_ABS32, 4, 0, true, false},
    {llvm::ELF::R_AMDGPU_REL64, 8, 0, true, true},        {llvm::ELF::R_AMDGPU_REL32_LO, 4, 0, true, true},
    {llvm::ELF::R_AMDGPU_REL32_HI, 4, 32, true, true},    {llvm::ELF::R_AMDGPU_REL32, 4, 0, true, true},
    {llvm::ELF::R_AMDGPU_RELATIVE64, 8, 0, false, false},
};

Status apply_relocation(const Elf::Rela& record, std::span<const ElfSymbol> symbols, const Layout& layout) {
  const uint32_t type = record.getType(false);
  if (type == llvm::ELF::R_AMDGPU_NONE) return {};
  const auto* rule = std::ranges::find(kRelocationRules, type, &RelocationRule::type);
  if (rule == std::end(kRelocationRules)) {
    return Status::refused(fmt::format("code object: relocation type {} is not supported", type));
  }
  const uint64_t place = record.r_offset;
  if (!layout.holds(place, rule->size)) {
    return malformed(fmt::format("a relocation writes outside of the segments at {:#x}", place));
  }
  // RELATIVE64 has no symbol: B + A, with B the distance between the file's numbering and memory.
  uint64_t value = layout.address(0) + static_cast<uint64_t>(static_cast<int64_t>(record.r_addend));
  if (rule->has_symbol) {
    const uint32_t index = record.getSymbol(false);
    if (index >= symbols.size()) return malformed("a relocation names a symbol that is not there");
    const ElfSymbol& symbol = symbols[index];
    if (symbol.section == llvm::ELF::SHN_UNDEF) {
      return Status::refused(fmt::format("code object: undefined symbol {}", symbol.name));
    }
    value += symbol.value;
    if (rule->is_relative) value -= layout.address(place);
  }
  value >>= rule->shift;
  std::memcpy(layout.at(place, rule->size).data(), &value, rule->size);
  return {};
}

Status relocate(const ElfReader& elf, const Layout& layout) {
  auto sections = elf.sections();
  if (!sections) return from_llvm(sections.takeError(), "section headers");
  size_t tables = 0;
  for (const Elf::Shdr& section : *sections) {
    if ((section.sh_flags & llvm::ELF::SHF_ALLOC) == 0) continue;
    if (section.sh_type == llvm::ELF::SHT_REL || section.sh_type == llvm::ELF::SHT_RELR) {
      return Status::refused("code object: relocations without addends are not supported");
    }
    if (section.sh_type != llvm::ELF::SHT_RELA) continue;
    if (++tables > kMaxRelocationTables) return malformed("too many relocation tables");
    auto records = elf.relas(section);
    if (!records) return from_llvm(records.takeError(), "relocations");
    std::vector<ElfSymbol> symbols;
    if (section.sh_link != 0) {
      auto table = elf.getSection(section.sh_link);
      if (!table) return from_llvm(table.takeError(), "relocations");
      Expected<std::vector<ElfSymbol>> read = read_symbols(elf, **table);
      if (!read) return read.status();
      symbols = *std::move(read);
    }
    for (const Elf::Rela& record : *records) {
      Status status = apply_relocation(record, symbols, layout);
      if (!status.ok()) return status;
    }
  }
  return {};
}

// Symbols of both tables; the dynamic one first, which decides when a name is in both.
Expected<std::vector<ElfSymbol>> all_symbols(const ElfReader& elf) {
  auto sections = elf.sections();
  if (!sections) return from_llvm(sections.takeError(), "section headers");
  std::vector<ElfSymbol> symbols;
  for (const uint32_t type : {llvm::ELF::SHT_DYNSYM, llvm::ELF::SHT_SYMTAB}) {
    const auto is_table = [type](const Elf::Shdr& section) { return section.sh_type == type; };
    const auto* section = std::ranges::find_if(*sections, is_table);
    if (section == sections->end()) continue;
    if (std::any_of(section + 1, sections->end(), is_table))
      return malformed("two symbol tables of one kind");
    Expected<std::vector<ElfSymbol>> table = read_symbols(elf, *section);
    if (!table) return table.status();
    symbols.insert(symbols.end(), table->begin(), table->end());
  }
  return symbols;
}

KernelDescriptor read_descriptor(std::span<const std::byte> bytes) {
  assert(bytes.size() == kDescriptorBytes);
  return {.lds_bytes = read<uint32_t>(bytes, 0),
          .private_bytes = read<uint32_t>(bytes, 4),
          .kernarg_bytes = read<uint32_t>(bytes, 8),
          .entry_offset = read<int64_t>(bytes, 16),
          .rsrc3 = read<uint32_t>(bytes, 44),
          .rsrc1 = read<uint32_t>(bytes, 48),
          .rsrc2 = read<uint32_t>(bytes, 52),
          .properties = read<uint16_t>(bytes, 56),
          .preload = read<uint16_t>(bytes, 58)};
}

// Fills in what the metadata does not hold: the descriptor and the addresses.
Status complete_kernel(Kernel& kernel, const std::map<std::string_view, ElfSymbol>& objects,
                       const std::map<uint64_t, uint64_t>& function_sizes, const Layout& layout) {
  const auto symbol = objects.find(kernel.symbol);
  if (symbol == objects.end()) {
    return malformed(fmt::format("kernel {}: no symbol {}", kernel.name, kernel.symbol));
  }
  const uint64_t vaddr = symbol->second.value;
  if (!layout.holds(vaddr, kDescriptorBytes) || vaddr % kDescriptorBytes != 0) {
    return malformed(
        fmt::format("kernel {}: descriptor at {:#x} is not in a segment or not aligned", kernel.name, vaddr));
  }
  kernel.descriptor = read_descriptor(layout.at(vaddr, kDescriptorBytes));
  kernel.descriptor_address = layout.address(vaddr);
  const KernelDescriptor& descriptor = kernel.descriptor;
  const uint64_t entry = vaddr + static_cast<uint64_t>(descriptor.entry_offset);
  const uint64_t first_bytes = descriptor.preload_dwords() > 0 ? kCodeAlignment + 4 : 4;
  if (!layout.is_code(entry, first_bytes) || entry % kCodeAlignment != 0) {
    return malformed(fmt::format("kernel {}: entry {:#x} is not in code or not aligned", kernel.name, entry));
  }
  kernel.entry = layout.address(entry);
  const auto size = function_sizes.find(entry);
  kernel.code_bytes = size == function_sizes.end() ? 0 : size->second;
  if (descriptor.kernarg_bytes > kernel.kernarg_bytes) {
    return malformed(
        fmt::format("kernel {}: the descriptor asks for {} bytes of arguments, the metadata for {}",
                    kernel.name, descriptor.kernarg_bytes, kernel.kernarg_bytes));
  }
  const uint32_t preload_end = 4 * (descriptor.preload_offset_dwords() + descriptor.preload_dwords());
  if (descriptor.preload_dwords() > 0 && preload_end > kernel.kernarg_bytes) {
    return malformed(fmt::format("kernel {}: preloads arguments past the kernarg segment", kernel.name));
  }
  if (kernel.wavefront_size != 64 || descriptor.is_wave32()) {
    return Status::refused(fmt::format("code object: kernel {} is not wave64", kernel.name));
  }
  return {};
}

}  // namespace

CodeObject::CodeObject() = default;
CodeObject::CodeObject(CodeObject&&) noexcept = default;
CodeObject& CodeObject::operator=(CodeObject&&) noexcept = default;
CodeObject::~CodeObject() = default;

Expected<CodeObject> CodeObject::load(std::span<const std::byte> file, const Chip& chip) {
  Expected<ElfReader> elf = open_elf(file);
  if (!elf) return elf.status();
  Status status = check_target(elf->getHeader(), chip);
  if (!status.ok()) return status;
  Expected<Layout> layout = Layout::build(*elf, file);
  if (!layout) return layout.status();
  status = relocate(*elf, *layout);
  if (!status.ok()) return status;
  const auto notes = find_notes(*elf, "AMDGPU", llvm::ELF::NT_AMDGPU_METADATA);
  if (!notes) return notes.status();
  if (notes->empty()) return malformed("no AMDGPU metadata note");
  Expected<Metadata> metadata = read_metadata(*notes);
  if (!metadata) return metadata.status();
  Expected<std::vector<ElfSymbol>> symbols = all_symbols(*elf);
  if (!symbols) return symbols.status();

  CodeObject object;
  object.target_ = chip.arch;
  object.target_id_ = metadata->target_id;
  object.segments_ = layout->segments;

  std::map<std::string_view, ElfSymbol> objects;
  std::map<uint64_t, uint64_t> function_sizes;  // by vaddr
  for (const ElfSymbol& symbol : *symbols) {
    const bool is_defined =
        symbol.section != llvm::ELF::SHN_UNDEF && symbol.section < llvm::ELF::SHN_LORESERVE;
    if (!is_defined || symbol.name.empty() || !layout->holds(symbol.value, symbol.size)) continue;
    if (symbol.type == llvm::ELF::STT_OBJECT) {
      objects.try_emplace(symbol.name, symbol);
    } else if (symbol.type == llvm::ELF::STT_FUNC &&
               function_sizes.try_emplace(symbol.value, symbol.size).second) {
      object.functions_.push_back({std::string(symbol.name), layout->address(symbol.value), symbol.size});
    }
  }
  std::ranges::sort(object.functions_, {}, &Function::address);

  std::set<std::string_view> descriptors;
  for (Kernel& kernel : metadata->kernels) {
    status = complete_kernel(kernel, objects, function_sizes, *layout);
    if (!status.ok()) return status;
    descriptors.insert(kernel.symbol);
  }
  for (const auto& [name, symbol] : objects) {
    if (descriptors.contains(name)) continue;
    object.variables_.push_back({std::string(name), layout->address(symbol.value), symbol.size});
  }
  object.kernels_ = std::move(metadata->kernels);
  object.image_ = std::move(layout->image);
  return object;
}

const Kernel* CodeObject::find(std::string_view name) const {
  const auto found = std::ranges::find(kernels_, name, &Kernel::name);
  return found == kernels_.end() ? nullptr : &*found;
}

const Variable* CodeObject::find_variable(std::string_view name) const {
  const auto found = std::ranges::find(variables_, name, &Variable::name);
  return found == variables_.end() ? nullptr : &*found;
}

std::span<std::byte> CodeObject::image() const {
  return image_->bytes();
}

uint64_t CodeObject::to_vaddr(uint64_t address) const {
  return address - segments_.front().address + segments_.front().vaddr;
}

}  // namespace mxproof::emulator
