#include "emulator/loader/code_object.hpp"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <ostream>

#include "tests/emulator/loader/sample.hpp"

namespace mxproof::emulator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

CodeObject load_sample(const std::string& name) {
  Expected<CodeObject> object = CodeObject::load(sample(name));
  EXPECT_TRUE(object.ok()) << object.status().message();
  return *std::move(object);
}

template <class T>
T at(uint64_t address) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof(T));
  return value;
}

// The arguments of `packed` in sample_kernels.hip as the host's compiler lays them out.
struct PackedArgs {
  char a;
  short b;
  char c;
  int d;
  char e;
  long f;
  struct {
    char letter;
    double number;
    short shorts[3];
  } g;
  float* out;
};

TEST(CodeObject, FindsEveryKernel) {
  const CodeObject object = load_sample("sample_o3.co");
  std::vector<std::string> names;
  for (const Kernel& kernel : object.kernels()) names.push_back(kernel.name);
  EXPECT_THAT(names, ElementsAre("plain", "packed", "with_lds", "with_globals", "sized"));
  EXPECT_EQ(object.target(), "gfx950");
  EXPECT_THAT(object.target_id(), HasSubstr("gfx950"));
  EXPECT_EQ(object.find("packed"), &object.kernels()[1]);
  EXPECT_EQ(object.find("absent"), nullptr);
}

TEST(CodeObject, FindsTheKernelsOfEveryNote) {
  const CodeObject whole = load_sample("sample_o3.co");
  const CodeObject parts = load_sample("sample_parts.co");
  EXPECT_EQ(parts.kernels().size(), whole.kernels().size());
  for (const Kernel& kernel : whole.kernels()) {
    const Kernel* other = parts.find(kernel.name);
    ASSERT_NE(other, nullptr) << kernel.name;
    EXPECT_EQ(other->args.size(), kernel.args.size()) << kernel.name;
  }
}

TEST(CodeObject, ArgumentsLieWhereTheHostCompilerPutsThem) {
  const CodeObject object = load_sample("sample_o3.co");
  const Kernel& packed = *object.find("packed");
  struct {
    size_t offset;
    size_t size;
    ValueKind kind;
  } const expected[] = {
      {offsetof(PackedArgs, a), sizeof(char), ValueKind::by_value},
      {offsetof(PackedArgs, b), sizeof(short), ValueKind::by_value},
      {offsetof(PackedArgs, c), sizeof(char), ValueKind::by_value},
      {offsetof(PackedArgs, d), sizeof(int), ValueKind::by_value},
      {offsetof(PackedArgs, e), sizeof(char), ValueKind::by_value},
      {offsetof(PackedArgs, f), sizeof(long), ValueKind::by_value},
      {offsetof(PackedArgs, g), sizeof(PackedArgs::g), ValueKind::by_value},
      {offsetof(PackedArgs, out), sizeof(float*), ValueKind::global_buffer},
  };
  ASSERT_EQ(packed.args.size(), std::size(expected));
  for (size_t i = 0; i < packed.args.size(); ++i) {
    EXPECT_EQ(packed.args[i].offset, expected[i].offset) << "argument " << i;
    EXPECT_EQ(packed.args[i].size, expected[i].size) << "argument " << i;
    EXPECT_EQ(packed.args[i].value_kind, expected[i].kind) << "argument " << i;
  }
  EXPECT_EQ(packed.kernarg_bytes, sizeof(PackedArgs));
}

TEST(CodeObject, HiddenArgumentsFollowTheVisibleOnes) {
  const CodeObject object = load_sample("sample_o3.co");
  const Kernel& sized = *object.find("sized");
  ASSERT_GT(sized.args.size(), 3U);
  EXPECT_FALSE(is_hidden(sized.args[0].value_kind));
  EXPECT_EQ(sized.args[1].value_kind, ValueKind::hidden_block_count_x);
  EXPECT_EQ(sized.args[1].offset, 8U);
  EXPECT_EQ(sized.args[1].size, 4U);
  EXPECT_EQ(sized.max_workgroup_size, 128U);
}

TEST(CodeObject, DescriptorSaysWhatTheSourceAsksFor) {
  const CodeObject object = load_sample("sample_o3.co");
  const Kernel& with_lds = *object.find("with_lds");
  EXPECT_EQ(with_lds.descriptor.lds_bytes, 400U);  // int fixed[100]; the dynamic part is not in it
  EXPECT_EQ(object.find("plain")->descriptor.lds_bytes, 0U);
  for (const Kernel& kernel : object.kernels()) {
    SCOPED_TRACE(kernel.name);
    EXPECT_TRUE(kernel.descriptor.has_kernarg_segment_ptr());
    EXPECT_FALSE(kernel.descriptor.is_wave32());
    EXPECT_EQ(kernel.wavefront_size, 64U);
    EXPECT_EQ(kernel.descriptor.workitem_id_dims(), 1U);
    EXPECT_EQ(kernel.descriptor.kernarg_bytes, kernel.kernarg_bytes);
    EXPECT_GE(kernel.descriptor.allocated_vgprs(), kernel.vgpr_count);
    EXPECT_GE(kernel.descriptor.user_sgprs(), 2U);
    EXPECT_EQ(kernel.entry % 256, 0U);
    EXPECT_GT(kernel.code_bytes, 4U);
    EXPECT_EQ(kernel.descriptor_address + kernel.descriptor.entry_offset, kernel.entry);
  }
  EXPECT_TRUE(object.find("plain")->descriptor.has_workgroup_id_x());
}

TEST(CodeObject, KernargPreloadIsReported) {
  const CodeObject plain = load_sample("sample_o3.co");
  const CodeObject preloaded = load_sample("sample_preload.co");
  EXPECT_EQ(plain.find("plain")->descriptor.preload_dwords(), 0U);
  // Two pointers, a float and an int: 6 dwords.
  EXPECT_EQ(preloaded.find("plain")->descriptor.preload_dwords(), 6U);
  EXPECT_EQ(preloaded.find("plain")->descriptor.preload_offset_dwords(), 0U);
}

TEST(CodeObject, VariablesHoldTheirInitialValuesAndAreRelocated) {
  const CodeObject object = load_sample("sample_o3.co");
  const Variable* counter = object.find_variable("counter");
  const Variable* pointer = object.find_variable("pointer_to_counter");
  const Variable* zeros = object.find_variable("zeros");
  const Variable* factors = object.find_variable("factors");
  ASSERT_TRUE(counter && pointer && zeros && factors);
  EXPECT_EQ(at<int>(counter->address), 7);
  EXPECT_EQ(counter->size, sizeof(int));
  EXPECT_EQ(at<uint64_t>(pointer->address), counter->address);
  EXPECT_EQ(zeros->size, 1000 * sizeof(int));
  for (size_t i = 0; i < 1000; ++i) ASSERT_EQ(at<int>(zeros->address + 4 * i), 0) << i;
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(at<float>(factors->address + 4 * i), static_cast<float>(1 << i));
  EXPECT_EQ(object.find_variable("plain.kd"), nullptr) << "descriptors are no variables";
}

// Reads the symbols by hand, to check addresses against the file's own numbering.
TEST(CodeObject, SegmentsKeepTheirMutualDistances) {
  const std::vector<std::byte> file = sample("sample_o3.co");
  const CodeObject object = load_sample("sample_o3.co");
  Elf64_Ehdr header;
  std::memcpy(&header, file.data(), sizeof(header));
  const auto section = [&](size_t index) {
    Elf64_Shdr value;
    std::memcpy(&value, file.data() + header.e_shoff + index * sizeof(value), sizeof(value));
    return value;
  };
  size_t checked = 0;
  for (size_t i = 0; i < header.e_shnum; ++i) {
    if (section(i).sh_type != SHT_DYNSYM) continue;
    for (size_t offset = 0; offset < section(i).sh_size; offset += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, file.data() + section(i).sh_offset + offset, sizeof(symbol));
      const std::string name =
          reinterpret_cast<const char*>(file.data()) + section(section(i).sh_link).sh_offset + symbol.st_name;
      if (const Variable* variable = object.find_variable(name)) {
        EXPECT_EQ(object.to_vaddr(variable->address), symbol.st_value) << name;
        ++checked;
      } else if (const Kernel* kernel = object.find(name)) {
        EXPECT_EQ(object.to_vaddr(kernel->entry), symbol.st_value) << name;
        EXPECT_EQ(kernel->code_bytes, symbol.st_size) << name;
        ++checked;
      }
    }
  }
  EXPECT_GE(checked, 9U);
}

TEST(CodeObject, SegmentsAndFunctionsAreInOrder) {
  const CodeObject object = load_sample("sample_o3.co");
  ASSERT_GE(object.segments().size(), 3U);
  for (size_t i = 1; i < object.segments().size(); ++i) {
    EXPECT_GE(object.segments()[i].address, object.segments()[i - 1].address + object.segments()[i - 1].size);
  }
  ASSERT_GE(object.functions().size(), 5U);
  for (size_t i = 1; i < object.functions().size(); ++i) {
    EXPECT_GT(object.functions()[i].address, object.functions()[i - 1].address);
  }
}

TEST(CodeObject, AddressesSurviveAMove) {
  CodeObject first = load_sample("sample_o3.co");
  const uint64_t entry = first.find("plain")->entry;
  const CodeObject second = std::move(first);
  EXPECT_EQ(second.find("plain")->entry, entry);
  EXPECT_EQ(at<uint32_t>(entry), at<uint32_t>(second.kernels()[0].entry));
}

TEST(CodeObject, LoadsUnoptimisedCode) {
  const CodeObject object = load_sample("sample_o0.co");
  EXPECT_EQ(object.kernels().size(), 5U);
  EXPECT_GT(object.find("packed")->descriptor.private_bytes, 0U) << "-O0 keeps variables in scratch";
}

// One header field changed in a good file, and what the message has to say about it.
struct HeaderFault {
  size_t offset;
  std::vector<uint8_t> bytes;
  StatusCode code;
  std::string message;
};

void PrintTo(const HeaderFault& fault, std::ostream* out) {
  *out << fault.message << " at byte " << fault.offset;
}

class HeaderFaults : public ::testing::TestWithParam<HeaderFault> {};

TEST_P(HeaderFaults, AreNamed) {
  std::vector<std::byte> file = sample("sample_o3.co");
  std::memcpy(file.data() + GetParam().offset, GetParam().bytes.data(), GetParam().bytes.size());
  Expected<CodeObject> object = CodeObject::load(file);
  ASSERT_FALSE(object.ok());
  EXPECT_EQ(object.status().code(), GetParam().code);
  EXPECT_THAT(object.status().message(), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    CodeObject, HeaderFaults,
    ::testing::Values(
        HeaderFault{0, {0}, StatusCode::bad_input, "magic"},
        HeaderFault{EI_CLASS, {ELFCLASS32}, StatusCode::bad_input, "64-bit"},
        HeaderFault{EI_OSABI, {0}, StatusCode::refused, "HSA"},
        HeaderFault{EI_ABIVERSION, {0}, StatusCode::refused, "ABI version 2"},
        HeaderFault{offsetof(Elf64_Ehdr, e_machine), {62, 0}, StatusCode::bad_input, "machine 62"},
        HeaderFault{offsetof(Elf64_Ehdr, e_type), {ET_REL, 0}, StatusCode::bad_input, "not linked"},
        HeaderFault{offsetof(Elf64_Ehdr, e_flags), {0x4c}, StatusCode::refused, "gfx950"},
        HeaderFault{offsetof(Elf64_Ehdr, e_flags) + 1, {0x07}, StatusCode::refused, "xnack+"},
        HeaderFault{offsetof(Elf64_Ehdr, e_flags) + 1, {0x09}, StatusCode::refused, "sramecc-"}));

}  // namespace
}  // namespace mxproof::emulator
