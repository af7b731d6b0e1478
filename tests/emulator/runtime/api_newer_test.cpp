// Calls that are newer than the HIP whose headers this is built with: found by name, as hipGetProcAddress is
// used.
#include <dlfcn.h>

#include <string>

#include "tests/emulator/runtime/api_helpers.hpp"
#include "tests/emulator/runtime/program_kernels.hpp"

namespace mxproof::emulator {
namespace {

using GetProcAddress = hipError_t (*)(const char*, void**, int, uint64_t, int*);
constexpr uint64_t kPerThread = 2;
constexpr int kHip5 = 50'200'000;
constexpr int kHip7 = 70'100'000;

void* call_named(GetProcAddress get, const char* name, int version, uint64_t flags) {
  void* call = nullptr;
  int status = -1;
  EXPECT_EQ(get(name, &call, version, flags, &status), hipSuccess) << name;
  EXPECT_EQ(status, 0) << name;
  return call;
}

TEST(NewerApi, CallsAreFoundByName) {
  NEWER_CALL(GetProcAddress, get, "hipGetProcAddress");
  EXPECT_EQ(call_named(get, "hipMalloc", kHip5, 0), dlsym(RTLD_DEFAULT, "hipMalloc"));
  EXPECT_EQ(call_named(get, "hipMemcpy", kHip7, kPerThread), dlsym(RTLD_DEFAULT, "hipMemcpy_spt"));
  EXPECT_EQ(call_named(get, "hipMalloc", kHip7, kPerThread), dlsym(RTLD_DEFAULT, "hipMalloc"));
  EXPECT_EQ(call_named(get, "hipGetDeviceProperties", kHip7, 0),
            dlsym(RTLD_DEFAULT, "hipGetDevicePropertiesR0600"));
  EXPECT_EQ(call_named(get, "hipGetDeviceProperties", kHip5, 0),
            dlsym(RTLD_DEFAULT, "hipGetDeviceProperties"));

  void* call = nullptr;
  int status = -1;
  HIP_FAILS(get("hipMakeCoffee", &call, kHip7, 0, &status), hipErrorNotFound);
  EXPECT_EQ(status, 1);
  HIP_FAILS(get("malloc", &call, kHip7, 0, &status), hipErrorNotFound);  // not one of HIP's
  HIP_FAILS(get(nullptr, &call, kHip7, 0, &status), hipErrorInvalidValue);
  HIP_FAILS(get("hipMalloc", &call, kHip7, 3, &status), hipErrorInvalidValue);
}

TEST(NewerApi, LimitsAreKept) {
  NEWER_CALL(hipError_t (*)(int, size_t), set_limit, "hipDeviceSetLimit");
  NEWER_CALL(hipError_t (*)(size_t*, int), get_limit, "hipDeviceGetLimit");
  for (const int limit : {0, 1, 2}) {  // stack, printf, heap
    size_t before = 0;
    size_t after = 0;
    HIP_OK(get_limit(&before, limit));
    EXPECT_GT(before, 0U) << limit;
    HIP_OK(set_limit(limit, 3 * before));
    HIP_OK(get_limit(&after, limit));
    EXPECT_EQ(after, 3 * before) << limit;
    HIP_OK(set_limit(limit, before));
  }
  size_t value = 0;
  HIP_FAILS(get_limit(&value, 3), hipErrorUnsupportedLimit);
  HIP_FAILS(set_limit(-1, 1), hipErrorUnsupportedLimit);
}

// Not newer, but deprecated in the headers.
TEST(NewerApi, TheProfilerStartsAndStops) {
  for (const char* name : {"hipProfilerStart", "hipProfilerStop"}) {
    NEWER_CALL(hipError_t (*)(), call, name);
    HIP_OK(call());
  }
}

TEST(NewerApi, EventsAreRecordedWithFlags) {
  NEWER_CALL(hipError_t (*)(hipEvent_t, hipStream_t, unsigned), record, "hipEventRecordWithFlags");
  const ScopedEvent event;
  const ScopedStream stream;
  for (const unsigned flags : {0U, 1U}) {
    HIP_OK(record(event.get(), stream.get(), flags));
    HIP_OK(hipEventSynchronize(event.get()));
  }
  HIP_FAILS(record(event.get(), stream.get(), 2), hipErrorInvalidValue);

  // An external record is a node of the graph; the event itself stays outside of the capture.
  hipGraph_t graph = nullptr;
  hipGraphNode_t node = nullptr;
  size_t nodes = 1;
  hipGraphNodeType type{};
  HIP_OK(hipStreamBeginCapture(stream.get(), hipStreamCaptureModeGlobal));
  HIP_OK(record(event.get(), stream.get(), 1));
  HIP_OK(hipStreamEndCapture(stream.get(), &graph));
  HIP_OK(hipGraphGetNodes(graph, &node, &nodes));
  ASSERT_EQ(nodes, 1U);
  HIP_OK(hipGraphNodeGetType(node, &type));
  EXPECT_EQ(type, hipGraphNodeTypeEventRecord);
  HIP_OK(hipEventQuery(event.get()));
  HIP_OK(hipGraphDestroy(graph));
}

struct Attribute {
  uint32_t id;
  uint32_t padding;
  int value;
  char rest[60];
};

struct Config {
  dim3 grid;
  dim3 block;
  size_t dynamic_lds;
  hipStream_t stream;
  const Attribute* attributes;
  unsigned attribute_count;
};

TEST(NewerApi, LaunchesHaveAttributes) {
  using Launch = hipError_t (*)(const Config*, const void*, void**);
  NEWER_CALL(Launch, launch, "hipLaunchKernelExC");
  const Buffer<float> in(counting<float>(128));
  const Buffer<float> out(128);
  float* to = out.get();
  const float* from = in.get();
  float factor = 2;
  int count = 128;
  void* args[] = {&to, &from, &factor, &count};
  Attribute attributes[] = {{2, 0, 1, {}}, {8, 0, -1, {}}};  // cooperative, priority
  Config config = {dim3(2), dim3(64), 0, nullptr, attributes, 2};
  HIP_OK(launch(&config, program::scale_kernel(), args));
  EXPECT_EQ(out.read()[127], 254.0F);

  config.grid = dim3(1 << 14);
  HIP_FAILS(launch(&config, program::scale_kernel(), args), hipErrorCooperativeLaunchTooLarge);
  attributes[0].value = 0;
  HIP_OK(launch(&config, program::scale_kernel(), args));
  attributes[0].id = 1;
  HIP_FAILS(launch(&config, program::scale_kernel(), args), hipErrorNotSupported);
  HIP_FAILS(launch(nullptr, program::scale_kernel(), args), hipErrorInvalidValue);
}

}  // namespace
}  // namespace mxproof::emulator
