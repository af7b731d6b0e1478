#include "emulator/loader/fat_binary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/Object/OffloadBundle.h>
#include <llvm/Support/MemoryBuffer.h>

#include <cstring>

#include "emulator/loader/code_object.hpp"
#include "tests/emulator/loader/sample.hpp"

namespace mxproof::emulator {
namespace {

using Bytes = std::vector<std::byte>;
using ::testing::HasSubstr;

void append(Bytes& out, const void* data, size_t size) {
  const auto* bytes = static_cast<const std::byte*>(data);
  out.insert(out.end(), bytes, bytes + size);
}
void append_number(Bytes& out, uint64_t value) {
  append(out, &value, sizeof(value));
}

struct Entry {
  std::string id;
  Bytes bytes;
};

// A bundle as clang-offload-bundler writes it: entries first, then the code, aligned to a page.
Bytes make_bundle(const std::vector<Entry>& entries) {
  Bytes out;
  append(out, "__CLANG_OFFLOAD_BUNDLE__", 24);
  append_number(out, entries.size());
  uint64_t offset = 4096;
  for (const Entry& entry : entries) {
    append_number(out, offset);
    append_number(out, entry.bytes.size());
    append_number(out, entry.id.size());
    append(out, entry.id.data(), entry.id.size());
    offset += (entry.bytes.size() + 4095) / 4096 * 4096;
  }
  offset = 4096;
  for (const Entry& entry : entries) {
    out.resize(offset);
    append(out, entry.bytes.data(), entry.bytes.size());
    offset += (entry.bytes.size() + 4095) / 4096 * 4096;
  }
  return out;
}

Bytes text(const char* value) {
  Bytes out;
  append(out, value, std::strlen(value));
  return out;
}

const Entry kHost{"host-x86_64-unknown-linux--", {}};

TEST(FatBinary, APlainCodeObjectIsItself) {
  const Bytes file = sample("sample_o3.co");
  Expected<FatBinary> binary = FatBinary::parse(file);
  ASSERT_TRUE(binary.ok()) << binary.status().message();
  EXPECT_EQ(binary->kind(), FatBinary::Kind::code_object);
  auto selected = binary->select(kGfx950);
  ASSERT_TRUE(selected.ok());
  ASSERT_EQ(selected->size(), 1U);
  EXPECT_EQ((*selected)[0].data(), file.data());
  EXPECT_EQ((*selected)[0].size(), file.size());
}

TEST(FatBinary, FindsTheSectionOfAHostBinary) {
  for (const char* name : {"sample_host.o", "sample_host_compressed.o"}) {
    SCOPED_TRACE(name);
    const Bytes file = sample(name);
    Expected<FatBinary> binary = FatBinary::parse(file);
    ASSERT_TRUE(binary.ok()) << binary.status().message();
    EXPECT_EQ(binary->kind(), FatBinary::Kind::host_binary);
    ASSERT_EQ(binary->bundles().size(), 1U);
    EXPECT_EQ(binary->bundles()[0].is_compressed, std::string(name) == "sample_host_compressed.o");
    auto selected = binary->select(kGfx950);
    ASSERT_TRUE(selected.ok());
    Expected<CodeObject> object = CodeObject::load((*selected)[0]);
    ASSERT_TRUE(object.ok()) << object.status().message();
    EXPECT_NE(object->find("with_globals"), nullptr);
  }
}

TEST(FatBinary, PicksTheEntryThatTheDeviceRuns) {
  struct {
    std::vector<Entry> entries;
    const char* picked;  // nullptr: none
  } const cases[] = {
      {{kHost,
        {"hipv4-amdgcn-amd-amdhsa--gfx942", text("a")},
        {"hipv4-amdgcn-amd-amdhsa--gfx950", text("b")}},
       "b"},
      {{{"hipv4-amdgcn-amd-amdhsa--gfx950", text("a")},
        {"hipv4-amdgcn-amd-amdhsa--gfx950:xnack-", text("b")}},
       "b"},
      {{{"hipv4-amdgcn-amd-amdhsa--gfx950:xnack+", text("a")},
        {"hipv4-amdgcn-amd-amdhsa--gfx950", text("b")}},
       "b"},
      {{{"hipv4-amdgcn-amd-amdhsa--gfx950:sramecc+:xnack-", text("a")}}, "a"},
      {{{"hipv4-amdgcn-amd-amdhsa-unknown-gfx950", text("a")}}, "a"},
      {{{"hipv4-amdgcn-amd-amdhsa--gfx950:sramecc-", text("a")}}, nullptr},
      {{{"hipv4-amdgcn-amd-amdhsa--gfx9500", text("a")}}, nullptr},
      {{{"openmp-amdgcn-amd-amdhsa--gfx950", text("a")}}, nullptr},
      {{kHost}, nullptr},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.entries.back().id);
    const Bytes bundle = make_bundle(c.entries);
    Expected<FatBinary> binary = FatBinary::parse(bundle);
    ASSERT_TRUE(binary.ok()) << binary.status().message();
    auto selected = binary->select(kGfx950);
    ASSERT_EQ(selected.ok(), c.picked != nullptr);
    if (c.picked == nullptr) {
      EXPECT_EQ(selected.status().code(), StatusCode::refused);
      EXPECT_THAT(selected.status().message(), HasSubstr("no code for gfx950"));
    } else {
      EXPECT_EQ(Bytes((*selected)[0].begin(), (*selected)[0].end()), text(c.picked));
    }
  }
}

class CompressedBundles : public ::testing::TestWithParam<std::tuple<int, llvm::compression::Format>> {
 protected:
  static Bytes compress(const Bytes& bundle) {
    const auto [version, method] = GetParam();
    auto in = llvm::MemoryBuffer::getMemBuffer(
        llvm::StringRef(reinterpret_cast<const char*>(bundle.data()), bundle.size()), "", false);
    // LLVM's writer knows versions 2 and 3; version 1 is version 2 without the total size at byte 8.
    auto out = llvm::object::CompressedOffloadBundle::compress(
        llvm::compression::Params(method), *in, static_cast<uint16_t>(version == 1 ? 2 : version));
    EXPECT_TRUE(static_cast<bool>(out));
    Bytes bytes;
    append(bytes, (*out)->getBufferStart(), (*out)->getBufferSize());
    if (version == 1) {
      bytes[4] = std::byte{1};
      bytes.erase(bytes.begin() + 8, bytes.begin() + 12);
    }
    return bytes;
  }
};

TEST_P(CompressedBundles, RoundTrip) {
  const Bytes code = sample("sample_o3.co");
  const Bytes packed = compress(make_bundle({kHost, {"hipv4-amdgcn-amd-amdhsa--gfx950", code}}));
  ASSERT_LT(packed.size(), code.size());
  Expected<FatBinary> binary = FatBinary::parse(packed);
  ASSERT_TRUE(binary.ok()) << binary.status().message();
  auto selected = binary->select(kGfx950);
  ASSERT_TRUE(selected.ok());
  EXPECT_EQ(Bytes((*selected)[0].begin(), (*selected)[0].end()), code);
}

TEST_P(CompressedBundles, DamageIsAnErrorOrHarmless) {
  const Bytes code = sample("sample_o3.co");
  const Bytes packed = compress(make_bundle({{"hipv4-amdgcn-amd-amdhsa--gfx950", code}}));
  size_t harmless = 0;  // a stream has unused bits
  for (size_t i = 0; i < packed.size(); ++i) {
    ASSERT_FALSE(FatBinary::parse(std::span(packed).first(i)).ok()) << "prefix of " << i;
    Bytes damaged = packed;
    damaged[i] ^= std::byte{0x10};
    Expected<FatBinary> binary = FatBinary::parse(damaged);
    if (!binary.ok()) continue;
    ++harmless;
    const std::span<const std::byte> bytes = binary->bundles()[0].objects[0].bytes;
    EXPECT_EQ(Bytes(bytes.begin(), bytes.end()), code) << "byte " << i;
  }
  EXPECT_LT(harmless, packed.size() / 20);
}

INSTANTIATE_TEST_SUITE_P(FatBinary, CompressedBundles,
                         ::testing::Combine(::testing::Values(1, 2, 3),
                                            ::testing::Values(llvm::compression::Format::Zlib,
                                                              llvm::compression::Format::Zstd)),
                         [](const auto& test) {
                           return "V" + std::to_string(std::get<0>(test.param)) +
                                  (std::get<1>(test.param) == llvm::compression::Format::Zlib ? "zlib"
                                                                                              : "zstd");
                         });

TEST(FatBinary, AClaimOfTooMuchIsAnErrorBeforeAnyAllocation) {
  Bytes bomb;
  append(bomb, "CCOB\x03\x00\x01\x00", 8);
  append_number(bomb, 64);
  append_number(bomb, uint64_t{1} << 60);
  append_number(bomb, 0);
  bomb.resize(64);
  Expected<FatBinary> binary = FatBinary::parse(bomb);
  ASSERT_FALSE(binary.ok());
  EXPECT_THAT(binary.status().message(), HasSubstr("claim to hold"));
}

TEST(FatBinary, ReadsMemoryOfUnknownSize) {
  const Bytes code = sample("sample_o3.co");
  const Bytes bundle = make_bundle({kHost, {"hipv4-amdgcn-amd-amdhsa--gfx950", code}});
  struct {
    uint32_t magic = 0x48495046;
    uint32_t version = 1;
    const void* bundle;
    const void* unused = nullptr;
  } wrapper;
  wrapper.bundle = bundle.data();
  Expected<FatBinary> wrapped = FatBinary::parse_wrapper(&wrapper);
  ASSERT_TRUE(wrapped.ok()) << wrapped.status().message();
  auto selected = wrapped->select(kGfx950);
  ASSERT_TRUE(selected.ok());
  EXPECT_EQ(Bytes((*selected)[0].begin(), (*selected)[0].end()), code);

  Expected<FatBinary> plain = FatBinary::parse_memory(code.data());
  ASSERT_TRUE(plain.ok()) << plain.status().message();
  EXPECT_EQ(plain->bundles()[0].objects[0].bytes.size(), code.size());

  wrapper.magic = 1;
  EXPECT_FALSE(FatBinary::parse_wrapper(&wrapper).ok());
  EXPECT_FALSE(FatBinary::parse_memory(nullptr).ok());
  EXPECT_FALSE(FatBinary::parse_memory(reinterpret_cast<const void*>(0x1000)).ok());
}

TEST(FatBinary, OtherFilesAreNamed) {
  EXPECT_THAT(FatBinary::parse(text("hello")).status().message(), HasSubstr("neither an ELF file nor"));
  EXPECT_FALSE(FatBinary::parse({}).ok());
}

}  // namespace
}  // namespace mxproof::emulator
