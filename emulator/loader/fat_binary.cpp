#include "emulator/loader/fat_binary.hpp"

#include <llvm/Support/Compression.h>
#include <llvm/Support/MD5.h>

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emulator/loader/elf_file.hpp"
#include "emulator/loader/mapped_memory.hpp"

namespace mxproof::emulator {
namespace {

constexpr std::string_view kBundleMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view kCompressedMagic = "CCOB";
constexpr uint32_t kWrapperMagic = 0x48495046;  // "HIPF"
constexpr uint64_t kMaxEntries = 4096;
constexpr uint64_t kMaxIdBytes = 4096;
constexpr uint64_t kMaxCompressionRatio = 1024;

Status malformed(std::string_view what) {
  return Status::bad_input(fmt::format("offload bundle: {}", what));
}

bool starts_with(std::span<const std::byte> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

// Little-endian values one after the other; absent once the bytes run out.
class Cursor {
 public:
  explicit Cursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  std::optional<T> take() {
    if (sizeof(T) > bytes_.size() - position_) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + position_, sizeof(T));
    position_ += sizeof(T);
    return value;
  }

  std::optional<std::string_view> take_text(uint64_t size) {
    if (size > bytes_.size() - position_) return std::nullopt;
    const std::string_view text(reinterpret_cast<const char*>(bytes_.data()) + position_, size);
    position_ += size;
    return text;
  }

  size_t position() const { return position_; }

 private:
  std::span<const std::byte> bytes_;
  size_t position_ = 0;
};

// The header of a compressed bundle, versions 1 to 3. Source: LLVM's OffloadBundle.h.
struct CompressedHeader {
  size_t header_bytes = 0;
  std::optional<uint64_t> file_bytes;  // header included; version 1 does not say
  uint64_t uncompressed_bytes = 0;
  uint64_t hash = 0;  // low half of the uncompressed bundle's MD5
  llvm::compression::Format method = llvm::compression::Format::Zstd;
};

Expected<CompressedHeader> read_compressed_header(std::span<const std::byte> bytes) {
  Cursor cursor(bytes);
  cursor.take_text(kCompressedMagic.size());
  const auto version = cursor.take<uint16_t>();
  const auto method = cursor.take<uint16_t>();
  if (!version || !method) return malformed("compressed header ends early");
  if (*version < 1 || *version > 3) {
    return malformed(fmt::format("compressed bundle version {}; 1 to 3 are known", *version));
  }
  if (*method > static_cast<uint16_t>(llvm::compression::Format::Zstd)) {
    return malformed(fmt::format("compression method {}; 0 (zlib) and 1 (zstd) are known", *method));
  }
  const auto take_size = [&]() -> std::optional<uint64_t> {
    if (*version == 3) return cursor.take<uint64_t>();
    return cursor.take<uint32_t>();
  };
  CompressedHeader header;
  header.method = static_cast<llvm::compression::Format>(*method);
  if (*version >= 2) {
    header.file_bytes = take_size();
    if (!header.file_bytes) return malformed("compressed header ends early");
  }
  const auto uncompressed = take_size();
  const auto hash = cursor.take<uint64_t>();
  if (!uncompressed || !hash) return malformed("compressed header ends early");
  header.uncompressed_bytes = *uncompressed;
  header.hash = *hash;
  header.header_bytes = cursor.position();
  return header;
}

llvm::Error decompress(llvm::compression::Format method, llvm::ArrayRef<uint8_t> in, uint8_t* out,
                       size_t& size) {
  const bool is_zlib = method == llvm::compression::Format::Zlib;
  if (const char* reason = llvm::compression::getReasonIfUnsupported(method)) {
    return llvm::createStringError(reason);
  }
  return is_zlib ? llvm::compression::zlib::decompress(in, out, size)
                 : llvm::compression::zstd::decompress(in, out, size);
}

// Where an ELF file ends, from its own headers; for code objects in memory of unknown size.
Expected<size_t> elf_extent(std::span<const std::byte> bytes) {
  Expected<ElfReader> elf = open_elf(bytes);
  if (!elf) return elf.status();
  const Elf::Ehdr& header = elf->getHeader();
  auto segments = elf->program_headers();
  if (!segments) return from_llvm(segments.takeError(), "program headers");
  auto sections = elf->sections();
  if (!sections) return from_llvm(sections.takeError(), "section headers");
  uint64_t end = std::max<uint64_t>(sizeof(header), header.e_phoff + segments->size() * sizeof(Elf::Phdr));
  end = std::max<uint64_t>(end, header.e_shoff + sections->size() * sizeof(Elf::Shdr));
  const auto extend = [&](uint64_t offset, uint64_t size) {
    if (offset > bytes.size() || size > bytes.size() - offset) return false;
    end = std::max(end, offset + size);
    return true;
  };
  for (const Elf::Phdr& segment : *segments) {
    if (!extend(segment.p_offset, segment.p_filesz)) return malformed("a segment reaches past mapped memory");
  }
  for (const Elf::Shdr& section : *sections) {
    if (section.sh_type == llvm::ELF::SHT_NOBITS) continue;
    if (!extend(section.sh_offset, section.sh_size)) return malformed("a section reaches past mapped memory");
  }
  return end;
}

// How well an entry fits the chip: 0 not at all, else 1 + the number of features it names.
int fitness(std::string_view id, const Chip& chip) {
  if (id.empty()) return 1;  // a plain code object; loading it checks its target
  const size_t dash = id.rfind("-gfx");
  if (!id.starts_with("hip") || dash == std::string_view::npos) return 0;
  std::string_view target = id.substr(dash + 1);
  int score = 0;
  while (!target.empty()) {
    const size_t colon = std::min(target.find(':'), target.size());
    const std::string_view part = target.substr(0, colon);
    if (part != (score == 0 ? chip.arch : part.starts_with('s') ? "sramecc+" : "xnack-")) return 0;
    ++score;
    target.remove_prefix(std::min(colon + 1, target.size()));
  }
  return score;
}

}  // namespace

const BundledObject* Bundle::best_for(const Chip& chip) const {
  const BundledObject* best = nullptr;
  for (const BundledObject& object : objects) {
    if (fitness(object.id, chip) > (best == nullptr ? 0 : fitness(best->id, chip))) best = &object;
  }
  return best;
}

Status FatBinary::add_plain_bundle(std::span<const std::byte> bytes, bool is_compressed, size_t* end) {
  assert(starts_with(bytes, kBundleMagic));
  Cursor cursor(bytes);
  cursor.take_text(kBundleMagic.size());
  const auto count = cursor.take<uint64_t>();
  if (!count) return malformed("header ends early");
  if (*count > kMaxEntries) return malformed(fmt::format("{} entries", *count));
  Bundle bundle;
  bundle.is_compressed = is_compressed;
  *end = 0;
  for (uint64_t i = 0; i < *count; ++i) {
    const auto offset = cursor.take<uint64_t>();
    const auto size = cursor.take<uint64_t>();
    const auto id_size = cursor.take<uint64_t>();
    if (!offset || !size || !id_size) return malformed(fmt::format("entry {} ends early", i));
    const auto id = *id_size <= kMaxIdBytes ? cursor.take_text(*id_size) : std::nullopt;
    if (!id) return malformed(fmt::format("the id of entry {} is {} bytes long", i, *id_size));
    if (std::ranges::any_of(*id, [](char c) { return c < 0x20 || c > 0x7e; })) {
      return malformed(fmt::format("the id of entry {} is not printable", i));
    }
    if (*offset > bytes.size() || *size > bytes.size() - *offset) {
      return malformed(fmt::format("entry {} ({}) reaches past the end", i, *id));
    }
    *end = std::max<size_t>(*end, *offset + *size);
    if (*size > 0) bundle.objects.push_back({std::string(*id), bytes.subspan(*offset, *size)});
  }
  *end = std::max(*end, cursor.position());
  bundles_.push_back(std::move(bundle));
  return {};
}

Expected<size_t> FatBinary::add_compressed_bundle(std::span<const std::byte> bytes) {
  Expected<CompressedHeader> header = read_compressed_header(bytes);
  if (!header) return header.status();
  const uint64_t end = header->file_bytes.value_or(bytes.size());
  if (end > bytes.size() || end < header->header_bytes) {
    return malformed(fmt::format("compressed bundle of {} bytes in {}", end, bytes.size()));
  }
  const uint64_t packed = end - header->header_bytes;
  if (header->uncompressed_bytes / kMaxCompressionRatio > packed) {
    return malformed(fmt::format("{} bytes claim to hold {}", packed, header->uncompressed_bytes));
  }
  auto buffer = std::make_unique_for_overwrite<std::byte[]>(header->uncompressed_bytes);
  size_t size = header->uncompressed_bytes;
  const llvm::ArrayRef<uint8_t> stream(reinterpret_cast<const uint8_t*>(bytes.data()) + header->header_bytes,
                                       packed);
  auto* out = reinterpret_cast<uint8_t*>(buffer.get());
  if (llvm::Error error = decompress(header->method, stream, out, size)) {
    return from_llvm(std::move(error), "offload bundle");
  }
  if (size != header->uncompressed_bytes) {
    return malformed(fmt::format("{} bytes after decompression, not {}", size, header->uncompressed_bytes));
  }
  if (llvm::MD5::hash(llvm::ArrayRef<uint8_t>(out, size)).low() != header->hash) {
    return malformed("the hash does not fit the contents");
  }
  const std::span<const std::byte> plain(buffer.get(), size);
  if (!starts_with(plain, kBundleMagic)) return malformed("no bundle inside of the compressed one");
  buffers_.push_back(std::move(buffer));
  size_t plain_end = 0;
  Status status = add_plain_bundle(plain, true, &plain_end);
  if (!status.ok()) return status;
  return end;
}

Expected<size_t> FatBinary::add_one(std::span<const std::byte> bytes) {
  if (starts_with(bytes, kCompressedMagic)) return add_compressed_bundle(bytes);
  if (!starts_with(bytes, kBundleMagic)) return malformed("starts with none of the known magics");
  size_t end = 0;
  Status status = add_plain_bundle(bytes, false, &end);
  if (!status.ok()) return status;
  return end;
}

Status FatBinary::add_all(std::span<const std::byte> section) {
  while (true) {
    const auto* start = std::ranges::find_if(section, [](std::byte b) { return b != std::byte{0}; }).base();
    section = section.subspan(start - section.data());
    if (section.empty()) return {};
    Expected<size_t> end = add_one(section);
    if (!end) return end.status();
    section = section.subspan(*end);
  }
}

Expected<FatBinary> FatBinary::parse(std::span<const std::byte> file) {
  FatBinary binary;
  if (!is_elf(file)) {
    if (!starts_with(file, kBundleMagic) && !starts_with(file, kCompressedMagic)) {
      return Status::bad_input("neither an ELF file nor an offload bundle");
    }
    binary.kind_ = Kind::bundle;
    Expected<size_t> end = binary.add_one(file);
    if (!end) return end.status();
    return binary;
  }
  Expected<ElfReader> elf = open_elf(file);
  if (!elf) return elf.status();
  if (elf->getHeader().e_machine == llvm::ELF::EM_AMDGPU) {
    binary.bundles_.push_back({.objects = {{.id = "", .bytes = file}}, .is_compressed = false});
    return binary;
  }
  binary.kind_ = Kind::host_binary;
  Expected<std::vector<std::span<const std::byte>>> sections = sections_named(*elf, ".hip_fatbin");
  if (!sections) return sections.status();
  if (sections->empty())
    return Status::bad_input("host binary without a section .hip_fatbin: not a HIP program");
  for (const std::span<const std::byte> section : *sections) {
    Status status = binary.add_all(section);
    if (!status.ok()) return status;
  }
  if (binary.bundles_.empty()) return Status::bad_input("the section .hip_fatbin is empty");
  return binary;
}

Expected<FatBinary> FatBinary::parse_memory(const void* data) {
  const std::span<const std::byte> bytes = readable_from(data);
  if (bytes.empty()) return Status::bad_input("code object: the pointer is not readable");
  FatBinary binary;
  if (is_elf(bytes)) {
    Expected<size_t> size = elf_extent(bytes);
    if (!size) return size.status();
    binary.bundles_.push_back({.objects = {{.id = "", .bytes = bytes.first(*size)}}, .is_compressed = false});
    return binary;
  }
  binary.kind_ = Kind::bundle;
  Expected<size_t> end = binary.add_one(bytes);
  if (!end) return end.status();
  return binary;
}

Expected<FatBinary> FatBinary::parse_wrapper(const void* wrapper) {
  struct Wrapper {
    uint32_t magic;
    uint32_t version;
    const void* bundle;
    const void* unused;
  };
  const std::span<const std::byte> bytes = readable_from(wrapper);
  if (bytes.size() < sizeof(Wrapper)) return Status::bad_input("fat binary: the wrapper is not readable");
  Wrapper fields;
  std::memcpy(&fields, bytes.data(), sizeof(fields));
  if (fields.magic != kWrapperMagic || fields.version != 1) {
    return Status::bad_input(fmt::format("fat binary: wrapper magic {:#x} version {}, not {:#x} version 1",
                                         fields.magic, fields.version, kWrapperMagic));
  }
  return parse_memory(fields.bundle);
}

Expected<std::vector<std::span<const std::byte>>> FatBinary::select(const Chip& chip) const {
  std::vector<std::span<const std::byte>> selected;
  std::vector<std::string_view> ids;
  for (const Bundle& bundle : bundles_) {
    for (const BundledObject& object : bundle.objects) ids.push_back(object.id);
    if (const BundledObject* best = bundle.best_for(chip)) selected.push_back(best->bytes);
  }
  if (!selected.empty()) return selected;
  return Status::refused(fmt::format("no code for {}; there is: {}", chip.arch,
                                     ids.empty() ? "none" : fmt::format("{}", fmt::join(ids, ", "))));
}

}  // namespace mxproof::emulator
