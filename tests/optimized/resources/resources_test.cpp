// What the compiler says about the kernels in this program's own code objects: registers, scratch, LDS,
// arguments.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "emulator/loader/code_object.hpp"
#include "emulator/loader/fat_binary.hpp"
#include "emulator/loader/file_bytes.hpp"
#include "optimized/gemm/gemm.hpp"
#include "optimized/launch.hpp"
#include "optimized/registry/kernels.hpp"

namespace mxproof {
namespace {

class KernelResources : public testing::Test {
 protected:
  void SetUp() override {
    const auto file = emulator::read_file_bytes("/proc/self/exe");
    ASSERT_TRUE(file.ok()) << file.status().message();
    const auto fat = emulator::FatBinary::parse(file.value());
    ASSERT_TRUE(fat.ok()) << fat.status().message();
    kernels_ = kernels_of(fat.value(), emulator::kGfx950);
    ASSERT_FALSE(kernels_.empty());
    // A build may leave this chip out.
    if (fat.value().select(emulator::kGfx942).ok()) {
      other_form_ = kernels_of(fat.value(), emulator::kGfx942);
      ASSERT_EQ(other_form_.size(), kernels_.size());
    }
  }

  static std::vector<emulator::Kernel> kernels_of(const emulator::FatBinary& fat,
                                                  const emulator::Chip& chip) {
    std::vector<emulator::Kernel> kernels;
    const auto elves = fat.select(chip);
    EXPECT_TRUE(elves.ok()) << elves.status().message();
    if (!elves) return kernels;
    for (const auto elf : elves.value()) {
      auto object = emulator::CodeObject::load(elf, chip);
      EXPECT_TRUE(object.ok()) << object.status().message();
      if (!object) continue;
      for (const emulator::Kernel& kernel : object.value().kernels()) kernels.push_back(kernel);
    }
    return kernels;
  }

  static void expect_no_spills(const std::vector<emulator::Kernel>& kernels) {
    for (const emulator::Kernel& kernel : kernels) {
      EXPECT_EQ(kernel.vgpr_spills, 0u) << kernel.name;
      EXPECT_EQ(kernel.sgpr_spills, 0u) << kernel.name;
      EXPECT_EQ(kernel.descriptor.private_bytes, 0u) << kernel.name;
      EXPECT_FALSE(kernel.uses_dynamic_stack) << kernel.name;
    }
  }

  std::vector<emulator::Kernel> kernels_;     ///< as compiled for gfx950
  std::vector<emulator::Kernel> other_form_;  ///< and for gfx942
};

TEST_F(KernelResources, NothingSpills) {
  expect_no_spills(kernels_);
  expect_no_spills(other_form_);
}

TEST_F(KernelResources, TwoWavesFitOnASimdAndOneWorkGroupInLds) {
  constexpr uint32_t kVgprsOfASimd = 512;
  constexpr uint32_t kLdsOfAWorkGroup = 64 * 1024;
  for (const emulator::Kernel& kernel : kernels_) {
    EXPECT_LE(kernel.descriptor.allocated_vgprs(), kVgprsOfASimd / 2) << kernel.name;
    EXPECT_LE(kernel.descriptor.lds_bytes, kLdsOfAWorkGroup) << kernel.name;
  }
}

TEST_F(KernelResources, EveryKernelTakesOneStructAndNothingHidden) {
  for (const emulator::Kernel& kernel : kernels_) {
    ASSERT_FALSE(kernel.args.empty()) << kernel.name;
    EXPECT_EQ(kernel.args[0].value_kind, emulator::ValueKind::by_value) << kernel.name;
    EXPECT_LE(kernel.args[0].size, Launch::kMaxArgumentBytes) << kernel.name;
    for (size_t i = 1; i < kernel.args.size(); ++i) {
      EXPECT_TRUE(is_hidden(kernel.args[i].value_kind)) << kernel.name << " argument " << i;
    }
  }
}

TEST_F(KernelResources, EveryListedKernelIsThereInEveryTile) {
  size_t listed = 0;
  for (const KernelInfo& info : kKernels) {
    // Mangled names hold the length before the name: 9gemm_a4w4.
    const std::string mangled = std::to_string(info.name.size()) + std::string(info.name);
    size_t found = 0;
    for (const emulator::Kernel& kernel : kernels_)
      found += kernel.name.find(mangled) != std::string::npos ? 1 : 0;
    const size_t expected = std::max<size_t>(1, tile_variants(info.id).size());
    EXPECT_EQ(found, expected) << info.name;
    listed += found;
  }
  EXPECT_EQ(listed, kernels_.size()) << "a kernel is not in the list";
}

}  // namespace
}  // namespace mxproof
