#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/emulator/runtime/api_helpers.hpp"

namespace mxproof::emulator {
namespace {

TEST(StreamApi, WorkIsDoneAfterSynchronising) {
  const ScopedStream stream;
  const Buffer<int> buffer(16);
  HIP_OK(hipMemsetD32Async(buffer.get(), 9, 16, stream.get()));
  HIP_OK(hipStreamSynchronize(stream.get()));
  HIP_OK(hipStreamQuery(stream.get()));
  EXPECT_EQ(buffer.read(), std::vector<int>(16, 9));
}

TEST(StreamApi, HandlesThatAreGoneAreRefused) {
  hipStream_t stream = nullptr;
  HIP_OK(hipStreamCreate(&stream));
  HIP_OK(hipStreamDestroy(stream));
  HIP_FAILS(hipStreamSynchronize(stream), hipErrorInvalidHandle);
  hipEvent_t event = nullptr;
  HIP_OK(hipEventCreate(&event));
  HIP_OK(hipEventDestroy(event));
  HIP_FAILS(hipEventRecord(event, nullptr), hipErrorInvalidHandle);
}

TEST(StreamApi, EventsMeasureTime) {
  const ScopedEvent start;
  const ScopedEvent stop;
  const ScopedEvent untimed(hipEventDisableTiming);
  float milliseconds = -1;
  HIP_FAILS(hipEventElapsedTime(&milliseconds, start.get(), stop.get()), hipErrorInvalidHandle);
  HIP_OK(hipEventRecord(start.get(), nullptr));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  HIP_OK(hipEventRecord(stop.get(), nullptr));
  HIP_OK(hipEventSynchronize(stop.get()));
  HIP_OK(hipEventElapsedTime(&milliseconds, start.get(), stop.get()));
  EXPECT_GE(milliseconds, 5.0F);
  HIP_OK(hipEventRecord(untimed.get(), nullptr));
  HIP_FAILS(hipEventElapsedTime(&milliseconds, start.get(), untimed.get()), hipErrorInvalidHandle);
}

TEST(StreamApi, HostFunctionsRun) {
  std::atomic<int> calls = 0;
  const auto count = [](void* data) { ++*static_cast<std::atomic<int>*>(data); };
  // Declared by HIP 5.2 but not in its library.
  using LaunchHostFunc = hipError_t (*)(hipStream_t, hipHostFn_t, void*);
  auto launch = reinterpret_cast<LaunchHostFunc>(dlsym(RTLD_DEFAULT, "hipLaunchHostFunc"));
  if (launch == nullptr) GTEST_SKIP() << "this runtime has no hipLaunchHostFunc";
  HIP_OK(launch(nullptr, count, &calls));
  const auto callback = [](hipStream_t, hipError_t status, void* data) {
    if (status == hipSuccess) ++*static_cast<std::atomic<int>*>(data);
  };
  HIP_OK(hipStreamAddCallback(nullptr, callback, &calls, 0));
  HIP_OK(hipDeviceSynchronize());
  EXPECT_EQ(calls, 2);
}

// Capture.

class Capture : public ::testing::Test {
 protected:
  void begin(const ScopedStream& stream, hipStreamCaptureMode mode = hipStreamCaptureModeGlobal) {
    HIP_OK(hipStreamBeginCapture(stream.get(), mode));
  }
  size_t nodes(hipGraph_t graph) {
    size_t count = 0;
    EXPECT_EQ(hipGraphGetNodes(graph, nullptr, &count), hipSuccess);
    return count;
  }
  hipStreamCaptureStatus status(const ScopedStream& stream) {
    hipStreamCaptureStatus status{};
    EXPECT_EQ(hipStreamIsCapturing(stream.get(), &status), hipSuccess);
    return status;
  }
};

TEST_F(Capture, KeepsWorkForLater) {
  const ScopedStream stream;
  const Buffer<int> buffer(std::vector<int>{1, 1});
  begin(stream);
  EXPECT_EQ(status(stream), hipStreamCaptureStatusActive);
  HIP_OK(hipMemsetD32Async(buffer.get(), 2, 2, stream.get()));
  HIP_OK(hipMemsetD32Async(buffer.get(), 3, 1, stream.get()));
  hipGraph_t graph = nullptr;
  HIP_OK(hipStreamEndCapture(stream.get(), &graph));
  EXPECT_EQ(status(stream), hipStreamCaptureStatusNone);
  EXPECT_EQ(nodes(graph), 2U);
  EXPECT_EQ(buffer.read(), (std::vector<int>{1, 1})) << "nothing has run yet";
  hipGraphExec_t exec = nullptr;
  HIP_OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  HIP_OK(hipGraphDestroy(graph));
  for (int i = 0; i < 3; ++i) {
    HIP_OK(hipMemsetD32(buffer.get(), 0, 2));
    HIP_OK(hipGraphLaunch(exec, stream.get()));
    HIP_OK(hipStreamSynchronize(stream.get()));
    EXPECT_EQ(buffer.read(), (std::vector<int>{3, 2}));
  }
  HIP_OK(hipGraphExecDestroy(exec));
}

TEST_F(Capture, OtherStreamsJoinThroughEvents) {
  const ScopedStream origin;
  const ScopedStream side;
  const ScopedEvent fork;
  const ScopedEvent join;
  const Buffer<int> buffer(2);
  begin(origin);
  HIP_OK(hipMemsetD32Async(buffer.get(), 1, 2, origin.get()));
  HIP_OK(hipEventRecord(fork.get(), origin.get()));
  HIP_OK(hipStreamWaitEvent(side.get(), fork.get(), 0));
  EXPECT_EQ(status(side), hipStreamCaptureStatusActive);
  HIP_OK(hipMemsetD32Async(buffer.get() + 1, 5, 1, side.get()));
  HIP_OK(hipEventRecord(join.get(), side.get()));
  HIP_OK(hipStreamWaitEvent(origin.get(), join.get(), 0));
  HIP_OK(hipMemsetD32Async(buffer.get(), 4, 1, origin.get()));
  HIP_FAILS(hipEventSynchronize(join.get()), hipErrorCapturedEvent);
  hipGraph_t graph = nullptr;
  HIP_OK(hipStreamEndCapture(origin.get(), &graph));
  EXPECT_EQ(status(side), hipStreamCaptureStatusNone);
  // The last node waits for both branches.
  size_t edges = 0;
  HIP_OK(hipGraphGetEdges(graph, nullptr, nullptr, &edges));
  EXPECT_EQ(edges, 3U);
  hipGraphExec_t exec = nullptr;
  HIP_OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  HIP_OK(hipGraphLaunch(exec, nullptr));
  EXPECT_EQ(buffer.read(), (std::vector<int>{4, 5}));
  HIP_OK(hipGraphExecDestroy(exec));
  HIP_OK(hipGraphDestroy(graph));
}

TEST_F(Capture, AForkThatIsNotJoinedIsRefused) {
  const ScopedStream origin;
  const ScopedStream side;
  const ScopedEvent fork;
  const Buffer<int> buffer(2);
  begin(origin);
  HIP_OK(hipEventRecord(fork.get(), origin.get()));
  HIP_OK(hipStreamWaitEvent(side.get(), fork.get(), 0));
  HIP_OK(hipMemsetD32Async(buffer.get(), 5, 1, side.get()));
  hipGraph_t graph = nullptr;
  HIP_FAILS(hipStreamEndCapture(origin.get(), &graph), hipErrorStreamCaptureUnjoined);
  EXPECT_EQ(graph, nullptr);
  EXPECT_EQ(status(origin), hipStreamCaptureStatusNone);
  EXPECT_EQ(status(side), hipStreamCaptureStatusNone);
}

TEST_F(Capture, WaitingForACapturedStreamSpoilsTheCapture) {
  const ScopedStream stream;
  begin(stream);
  HIP_FAILS(hipStreamSynchronize(stream.get()), hipErrorStreamCaptureUnsupported);
  EXPECT_EQ(status(stream), hipStreamCaptureStatusInvalidated);
  hipGraph_t graph = nullptr;
  HIP_FAILS(hipStreamEndCapture(stream.get(), &graph), hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(status(stream), hipStreamCaptureStatusNone);
}

TEST_F(Capture, UnsafeCallsDependOnTheMode) {
  const ScopedStream stream;
  void* pointer = nullptr;
  hipGraph_t graph = nullptr;
  begin(stream, hipStreamCaptureModeGlobal);
  HIP_FAILS(hipMalloc(&pointer, 64), hipErrorStreamCaptureUnsupported);
  HIP_FAILS(hipStreamEndCapture(stream.get(), &graph), hipErrorStreamCaptureInvalidated);
  begin(stream, hipStreamCaptureModeRelaxed);
  HIP_OK(hipMalloc(&pointer, 64));
  HIP_OK(hipFree(pointer));
  HIP_OK(hipStreamEndCapture(stream.get(), &graph));
  EXPECT_EQ(nodes(graph), 0U);
  HIP_OK(hipGraphDestroy(graph));
}

TEST_F(Capture, TheDefaultStreamDoesNotMixWithABlockingStream) {
  const Buffer<int> buffer(1);
  hipGraph_t graph = nullptr;
  const ScopedStream blocking;
  begin(blocking, hipStreamCaptureModeRelaxed);
  HIP_FAILS(hipMemsetD32Async(buffer.get(), 1, 1, nullptr), hipErrorStreamCaptureImplicit);
  HIP_FAILS(hipStreamEndCapture(blocking.get(), &graph), hipErrorStreamCaptureInvalidated);
  const ScopedStream free_running(hipStreamNonBlocking);
  begin(free_running, hipStreamCaptureModeRelaxed);
  HIP_OK(hipMemsetD32Async(buffer.get(), 1, 1, nullptr));
  HIP_OK(hipStreamEndCapture(free_running.get(), &graph));
  HIP_OK(hipGraphDestroy(graph));
  HIP_FAILS(hipStreamBeginCapture(nullptr, hipStreamCaptureModeRelaxed), hipErrorStreamCaptureUnsupported);
}

TEST_F(Capture, EndsWhereItBegan) {
  const ScopedStream stream;
  hipGraph_t graph = nullptr;
  HIP_FAILS(hipStreamEndCapture(stream.get(), &graph), hipErrorIllegalState);
  begin(stream);
  std::thread([&] {
    EXPECT_EQ(hipStreamEndCapture(stream.get(), &graph), hipErrorStreamCaptureWrongThread);
  }).join();
  HIP_OK(hipStreamEndCapture(stream.get(), &graph));
  HIP_OK(hipGraphDestroy(graph));
}

}  // namespace
}  // namespace mxproof::emulator
