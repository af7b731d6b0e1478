#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <string>

#include "tests/emulator/runtime/api_helpers.hpp"
#include "tests/support/temp_folder.hpp"

namespace mxproof::emulator {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ModuleApi : public ::testing::Test {
 protected:
  void SetUp() override { HIP_OK(hipModuleLoad(&module_, MXPROOF_MODULE)); }
  void TearDown() override {
    if (module_ != nullptr) {
      EXPECT_EQ(hipModuleUnload(module_), hipSuccess);
    }
  }
  hipFunction_t function() {
    hipFunction_t function = nullptr;
    EXPECT_EQ(hipModuleGetFunction(&function, module_, "add_offset"), hipSuccess);
    return function;
  }
  void expect_sums(const Buffer<int>& out, int added) {
    const std::vector<int> result = out.read();
    for (int i = 0; i < static_cast<int>(result.size()); ++i) ASSERT_EQ(result[i], i + added) << i;
  }

  hipModule_t module_ = nullptr;
  const Buffer<int> in_{counting<int>(128)};
  const Buffer<int> out_{128};
};

TEST_F(ModuleApi, LaunchesWithPointersToArguments) {
  int* out = out_.get();
  const int* in = in_.get();
  char which = 1;
  long bias = -50;
  void* args[] = {&out, &in, &which, &bias};
  HIP_OK(hipModuleLaunchKernel(function(), 2, 1, 1, 64, 1, 1, 0, nullptr, args, nullptr));
  expect_sums(out_, 150);
}

TEST_F(ModuleApi, LaunchesWithABuffer) {
  struct {
    int* out;
    const int* in;
    char which;
    long bias;
  } args{out_.get(), in_.get(), 2, 7};
  size_t size = sizeof(args);
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &args, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   HIP_LAUNCH_PARAM_END};
  HIP_OK(hipModuleLaunchKernel(function(), 2, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
  expect_sums(out_, 307);
  size = sizeof(args) - 1;
  HIP_FAILS(hipModuleLaunchKernel(function(), 2, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra),
            hipErrorInvalidValue);
}

TEST_F(ModuleApi, GlobalsAreMemory) {
  void* address = nullptr;
  size_t size = 0;
  HIP_OK(hipModuleGetGlobal(&address, &size, module_, "offsets"));
  ASSERT_EQ(size, 3 * sizeof(int));
  int values[3] = {};
  HIP_OK(hipMemcpy(values, address, size, hipMemcpyDeviceToHost));
  EXPECT_EQ(values[2], 300);
  HIP_FAILS(hipMemcpy(values, address, size + 1, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  HIP_FAILS(hipModuleGetGlobal(&address, &size, module_, "absent"), hipErrorNotFound);
}

TEST_F(ModuleApi, EachLoadHasItsOwnVariables) {
  std::ifstream file(MXPROOF_MODULE, std::ios::binary);
  const std::vector<char> image((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  hipModule_t second = nullptr;
  HIP_OK(hipModuleLoadData(&second, image.data()));
  void* mine = nullptr;
  void* other = nullptr;
  HIP_OK(hipModuleGetGlobal(&mine, nullptr, module_, "offsets"));
  HIP_OK(hipModuleGetGlobal(&other, nullptr, second, "offsets"));
  HIP_OK(hipMemsetD32(other, 5, 3));
  int value = 0;
  HIP_OK(hipMemcpy(&value, mine, sizeof(int), hipMemcpyDeviceToHost));
  EXPECT_EQ(value, 100);
  HIP_OK(hipModuleUnload(second));
  HIP_FAILS(hipMemcpy(&value, other, sizeof(int), hipMemcpyDeviceToHost), hipErrorInvalidValue);
}

TEST_F(ModuleApi, ErrorsAreReturned) {
  hipFunction_t function = nullptr;
  HIP_FAILS(hipModuleGetFunction(&function, module_, "absent"), hipErrorNotFound);
  hipModule_t module = nullptr;
  HIP_FAILS(hipModuleLoad(&module, "/no/such/file.co"), hipErrorFileNotFound);
  const TempFolder folder;
  const std::string text = folder.file("not_a_module.co");
  std::ofstream(text) << "hello";
  HIP_FAILS(hipModuleLoad(&module, text.c_str()), hipErrorInvalidImage);
  HIP_FAILS(hipModuleUnload(reinterpret_cast<hipModule_t>(&module)), hipErrorInvalidHandle);
}

TEST_F(ModuleApi, TheStackLimitIsWhatRecursionGets) {
  constexpr int kStack = 0;  // hipLimitStackSize
  constexpr int kDeep = 1500;
  NEWER_CALL(hipError_t (*)(int, size_t), set_limit, "hipDeviceSetLimit");
  HIP_OK(set_limit(kStack, 128 * 1024 - 16));
  HIP_FAILS(set_limit(kStack, 128 * 1024), hipErrorInvalidValue);
  hipFunction_t kernel = nullptr;
  HIP_OK(hipModuleGetFunction(&kernel, module_, "nest"));
  int* out = out_.get();
  int depth = kDeep;
  void* args[] = {&out, &depth};
  HIP_OK(hipModuleLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, args, nullptr));
  int expected = 0;
  for (int i = 0; i < kDeep; ++i) expected = expected * 3 % 1001 + 1;
  EXPECT_EQ(out_.read()[0], expected);
  HIP_OK(set_limit(kStack, 1024));
  EXPECT_EQ(hipModuleLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, args, nullptr),
            hipErrorLaunchFailure);
  HIP_OK(hipDeviceReset());
  EXPECT_EQ(hipGetLastError(), hipErrorLaunchFailure);
}

// Compilers list these arguments for kernels that do not use them, so that only a use says so.
TEST_F(ModuleApi, UsingPrintfOrMallocSaysThatThereIsNone) {
  const auto complaint = [&](const char* name, std::vector<void*> args) {
    hipFunction_t kernel = nullptr;
    EXPECT_EQ(hipModuleGetFunction(&kernel, module_, name), hipSuccess);
    testing::internal::CaptureStderr();
    EXPECT_EQ(hipModuleLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, args.data(), nullptr),
              hipErrorLaunchFailure);
    EXPECT_EQ(hipDeviceReset(), hipSuccess);
    EXPECT_EQ(hipGetLastError(), hipErrorLaunchFailure);
    return testing::internal::GetCapturedStderr();
  };
  int* out = out_.get();
  const long* nowhere = nullptr;
  EXPECT_THAT(complaint("call_host", {&out}), HasSubstr("device printf, which is not supported"));
  EXPECT_THAT(complaint("use_heap", {&out}), HasSubstr("device malloc, which is not supported"));
  const std::string plain = complaint("follow", {&out, &nowhere});
  EXPECT_THAT(plain, HasSubstr("accesses 8 bytes at 0x0"));
  EXPECT_THAT(plain, Not(HasSubstr("not supported")));
}

}  // namespace
}  // namespace mxproof::emulator
