#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>

#include "emulator/loader/code_object.hpp"
#include "emulator/loader/file_bytes.hpp"
#include "tests/tools/run_program.hpp"

namespace mxproof {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSample = MXPROOF_SAMPLES "/sample_o3.co";

// 1 when a kernel holds instructions that the machine does not know.
int fitting_exit_code(const ProgramResult& result) {
  return result.out.find("that the emulator does not know") != std::string::npos ? 1 : 0;
}

TEST(Inspect, ListsKernelsAndArguments) {
  const ProgramResult result = run_mxproof({"inspect", kSample});
  EXPECT_EQ(result.exit_code, fitting_exit_code(result)) << result.err;
  EXPECT_EQ(result.err, "");
  for (const char* part :
       {"code object for amdgcn-amd-amdhsa--gfx950, 5 kernels", "kernel plain", "kernel packed",
        "400 bytes of LDS", "offset   24  size  24  by_value", "counter  4 bytes", "13 more are filled in"})
    EXPECT_THAT(result.out, HasSubstr(part));
  EXPECT_THAT(result.out, Not(HasSubstr("hidden_")));
}

TEST(Inspect, ShowsOneKernelWithWhatTheLauncherFillsIn) {
  const ProgramResult result = run_mxproof({"inspect", kSample, "--kernel", "size", "--hidden"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("kernel sized"));
  EXPECT_THAT(result.out, HasSubstr("offset    8  size   4  hidden_block_count_x"));
  EXPECT_THAT(result.out, Not(HasSubstr("kernel plain")));
}

TEST(Inspect, WritesJson) {
  const std::string file = testing::TempDir() + "inspect.json";
  const ProgramResult result =
      run_mxproof({"inspect", MXPROOF_SAMPLES "/sample_host_compressed.o", "--json", file});
  ASSERT_EQ(result.exit_code, fitting_exit_code(result)) << result.err;
  std::ifstream stream(file);
  const auto report = nlohmann::json::parse(stream);
  EXPECT_EQ(report["kind"], "HIP program");
  EXPECT_EQ(report["bundles"][0]["compressed"], true);
  EXPECT_THAT(report["bundles"][0]["entries"][0]["id"].get<std::string>(), HasSubstr("gfx950"));
  const auto& kernels = report["code_objects"][0]["kernels"];
  ASSERT_EQ(kernels.size(), 5U);
  EXPECT_EQ(kernels[1]["name"], "packed");
  EXPECT_EQ(kernels[1]["kernarg_bytes"], 56);
  EXPECT_EQ(kernels[1]["arguments"][7]["kind"], "global_buffer");
  EXPECT_EQ(kernels[2]["lds_bytes"], 400);
}

TEST(Inspect, ListsInstructionsThatTheMachineDoesNotKnow) {
  auto file = emulator::read_file_bytes(kSample);
  ASSERT_TRUE(file.ok());
  const auto code_object = emulator::CodeObject::load(*file);
  ASSERT_TRUE(code_object.ok());
  // The second instruction of `plain` in the file, found by the kernel's first 16 bytes, made into none.
  const emulator::Kernel& plain = *code_object->find("plain");
  const std::span first_bytes(reinterpret_cast<const std::byte*>(plain.entry), 16);
  const auto place = std::ranges::search(*file, first_bytes).begin();
  ASSERT_NE(place, file->end());
  std::fill_n(place + 8, 4, std::byte{0xff});
  const std::string damaged = testing::TempDir() + "unknown.co";
  std::ofstream(damaged, std::ios::binary)
      .write(reinterpret_cast<const char*>(file->data()), static_cast<std::streamsize>(file->size()));
  const ProgramResult result = run_mxproof({"inspect", damaged, "--kernel", "plain"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("1 instructions that the emulator does not know"));
  EXPECT_THAT(result.out, HasSubstr(fmt::format("{:#x}", code_object->to_vaddr(plain.entry) + 8)));
}

TEST(Inspect, BadInputIsOneLine) {
  const std::string text = testing::TempDir() + "not_code.txt";
  std::ofstream(text) << "hello";
  struct {
    std::vector<std::string> arguments;
    const char* message;
  } const cases[] = {
      {{"inspect"}, "FILE"},
      {{"inspect", "/no/such/file"}, "/no/such/file: No such file"},
      {{"inspect", "/tmp"}, "/tmp: not a regular file"},
      {{"inspect", text}, "not_code.txt: neither an ELF file nor an offload bundle"},
      {{"inspect", "/bin/sh"}, "/bin/sh: host binary without a section .hip_fatbin"},
  };
  for (const auto& c : cases) {
    const ProgramResult result = run_mxproof(c.arguments);
    EXPECT_EQ(result.exit_code, 2) << c.message;
    EXPECT_THAT(result.err, HasSubstr(c.message));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  }
}

}  // namespace
}  // namespace mxproof
