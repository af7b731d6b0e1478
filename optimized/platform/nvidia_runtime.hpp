// HIP's names for the CUDA runtime calls that are used here. (The header that Debian ships for this purpose
// does not compile with CUDA 12 or newer.)
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

using hipError_t = cudaError_t;
using hipStream_t = cudaStream_t;
using hipEvent_t = cudaEvent_t;
using hipDeviceProp_t = cudaDeviceProp;
using hipGraph_t = cudaGraph_t;
using hipGraphNode_t = cudaGraphNode_t;
using hipGraphExec_t = cudaGraphExec_t;
using hipKernelNodeParams = cudaKernelNodeParams;
using hipMemcpyKind = cudaMemcpyKind;

inline constexpr hipError_t hipSuccess = cudaSuccess;
inline constexpr cudaMemcpyKind hipMemcpyHostToDevice = cudaMemcpyHostToDevice;
inline constexpr cudaMemcpyKind hipMemcpyDeviceToHost = cudaMemcpyDeviceToHost;
inline constexpr cudaMemcpyKind hipMemcpyDeviceToDevice = cudaMemcpyDeviceToDevice;

inline const char* hipGetErrorName(hipError_t error) {
  return cudaGetErrorName(error);
}
inline const char* hipGetErrorString(hipError_t error) {
  return cudaGetErrorString(error);
}
inline hipError_t hipGetLastError() {
  return cudaGetLastError();
}

inline hipError_t hipGetDevice(int* device) {
  return cudaGetDevice(device);
}
inline hipError_t hipGetDeviceCount(int* count) {
  return cudaGetDeviceCount(count);
}
inline hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device) {
  return cudaGetDeviceProperties(properties, device);
}
inline hipError_t hipDriverGetVersion(int* version) {
  return cudaDriverGetVersion(version);
}
inline hipError_t hipRuntimeGetVersion(int* version) {
  return cudaRuntimeGetVersion(version);
}
inline hipError_t hipDeviceSynchronize() {
  return cudaDeviceSynchronize();
}

template <class T>
hipError_t hipMalloc(T** pointer, size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}
inline hipError_t hipFree(void* pointer) {
  return cudaFree(pointer);
}
inline hipError_t hipMemset(void* pointer, int value, size_t bytes) {
  return cudaMemset(pointer, value, bytes);
}
inline hipError_t hipMemsetAsync(void* pointer, int value, size_t bytes, hipStream_t stream) {
  return cudaMemsetAsync(pointer, value, bytes, stream);
}
inline hipError_t hipMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpy(to, from, bytes, kind);
}
inline hipError_t hipMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                 hipStream_t stream) {
  return cudaMemcpyAsync(to, from, bytes, kind, stream);
}

inline hipError_t hipStreamCreate(hipStream_t* stream) {
  return cudaStreamCreate(stream);
}
inline hipError_t hipStreamDestroy(hipStream_t stream) {
  return cudaStreamDestroy(stream);
}
inline hipError_t hipStreamSynchronize(hipStream_t stream) {
  return cudaStreamSynchronize(stream);
}
inline constexpr cudaStreamCaptureMode hipStreamCaptureModeGlobal = cudaStreamCaptureModeGlobal;
inline hipError_t hipStreamBeginCapture(hipStream_t stream, cudaStreamCaptureMode mode) {
  return cudaStreamBeginCapture(stream, mode);
}
inline hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* graph) {
  return cudaStreamEndCapture(stream, graph);
}
inline hipError_t hipEventCreate(hipEvent_t* event) {
  return cudaEventCreate(event);
}
inline hipError_t hipEventDestroy(hipEvent_t event) {
  return cudaEventDestroy(event);
}
inline hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return cudaEventRecord(event, stream);
}
inline hipError_t hipEventSynchronize(hipEvent_t event) {
  return cudaEventSynchronize(event);
}
inline hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start, hipEvent_t stop) {
  return cudaEventElapsedTime(milliseconds, start, stop);
}

inline hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                  size_t lds_bytes, hipStream_t stream) {
  return cudaLaunchKernel(function, grid, block, arguments, lds_bytes, stream);
}

inline constexpr cudaFuncAttribute hipFuncAttributeMaxDynamicSharedMemorySize =
    cudaFuncAttributeMaxDynamicSharedMemorySize;
inline hipError_t hipFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(function, attribute, value);
}

inline hipError_t hipGraphCreate(hipGraph_t* graph, unsigned flags) {
  return cudaGraphCreate(graph, flags);
}
inline hipError_t hipGraphDestroy(hipGraph_t graph) {
  return cudaGraphDestroy(graph);
}
inline hipError_t hipGraphAddKernelNode(hipGraphNode_t* node, hipGraph_t graph,
                                        const hipGraphNode_t* dependencies, size_t count,
                                        const hipKernelNodeParams* params) {
  return cudaGraphAddKernelNode(node, graph, dependencies, count, params);
}
inline hipError_t hipGraphInstantiate(hipGraphExec_t* exec, hipGraph_t graph, hipGraphNode_t* /*error_node*/,
                                      char* /*log*/, size_t /*log_bytes*/) {
  return cudaGraphInstantiate(exec, graph, 0);
}
inline hipError_t hipGraphExecDestroy(hipGraphExec_t exec) {
  return cudaGraphExecDestroy(exec);
}
inline hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                                  const hipKernelNodeParams* params) {
  return cudaGraphExecKernelNodeSetParams(exec, node, params);
}
inline hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream) {
  return cudaGraphLaunch(exec, stream);
}
