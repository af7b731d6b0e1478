// Malformed files: every prefix, every byte changed, random damage. Whatever comes back must be an error or
// an object whose addresses all lie inside of its image.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>

#include "emulator/loader/code_object.hpp"
#include "emulator/loader/fat_binary.hpp"
#include "tests/emulator/loader/sample.hpp"

namespace mxproof::emulator {
namespace {

using Bytes = std::vector<std::byte>;

void expect_sound(const CodeObject& object) {
  const auto first = reinterpret_cast<uint64_t>(object.image().data());
  const uint64_t last = first + object.image().size();
  const auto inside = [&](uint64_t address, uint64_t size) {
    return address >= first && address <= last && size <= last - address;
  };
  for (const Segment& segment : object.segments()) EXPECT_TRUE(inside(segment.address, segment.size));
  for (const Variable& variable : object.variables()) EXPECT_TRUE(inside(variable.address, variable.size));
  for (const Function& function : object.functions()) EXPECT_TRUE(inside(function.address, function.size));
  for (const Kernel& kernel : object.kernels()) {
    EXPECT_TRUE(inside(kernel.entry, 4));
    EXPECT_TRUE(inside(kernel.descriptor_address, 64));
    for (const KernelArg& arg : kernel.args) EXPECT_LE(arg.offset + arg.size, kernel.kernarg_bytes);
  }
}

// Loads damaged bytes in a buffer of exactly their size, so that a sanitizer sees a read past the end.
// True when they loaded.
bool survives(std::span<const std::byte> damaged) {
  const auto exact = std::make_unique_for_overwrite<std::byte[]>(damaged.size());
  std::ranges::copy(damaged, exact.get());
  Expected<FatBinary> binary = FatBinary::parse({exact.get(), damaged.size()});
  if (!binary.ok()) return false;
  bool loaded = false;
  for (const Bundle& bundle : binary->bundles()) {
    for (const BundledObject& object : bundle.objects) {
      Expected<CodeObject> code = CodeObject::load(object.bytes);
      if (!code.ok()) {
        EXPECT_FALSE(code.status().message().empty());
        continue;
      }
      expect_sound(*code);
      loaded = true;
    }
  }
  return loaded;
}

TEST(Hostile, EveryPrefixIsAnError) {
  const Bytes file = sample("sample_o3.co");
  ASSERT_TRUE(survives(file));
  for (size_t size = 0; size < file.size(); ++size) {
    ASSERT_FALSE(survives(std::span(file).first(size))) << "prefix of " << size << " bytes";
  }
}

TEST(Hostile, EveryPrefixOfAProgramIsSafe) {
  for (const char* name : {"sample_host.o", "sample_host_compressed.o"}) {
    const Bytes file = sample(name);
    ASSERT_TRUE(survives(file)) << name;
    for (size_t size = 0; size < file.size(); ++size) {
      ASSERT_FALSE(survives(std::span(file).first(size))) << name << ", prefix of " << size << " bytes";
    }
  }
}

TEST(Hostile, EveryByteChangedIsSafe) {
  Bytes file = sample("sample_o3.co");
  size_t errors = 0;
  for (std::byte& byte : file) {
    for (const int value : {0x00, 0xff, 0x7f, 0x01}) {
      const std::byte kept = byte;
      byte = static_cast<std::byte>(value);
      errors += !survives(file);
      byte = kept;
    }
  }
  EXPECT_GT(errors, 1000U) << "most of the headers and the metadata are checked";
}

TEST(Hostile, RandomDamageIsSafe) {
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  size_t runs = 0;
  for (const char* name : {"sample_o3.co", "sample_host.o", "sample_host_compressed.o"}) {
    const Bytes file = sample(name);
    for (int i = 0; i < 1000; ++i, ++runs) {
      Bytes damaged = file;
      const size_t faults = 1 + random() % 8;
      for (size_t f = 0; f < faults; ++f) {
        // Eight bytes at once reach the 64-bit offsets and sizes.
        const size_t where = random() % (damaged.size() - 8);
        const uint64_t value = random() >> (random() % 64);
        std::memcpy(damaged.data() + where, &value, 1 + random() % 8);
      }
      survives(damaged);
    }
  }
  EXPECT_EQ(runs, 3000U);
}

}  // namespace
}  // namespace mxproof::emulator
