// Graph nodes by kind: adding, asking, changing, and changing in an executable graph.
#include "emulator/runtime/graph_call.hpp"
#include "emulator/runtime/kernel_work.hpp"
#include "emulator/runtime/runtime.hpp"
#include "emulator/runtime/transfer_work.hpp"

using namespace mxproof::emulator;

namespace {

Outcome kernel_of(Runtime& runtime, const hipKernelNodeParams* params, KernelWork* work) {
  if (params == nullptr) return invalid("no parameters");
  return make_kernel_work(runtime,
                          {.kernel = params->func,
                           .grid = {params->gridDim.x, params->gridDim.y, params->gridDim.z},
                           .block = {params->blockDim.x, params->blockDim.y, params->blockDim.z},
                           .dynamic_lds = params->sharedMemBytes,
                           .params = params->kernelParams,
                           .extra = params->extra},
                          work);
}

Outcome copy_of(Runtime&, const hipMemcpy3DParms* params, CopyWork* work) {
  return copy_3d(params, work);
}
Outcome memset_of(Runtime&, const hipMemsetParams* params, FillWork* work) {
  return fill_of(params, work);
}

Outcome host_of(Runtime&, const hipHostNodeParams* params, HostWork* work) {
  if (params == nullptr || params->fn == nullptr) return invalid("no function");
  *work = {params->fn, params->userData};
  return {};
}

Outcome child_of(Runtime& runtime, hipGraph_t handle, ChildWork* work) {
  Graph* graph = nullptr;
  MXPROOF_RETURN_IF_NOT_OK(find_graph(runtime, handle, &graph));
  work->graph = graph->clone();
  return {};
}

template <class EventWork>
Outcome event_of(Runtime& runtime, hipEvent_t handle, EventWork* work) {
  Event* event = nullptr;
  MXPROOF_RETURN_IF_NOT_OK(runtime.streams.find(handle, &event));
  work->event = handle;
  return {};
}

// The four calls that every kind of node has, given how its work is made of its parameters.
template <class T, class Params, class Make>
hipError_t add(const char* name, hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
               size_t count, Params params, Make make) {
  return device_call(name, [&](Runtime& runtime) -> Outcome {
    T work;
    MXPROOF_RETURN_IF_NOT_OK(make(runtime, params, &work));
    return add_node(runtime, node, graph, dependencies, count, std::move(work));
  });
}

template <class T, class Params, class Make>
hipError_t set(const char* name, hipGraphNode_t handle, Params params, Make make) {
  return device_call(name, [&](Runtime& runtime) -> Outcome {
    Node* node = nullptr;
    T* work = nullptr;
    T changed;
    MXPROOF_RETURN_IF_NOT_OK(find_work(runtime, handle, &node, &work));
    MXPROOF_RETURN_IF_NOT_OK(make(runtime, params, &changed));
    *work = std::move(changed);
    return {};
  });
}

template <class T, class Params, class Make>
hipError_t set_exec(const char* name, hipGraphExec_t exec, hipGraphNode_t node, Params params, Make make) {
  return device_call(name, [&](Runtime& runtime) -> Outcome {
    T* work = nullptr;
    T changed;
    MXPROOF_RETURN_IF_NOT_OK(find_exec_work(runtime, exec, node, &work));
    MXPROOF_RETURN_IF_NOT_OK(make(runtime, params, &changed));
    *work = std::move(changed);
    return {};
  });
}

template <class T, class Read>
hipError_t get(const char* name, hipGraphNode_t handle, bool has_target, Read read) {
  return device_call(name, [&](Runtime& runtime) -> Outcome {
    if (!has_target) return invalid("a null pointer for the result");
    Node* node = nullptr;
    T* work = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(find_work(runtime, handle, &node, &work));
    read(*node, *work);
    return {};
  });
}

// 1D copies as parameters.
struct Linear {
  void* to;
  const void* from;
  size_t size;
  hipMemcpyKind kind;
};
Outcome linear_of(Runtime&, const Linear& linear, CopyWork* work) {
  *work = CopyWork::linear(linear.to, linear.from, linear.size, linear.kind);
  return {};
}

struct SymbolCopy {
  const void* symbol;
  const void* memory;
  size_t size;
  size_t offset;
  hipMemcpyKind kind;
};
Outcome to_symbol_of(Runtime& r, const SymbolCopy& c, CopyWork* work) {
  return copy_to_symbol(r, c.symbol, c.memory, c.size, c.offset, c.kind, work);
}
Outcome from_symbol_of(Runtime& r, const SymbolCopy& c, CopyWork* work) {
  return copy_from_symbol(r, const_cast<void*>(c.memory), c.symbol, c.size, c.offset, c.kind, work);
}

}  // namespace

extern "C" {

hipError_t hipGraphAddEmptyNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                size_t count) {
  return device_call(__func__,
                     [&](Runtime& r) { return add_node(r, node, graph, dependencies, count, EmptyWork{}); });
}

hipError_t hipGraphAddKernelNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                 size_t count, const hipKernelNodeParams* params) {
  return add<KernelWork>(__func__, node, graph, dependencies, count, params, kernel_of);
}
hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams* params) {
  return set<KernelWork>(__func__, node, params, kernel_of);
}
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipKernelNodeParams* params) {
  return set_exec<KernelWork>(__func__, exec, node, params, kernel_of);
}
// The pointers in the result stay valid as long as the node and its parameters.
hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams* params) {
  return get<KernelWork>(__func__, node, params != nullptr, [&](Node& owner, KernelWork& work) {
    owner.arg_pointers.clear();
    for (const KernelArg* arg : visible_args(*work.function->kernel)) {
      owner.arg_pointers.push_back(work.kernarg.data() + arg->offset);
    }
    *params = {};
    params->func = const_cast<void*>(work.handle);
    params->gridDim = {work.shape.grid[0], work.shape.grid[1], work.shape.grid[2]};
    params->blockDim = {work.shape.block[0], work.shape.block[1], work.shape.block[2]};
    params->sharedMemBytes = work.shape.dynamic_lds;
    params->kernelParams = owner.arg_pointers.data();
  });
}

hipError_t hipGraphAddMemcpyNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                 size_t count, const hipMemcpy3DParms* params) {
  return add<CopyWork>(__func__, node, graph, dependencies, count, params, copy_of);
}
hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms* params) {
  return set<CopyWork>(__func__, node, params, copy_of);
}
hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           hipMemcpy3DParms* params) {
  return set_exec<CopyWork>(__func__, exec, node, params, copy_of);
}
hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms* params) {
  return get<CopyWork>(__func__, node, params != nullptr,
                       [&](Node&, CopyWork& work) { *params = to_params(work); });
}
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                   size_t count, void* to, const void* from, size_t size,
                                   hipMemcpyKind kind) {
  return add<CopyWork>(__func__, node, graph, dependencies, count, Linear{to, from, size, kind}, linear_of);
}
hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void* to, const void* from, size_t size,
                                         hipMemcpyKind kind) {
  return set<CopyWork>(__func__, node, Linear{to, from, size, kind}, linear_of);
}
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void* to,
                                             const void* from, size_t size, hipMemcpyKind kind) {
  return set_exec<CopyWork>(__func__, exec, node, Linear{to, from, size, kind}, linear_of);
}
hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t* node, hipGraph_t graph,
                                         const hipGraphNode_t* dependencies, size_t count, const void* symbol,
                                         const void* from, size_t size, size_t offset, hipMemcpyKind kind) {
  return add<CopyWork>(__func__, node, graph, dependencies, count,
                       SymbolCopy{symbol, from, size, offset, kind}, to_symbol_of);
}
hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t* node, hipGraph_t graph,
                                           const hipGraphNode_t* dependencies, size_t count, void* to,
                                           const void* symbol, size_t size, size_t offset,
                                           hipMemcpyKind kind) {
  return add<CopyWork>(__func__, node, graph, dependencies, count, SymbolCopy{symbol, to, size, offset, kind},
                       from_symbol_of);
}

hipError_t hipGraphAddMemsetNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                 size_t count, const hipMemsetParams* params) {
  return add<FillWork>(__func__, node, graph, dependencies, count, params, memset_of);
}
hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams* params) {
  return set<FillWork>(__func__, node, params, memset_of);
}
hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipMemsetParams* params) {
  return set_exec<FillWork>(__func__, exec, node, params, memset_of);
}
hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams* params) {
  return get<FillWork>(__func__, node, params != nullptr,
                       [&](Node&, FillWork& work) { *params = to_params(work); });
}

hipError_t hipGraphAddHostNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                               size_t count, const hipHostNodeParams* params) {
  return add<HostWork>(__func__, node, graph, dependencies, count, params, host_of);
}
hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams* params) {
  return set<HostWork>(__func__, node, params, host_of);
}
hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                         const hipHostNodeParams* params) {
  return set_exec<HostWork>(__func__, exec, node, params, host_of);
}
hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams* params) {
  return get<HostWork>(__func__, node, params != nullptr,
                       [&](Node&, HostWork& work) { *params = {work.function, work.data}; });
}

hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* node, hipGraph_t graph,
                                     const hipGraphNode_t* dependencies, size_t count, hipGraph_t child) {
  return add<ChildWork>(__func__, node, graph, dependencies, count, child, child_of);
}
hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node, hipGraph_t child) {
  return set_exec<ChildWork>(__func__, exec, node, child, child_of);
}
hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t* graph) {
  return get<ChildWork>(__func__, node, graph != nullptr, [&](Node&, ChildWork& work) {
    *graph = reinterpret_cast<hipGraph_t>(work.graph.get());
  });
}

hipError_t hipGraphAddEventRecordNode(hipGraphNode_t* node, hipGraph_t graph,
                                      const hipGraphNode_t* dependencies, size_t count, hipEvent_t event) {
  return add<EventRecordWork>(__func__, node, graph, dependencies, count, event, event_of<EventRecordWork>);
}
hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return set<EventRecordWork>(__func__, node, event, event_of<EventRecordWork>);
}
hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node, hipEvent_t event) {
  return set_exec<EventRecordWork>(__func__, exec, node, event, event_of<EventRecordWork>);
}
hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t* event) {
  return get<EventRecordWork>(__func__, node, event != nullptr,
                              [&](Node&, auto& work) { *event = work.event; });
}
hipError_t hipGraphAddEventWaitNode(hipGraphNode_t* node, hipGraph_t graph,
                                    const hipGraphNode_t* dependencies, size_t count, hipEvent_t event) {
  return add<EventWaitWork>(__func__, node, graph, dependencies, count, event, event_of<EventWaitWork>);
}
hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return set<EventWaitWork>(__func__, node, event, event_of<EventWaitWork>);
}
hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node, hipEvent_t event) {
  return set_exec<EventWaitWork>(__func__, exec, node, event, event_of<EventWaitWork>);
}
hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t* event) {
  return get<EventWaitWork>(__func__, node, event != nullptr,
                            [&](Node&, auto& work) { *event = work.event; });
}

}  // extern "C"
