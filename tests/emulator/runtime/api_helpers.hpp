// Shared by the tests that call HIP as any program does.
#pragma once

#include <dlfcn.h>

#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <vector>

/// A HIP call that must succeed.
#define HIP_OK(call) ASSERT_EQ((call), hipSuccess) << hipGetErrorString(hipPeekAtLastError())
/// A HIP call that must fail with this error, which hipGetLastError then gives once.
#define HIP_FAILS(call, error)                \
  do {                                        \
    EXPECT_EQ((call), error);                 \
    EXPECT_EQ(hipGetLastError(), error);      \
    EXPECT_EQ(hipGetLastError(), hipSuccess); \
  } while (false)

/// The call NAME; the test is skipped where the library is an older one.
#define NEWER_CALL(type, variable, name)                                    \
  auto* const variable = reinterpret_cast<type>(dlsym(RTLD_DEFAULT, name)); \
  if (variable == nullptr) GTEST_SKIP() << "the library has no " << name

namespace mxproof::emulator {

/// Device memory for the length of a test.
template <class T>
class Buffer {
 public:
  explicit Buffer(size_t count) : count_(count) {
    EXPECT_EQ(hipMalloc(&data_, count * sizeof(T)), hipSuccess);
  }
  explicit Buffer(const std::vector<T>& values) : Buffer(values.size()) {
    EXPECT_EQ(hipMemcpy(data_, values.data(), bytes(), hipMemcpyHostToDevice), hipSuccess);
  }
  ~Buffer() { EXPECT_EQ(hipFree(data_), hipSuccess); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  T* get() const { return static_cast<T*>(data_); }
  size_t bytes() const { return count_ * sizeof(T); }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    EXPECT_EQ(hipMemcpy(values.data(), data_, bytes(), hipMemcpyDeviceToHost), hipSuccess);
    return values;
  }

 private:
  void* data_ = nullptr;
  size_t count_;
};

/// A stream for the length of a test.
class ScopedStream {
 public:
  explicit ScopedStream(unsigned flags = hipStreamDefault) {
    EXPECT_EQ(hipStreamCreateWithFlags(&stream_, flags), hipSuccess);
  }
  ~ScopedStream() { EXPECT_EQ(hipStreamDestroy(stream_), hipSuccess); }
  ScopedStream(const ScopedStream&) = delete;
  ScopedStream& operator=(const ScopedStream&) = delete;
  hipStream_t get() const { return stream_; }

 private:
  hipStream_t stream_ = nullptr;
};

/// An event for the length of a test.
class ScopedEvent {
 public:
  explicit ScopedEvent(unsigned flags = hipEventDefault) {
    EXPECT_EQ(hipEventCreateWithFlags(&event_, flags), hipSuccess);
  }
  ~ScopedEvent() { EXPECT_EQ(hipEventDestroy(event_), hipSuccess); }
  ScopedEvent(const ScopedEvent&) = delete;
  ScopedEvent& operator=(const ScopedEvent&) = delete;
  hipEvent_t get() const { return event_; }

 private:
  hipEvent_t event_ = nullptr;
};

/// The numbers 0 to count - 1.
template <class T>
std::vector<T> counting(size_t count) {
  std::vector<T> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<T>(i);
  return values;
}

}  // namespace mxproof::emulator
