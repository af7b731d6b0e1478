#include "tests/emulator/runtime/api_helpers.hpp"
#include "tests/emulator/runtime/program_kernels.hpp"

namespace mxproof::emulator {
namespace {

class GraphApi : public ::testing::Test {
 protected:
  void SetUp() override { HIP_OK(hipGraphCreate(&graph_, 0)); }
  void TearDown() override { EXPECT_EQ(hipGraphDestroy(graph_), hipSuccess); }

  hipGraphExec_t instantiate() {
    hipGraphExec_t exec = nullptr;
    EXPECT_EQ(hipGraphInstantiate(&exec, graph_, nullptr, nullptr, 0), hipSuccess);
    return exec;
  }
  void launch_once() {
    hipGraphExec_t exec = instantiate();
    HIP_OK(hipGraphLaunch(exec, nullptr));
    HIP_OK(hipDeviceSynchronize());
    HIP_OK(hipGraphExecDestroy(exec));
  }
  static hipMemsetParams fill(int* target, unsigned value, size_t count) {
    return {.dst = target, .elementSize = 4, .height = 1, .pitch = 0, .value = value, .width = count};
  }

  hipGraph_t graph_ = nullptr;
};

TEST_F(GraphApi, NodesRunAfterThoseTheyWaitFor) {
  const Buffer<int> first(4);
  const Buffer<int> second(4);
  std::vector<int> host(4);
  hipGraphNode_t set = nullptr;
  hipGraphNode_t copy = nullptr;
  hipGraphNode_t out = nullptr;
  // Added backwards: only the edges give the order.
  HIP_OK(hipGraphAddMemcpyNode1D(&out, graph_, nullptr, 0, host.data(), second.get(), 16,
                                 hipMemcpyDeviceToHost));
  HIP_OK(hipGraphAddMemcpyNode1D(&copy, graph_, nullptr, 0, second.get(), first.get(), 16,
                                 hipMemcpyDeviceToDevice));
  const hipMemsetParams params = fill(first.get(), 77, 4);
  HIP_OK(hipGraphAddMemsetNode(&set, graph_, nullptr, 0, &params));
  HIP_OK(hipGraphAddDependencies(graph_, &set, &copy, 1));
  HIP_OK(hipGraphAddDependencies(graph_, &copy, &out, 1));
  launch_once();
  EXPECT_EQ(host, std::vector<int>(4, 77));
  size_t count = 0;
  HIP_OK(hipGraphGetRootNodes(graph_, nullptr, &count));
  EXPECT_EQ(count, 1U);
  hipGraphNodeType type = hipGraphNodeTypeKernel;
  HIP_OK(hipGraphNodeGetType(set, &type));
  EXPECT_EQ(type, hipGraphNodeTypeMemset);
  count = 3;
  hipGraphNode_t list[3] = {};
  HIP_OK(hipGraphNodeGetDependentNodes(set, list, &count));
  EXPECT_EQ(count, 1U);
  EXPECT_EQ(list[0], copy);
  EXPECT_EQ(list[1], nullptr);
}

TEST_F(GraphApi, CirclesAreRefused) {
  hipGraphNode_t a = nullptr;
  hipGraphNode_t b = nullptr;
  HIP_OK(hipGraphAddEmptyNode(&a, graph_, nullptr, 0));
  HIP_OK(hipGraphAddEmptyNode(&b, graph_, &a, 1));
  HIP_OK(hipGraphAddDependencies(graph_, &b, &a, 1));
  hipGraphExec_t exec = nullptr;
  char log[100] = {};
  HIP_FAILS(hipGraphInstantiate(&exec, graph_, nullptr, log, sizeof(log)), hipErrorInvalidValue);
  EXPECT_NE(std::string(log).find("circle"), std::string::npos);
  HIP_OK(hipGraphRemoveDependencies(graph_, &b, &a, 1));
  launch_once();
}

TEST_F(GraphApi, HandlesOfOtherGraphsAreRefused) {
  hipGraph_t other = nullptr;
  hipGraphNode_t foreign = nullptr;
  hipGraphNode_t node = nullptr;
  HIP_OK(hipGraphCreate(&other, 0));
  HIP_OK(hipGraphAddEmptyNode(&foreign, other, nullptr, 0));
  HIP_FAILS(hipGraphAddEmptyNode(&node, graph_, &foreign, 1), hipErrorInvalidValue);
  HIP_OK(hipGraphDestroy(other));
  HIP_FAILS(hipGraphAddEmptyNode(&node, graph_, &foreign, 1), hipErrorInvalidValue);
  HIP_FAILS(hipGraphDestroy(other), hipErrorInvalidValue);
}

TEST_F(GraphApi, AnExecutableGraphKeepsItsOwnParameters) {
  const Buffer<int> buffer(2);
  hipGraphNode_t node = nullptr;
  hipMemsetParams params = fill(buffer.get(), 1, 2);
  HIP_OK(hipGraphAddMemsetNode(&node, graph_, nullptr, 0, &params));
  hipGraphExec_t exec = instantiate();
  params.value = 2;
  HIP_OK(hipGraphMemsetNodeSetParams(node, &params));
  HIP_OK(hipGraphLaunch(exec, nullptr));
  EXPECT_EQ(buffer.read(), (std::vector<int>{1, 1})) << "the graph changed, not the executable one";
  params.value = 3;
  HIP_OK(hipGraphExecMemsetNodeSetParams(exec, node, &params));
  HIP_OK(hipGraphLaunch(exec, nullptr));
  EXPECT_EQ(buffer.read(), (std::vector<int>{3, 3}));
  hipGraphNode_t misfit = nullptr;
  hipGraphExecUpdateResult result{};
  HIP_OK(hipGraphExecUpdate(exec, graph_, &misfit, &result));
  EXPECT_EQ(result, hipGraphExecUpdateSuccess);
  HIP_OK(hipGraphLaunch(exec, nullptr));
  EXPECT_EQ(buffer.read(), (std::vector<int>{2, 2}));
  HIP_OK(hipGraphAddEmptyNode(&node, graph_, nullptr, 0));
  HIP_FAILS(hipGraphExecUpdate(exec, graph_, &misfit, &result), hipErrorGraphExecUpdateFailure);
  EXPECT_EQ(result, hipGraphExecUpdateErrorTopologyChanged);
  HIP_OK(hipGraphExecDestroy(exec));
}

TEST_F(GraphApi, KernelNodesRunAndChange) {
  const int count = 100;
  const Buffer<float> in(counting<float>(count));
  const Buffer<float> out(count);
  float* target = out.get();
  const float* source = in.get();
  float factor = 2;
  int size = count;
  void* args[] = {&target, &source, &factor, &size};
  hipKernelNodeParams params{};
  params.func = const_cast<void*>(program::scale_kernel());
  params.gridDim = dim3(2);
  params.blockDim = dim3(64);
  params.kernelParams = args;
  hipGraphNode_t node = nullptr;
  HIP_OK(hipGraphAddKernelNode(&node, graph_, nullptr, 0, &params));
  factor = 100;  // parameters were copied
  hipGraphExec_t exec = instantiate();
  HIP_OK(hipGraphLaunch(exec, nullptr));
  EXPECT_EQ(out.read()[9], 18.0F);
  hipKernelNodeParams read{};
  HIP_OK(hipGraphKernelNodeGetParams(node, &read));
  EXPECT_EQ(read.func, params.func);
  EXPECT_EQ(read.gridDim.x, 2U);
  EXPECT_EQ(*static_cast<float*>(read.kernelParams[2]), 2.0F);
  EXPECT_EQ(*static_cast<int*>(read.kernelParams[3]), count);
  factor = -1;
  HIP_OK(hipGraphExecKernelNodeSetParams(exec, node, &params));
  HIP_OK(hipGraphLaunch(exec, nullptr));
  EXPECT_EQ(out.read()[9], -9.0F);
  HIP_OK(hipGraphExecDestroy(exec));
  params.blockDim = dim3(2048);
  HIP_FAILS(hipGraphAddKernelNode(&node, graph_, nullptr, 0, &params), hipErrorInvalidConfiguration);
}

TEST_F(GraphApi, CapturedKernelsReplay) {
  const ScopedStream stream;
  const Buffer<float> in(counting<float>(64));
  const Buffer<float> out(64);
  HIP_OK(hipStreamBeginCapture(stream.get(), hipStreamCaptureModeGlobal));
  program::launch_scale(out.get(), in.get(), 3.0F, 64, stream.get());
  program::launch_scale(out.get(), out.get(), 2.0F, 64, stream.get());
  hipGraph_t captured = nullptr;
  HIP_OK(hipStreamEndCapture(stream.get(), &captured));
  size_t nodes = 0;
  HIP_OK(hipGraphGetNodes(captured, nullptr, &nodes));
  EXPECT_EQ(nodes, 2U);
  hipGraphExec_t exec = nullptr;
  HIP_OK(hipGraphInstantiate(&exec, captured, nullptr, nullptr, 0));
  for (int i = 0; i < 2; ++i) {
    HIP_OK(hipMemset(out.get(), 0, out.bytes()));
    HIP_OK(hipGraphLaunch(exec, stream.get()));
    HIP_OK(hipStreamSynchronize(stream.get()));
    EXPECT_EQ(out.read()[10], 60.0F);
  }
  HIP_OK(hipGraphExecDestroy(exec));
  HIP_OK(hipGraphDestroy(captured));
}

TEST_F(GraphApi, GraphsNestAndCallTheHost) {
  const Buffer<int> buffer(1);
  int calls = 0;
  hipGraph_t child = nullptr;
  HIP_OK(hipGraphCreate(&child, 0));
  hipGraphNode_t node = nullptr;
  const hipMemsetParams params = fill(buffer.get(), 6, 1);
  HIP_OK(hipGraphAddMemsetNode(&node, child, nullptr, 0, &params));
  hipGraphNode_t nested = nullptr;
  HIP_OK(hipGraphAddChildGraphNode(&nested, graph_, nullptr, 0, child));
  HIP_OK(hipGraphDestroy(child));
  const hipHostNodeParams host{[](void* data) { ++*static_cast<int*>(data); }, &calls};
  HIP_OK(hipGraphAddHostNode(&node, graph_, &nested, 1, &host));
  launch_once();
  EXPECT_EQ(buffer.read()[0], 6);
  EXPECT_EQ(calls, 1);
  hipGraph_t inner = nullptr;
  HIP_OK(hipGraphChildGraphNodeGetGraph(nested, &inner));
  size_t count = 0;
  HIP_OK(hipGraphGetNodes(inner, nullptr, &count));
  EXPECT_EQ(count, 1U);
}

TEST_F(GraphApi, ClonesKnowTheirOriginals) {
  hipGraphNode_t node = nullptr;
  HIP_OK(hipGraphAddEmptyNode(&node, graph_, nullptr, 0));
  hipGraph_t clone = nullptr;
  HIP_OK(hipGraphClone(&clone, graph_));
  hipGraphNode_t copy = nullptr;
  HIP_OK(hipGraphNodeFindInClone(&copy, node, clone));
  EXPECT_NE(copy, node);
  HIP_FAILS(hipGraphNodeFindInClone(&copy, copy, clone), hipErrorInvalidValue);
  HIP_OK(hipGraphDestroy(clone));
}

}  // namespace
}  // namespace mxproof::emulator
