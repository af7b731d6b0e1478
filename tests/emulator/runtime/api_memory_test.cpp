#include "tests/emulator/runtime/api_helpers.hpp"
#include "tests/emulator/runtime/program_kernels.hpp"

namespace mxproof::emulator {
namespace {

TEST(MemoryApi, CopiesThereAndBack) {
  const std::vector<int> values = counting<int>(1000);
  const Buffer<int> first(values);
  const Buffer<int> second(values.size());
  HIP_OK(hipMemcpy(second.get(), first.get(), first.bytes(), hipMemcpyDeviceToDevice));
  EXPECT_EQ(second.read(), values);
}

TEST(MemoryApi, SetsMemory) {
  const Buffer<int> buffer(8);
  HIP_OK(hipMemsetD32(buffer.get(), 0x01020304, 8));
  HIP_OK(hipMemset(buffer.get() + 1, 0xab, 4));
  HIP_OK(hipMemsetAsync(buffer.get() + 3, 0, 8, nullptr));
  HIP_OK(hipStreamSynchronize(nullptr));
  const int word = 0x01020304;
  const int set = static_cast<int>(0xabababab);
  EXPECT_EQ(buffer.read(), (std::vector<int>{word, set, word, 0, 0, word, word, word}));
}

TEST(MemoryApi, CopiesRectangles) {
  const std::vector<uint8_t> source = counting<uint8_t>(8 * 3);
  void* pitched = nullptr;
  size_t pitch = 0;
  HIP_OK(hipMallocPitch(&pitched, &pitch, 8, 3));
  EXPECT_GE(pitch, 8U);
  HIP_OK(hipMemcpy2D(pitched, pitch, source.data(), 8, 8, 3, hipMemcpyHostToDevice));
  std::vector<uint8_t> column(2 * 3);
  HIP_OK(
      hipMemcpy2D(column.data(), 2, static_cast<uint8_t*>(pitched) + 3, pitch, 2, 3, hipMemcpyDeviceToHost));
  EXPECT_EQ(column, (std::vector<uint8_t>{3, 4, 11, 12, 19, 20}));
  HIP_OK(hipFree(pitched));
}

TEST(MemoryApi, ErrorsAreReturned) {
  const Buffer<int> buffer(4);
  int host[8] = {};
  HIP_FAILS(hipMemcpy(host, buffer.get(), 17, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  HIP_FAILS(hipMalloc(nullptr, 4), hipErrorInvalidValue);
  HIP_FAILS(hipFree(host), hipErrorInvalidValue);
  void* pointer = nullptr;
  HIP_FAILS(hipMalloc(&pointer, size_t{1} << 60), hipErrorOutOfMemory);
}

TEST(MemoryApi, PointersTellWhatTheyAre) {
  const Buffer<int> buffer(4);
  hipPointerAttribute_t attributes{};
  HIP_OK(hipPointerGetAttributes(&attributes, buffer.get() + 1));
  EXPECT_EQ(attributes.memoryType, hipMemoryTypeDevice);
  EXPECT_EQ(attributes.devicePointer, buffer.get() + 1);
  int* pinned = nullptr;
  HIP_OK(hipHostMalloc(reinterpret_cast<void**>(&pinned), 64, hipHostMallocDefault));
  HIP_OK(hipPointerGetAttributes(&attributes, pinned));
  EXPECT_EQ(attributes.memoryType, hipMemoryTypeHost);
  EXPECT_EQ(attributes.hostPointer, pinned);
  HIP_OK(hipHostFree(pinned));
  int own = 0;
  HIP_FAILS(hipPointerGetAttributes(&attributes, &own), hipErrorInvalidValue);
}

TEST(MemoryApi, HostMemoryCanBeRegistered) {
  std::vector<int> own(100);
  HIP_OK(hipHostRegister(own.data(), own.size() * sizeof(int), hipHostRegisterDefault));
  HIP_FAILS(hipHostRegister(own.data(), 4, hipHostRegisterDefault), hipErrorHostMemoryAlreadyRegistered);
  void* device = nullptr;
  HIP_OK(hipHostGetDevicePointer(&device, own.data(), 0));
  HIP_OK(hipMemsetD32(device, 5, own.size()));
  EXPECT_EQ(own, std::vector<int>(100, 5));
  HIP_OK(hipHostUnregister(own.data()));
  HIP_FAILS(hipHostUnregister(own.data()), hipErrorHostMemoryNotRegistered);
}

TEST(MemoryApi, SymbolsAreMemory) {
  int values[4] = {};
  HIP_OK(hipMemcpyFromSymbol(values, program::table_variable(), sizeof(values), 0, hipMemcpyDeviceToHost));
  EXPECT_EQ(values[3], 4);
  const int changed = 44;
  HIP_OK(hipMemcpyToSymbol(program::table_variable(), &changed, sizeof(int), 3 * sizeof(int),
                           hipMemcpyHostToDevice));
  HIP_OK(hipMemcpyFromSymbol(values, program::table_variable(), sizeof(values), 0, hipMemcpyDeviceToHost));
  EXPECT_EQ(values[3], 44);
  HIP_FAILS(hipMemcpyFromSymbol(values, program::table_variable(), 4, 16, hipMemcpyDeviceToHost),
            hipErrorInvalidValue);
  HIP_FAILS(hipMemcpyFromSymbol(values, values, 4, 0, hipMemcpyDeviceToHost), hipErrorInvalidSymbol);
  size_t size = 0;
  HIP_OK(hipGetSymbolSize(&size, program::table_variable()));
  EXPECT_EQ(size, sizeof(values));
}

}  // namespace
}  // namespace mxproof::emulator
