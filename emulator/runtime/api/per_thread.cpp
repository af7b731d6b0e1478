// HIP's calls as programs built with -fgpu-default-stream=per-thread make them: no stream means the calling
// thread's own one. Work runs when it is enqueued, so that a call without a stream needs nothing of its own.
#include <hip/hip_runtime_api.h>

namespace {

hipStream_t own(hipStream_t stream) {
  return stream == nullptr ? hipStreamPerThread : stream;
}

}  // namespace

extern "C" {

hipError_t hipMemcpy_spt(void* to, const void* from, size_t size, hipMemcpyKind kind) {
  return hipMemcpy(to, from, size, kind);
}
hipError_t hipMemcpyAsync_spt(void* to, const void* from, size_t size, hipMemcpyKind kind,
                              hipStream_t stream) {
  return hipMemcpyAsync(to, from, size, kind, own(stream));
}
hipError_t hipMemcpy2D_spt(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                           size_t height, hipMemcpyKind kind) {
  return hipMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}
hipError_t hipMemcpy2DAsync_spt(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return hipMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, own(stream));
}
hipError_t hipMemcpy3D_spt(const hipMemcpy3DParms* params) {
  return hipMemcpy3D(params);
}
hipError_t hipMemcpy3DAsync_spt(const hipMemcpy3DParms* params, hipStream_t stream) {
  return hipMemcpy3DAsync(params, own(stream));
}
hipError_t hipMemcpyToSymbol_spt(const void* symbol, const void* from, size_t size, size_t offset,
                                 hipMemcpyKind kind) {
  return hipMemcpyToSymbol(symbol, from, size, offset, kind);
}
hipError_t hipMemcpyToSymbolAsync_spt(const void* symbol, const void* from, size_t size, size_t offset,
                                      hipMemcpyKind kind, hipStream_t stream) {
  return hipMemcpyToSymbolAsync(symbol, from, size, offset, kind, own(stream));
}
hipError_t hipMemcpyFromSymbol_spt(void* to, const void* symbol, size_t size, size_t offset,
                                   hipMemcpyKind kind) {
  return hipMemcpyFromSymbol(to, symbol, size, offset, kind);
}
hipError_t hipMemcpyFromSymbolAsync_spt(void* to, const void* symbol, size_t size, size_t offset,
                                        hipMemcpyKind kind, hipStream_t stream) {
  return hipMemcpyFromSymbolAsync(to, symbol, size, offset, kind, own(stream));
}

hipError_t hipMemset_spt(void* to, int value, size_t size) {
  return hipMemset(to, value, size);
}
hipError_t hipMemsetAsync_spt(void* to, int value, size_t size, hipStream_t stream) {
  return hipMemsetAsync(to, value, size, own(stream));
}
hipError_t hipMemset2D_spt(void* to, size_t pitch, int value, size_t width, size_t height) {
  return hipMemset2D(to, pitch, value, width, height);
}
hipError_t hipMemset2DAsync_spt(void* to, size_t pitch, int value, size_t width, size_t height,
                                hipStream_t stream) {
  return hipMemset2DAsync(to, pitch, value, width, height, own(stream));
}
hipError_t hipMemset3D_spt(hipPitchedPtr to, int value, hipExtent extent) {
  return hipMemset3D(to, value, extent);
}
hipError_t hipMemset3DAsync_spt(hipPitchedPtr to, int value, hipExtent extent, hipStream_t stream) {
  return hipMemset3DAsync(to, value, extent, own(stream));
}

hipError_t hipStreamSynchronize_spt(hipStream_t stream) {
  return hipStreamSynchronize(own(stream));
}
hipError_t hipStreamQuery_spt(hipStream_t stream) {
  return hipStreamQuery(own(stream));
}
hipError_t hipStreamGetFlags_spt(hipStream_t stream, unsigned* flags) {
  return hipStreamGetFlags(own(stream), flags);
}
hipError_t hipStreamGetPriority_spt(hipStream_t stream, int* priority) {
  return hipStreamGetPriority(own(stream), priority);
}
hipError_t hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event, unsigned flags) {
  return hipStreamWaitEvent(own(stream), event, flags);
}
hipError_t hipStreamAddCallback_spt(hipStream_t stream, hipStreamCallback_t callback, void* data,
                                    unsigned flags) {
  return hipStreamAddCallback(own(stream), callback, data, flags);
}
hipError_t hipEventRecord_spt(hipEvent_t event, hipStream_t stream) {
  return hipEventRecord(event, own(stream));
}

hipError_t hipStreamBeginCapture_spt(hipStream_t stream, hipStreamCaptureMode mode) {
  return hipStreamBeginCapture(own(stream), mode);
}
hipError_t hipStreamEndCapture_spt(hipStream_t stream, hipGraph_t* graph) {
  return hipStreamEndCapture(own(stream), graph);
}
hipError_t hipStreamIsCapturing_spt(hipStream_t stream, hipStreamCaptureStatus* status) {
  return hipStreamIsCapturing(own(stream), status);
}
hipError_t hipStreamGetCaptureInfo_spt(hipStream_t stream, hipStreamCaptureStatus* status,
                                       unsigned long long* id) {
  return hipStreamGetCaptureInfo(own(stream), status, id);
}
hipError_t hipStreamGetCaptureInfo_v2_spt(hipStream_t stream, hipStreamCaptureStatus* status,
                                          unsigned long long* id, hipGraph_t* graph,
                                          const hipGraphNode_t** dependencies, size_t* count) {
  return hipStreamGetCaptureInfo_v2(own(stream), status, id, graph, dependencies, count);
}
hipError_t hipGraphLaunch_spt(hipGraphExec_t exec, hipStream_t stream) {
  return hipGraphLaunch(exec, own(stream));
}

hipError_t hipLaunchHostFunc_spt(hipStream_t stream, hipHostFn_t function, void* data) {
  return hipLaunchHostFunc(own(stream), function, data);
}
hipError_t hipLaunchKernel_spt(const void* function, dim3 grid, dim3 block, void** args, size_t dynamic_lds,
                               hipStream_t stream) {
  return hipLaunchKernel(function, grid, block, args, dynamic_lds, own(stream));
}
hipError_t hipLaunchCooperativeKernel_spt(const void* function, dim3 grid, dim3 block, void** args,
                                          uint32_t dynamic_lds, hipStream_t stream) {
  return hipLaunchCooperativeKernel(function, grid, block, args, dynamic_lds, own(stream));
}

}  // extern "C"
