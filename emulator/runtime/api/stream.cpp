// Streams, events and capture.
#include <fmt/format.h>

#include "emulator/runtime/runtime.hpp"

using namespace mxproof::emulator;

namespace {

Outcome create_stream(Runtime& runtime, hipStream_t* stream, unsigned flags, int priority) {
  if (stream == nullptr) return invalid("a null pointer for the result");
  return runtime.streams.create(flags, priority, stream);
}

Outcome wait_for_stream(Runtime& runtime, hipStream_t handle) {
  Stream* stream = nullptr;
  MXPROOF_RETURN_IF_NOT_OK(runtime.streams.find(handle, &stream));
  if (stream->capture == nullptr) return {};  // everything is done when it is enqueued
  stream->capture->is_invalid = true;
  return {hipErrorStreamCaptureUnsupported, "the stream is being captured"};
}

Outcome completed_event(Runtime& runtime, hipEvent_t handle, const Event** event) {
  Event* found = nullptr;
  MXPROOF_RETURN_IF_NOT_OK(runtime.streams.find(handle, &found));
  if (found->is_captured) return {hipErrorCapturedEvent, "the event was recorded in a capture"};
  *event = found;
  return {};
}

// Of hipEventRecordWithFlags. An external record makes a node of the graph that is being captured.
constexpr unsigned kRecordDefault = 0;
constexpr unsigned kRecordExternal = 1;

Outcome record(Runtime& runtime, hipEvent_t event_handle, hipStream_t stream_handle, unsigned flags) {
  Stream* stream = nullptr;
  Event* event = nullptr;
  MXPROOF_RETURN_IF_NOT_OK(runtime.streams.find(event_handle, &event));
  MXPROOF_RETURN_IF_NOT_OK(runtime.streams.find(stream_handle, &stream));
  if (flags == kRecordDefault) return runtime.streams.record(*event, *stream);
  if (flags != kRecordExternal) return invalid("unknown flags");
  return runtime.enqueue(stream_handle, EventRecordWork{event_handle});
}

hipStreamCaptureStatus status_of(const Stream& stream) {
  if (stream.capture == nullptr) return hipStreamCaptureStatusNone;
  return stream.capture->is_invalid ? hipStreamCaptureStatusInvalidated : hipStreamCaptureStatusActive;
}

}  // namespace

extern "C" {

hipError_t hipStreamCreate(hipStream_t* stream) {
  return device_call(__func__, [&](Runtime& r) { return create_stream(r, stream, hipStreamDefault, 0); });
}
hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
  return device_call(__func__, [&](Runtime& r) { return create_stream(r, stream, flags, 0); });
}
hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned flags, int priority) {
  return device_call(__func__, [&](Runtime& r) { return create_stream(r, stream, flags, priority); });
}
hipError_t hipStreamDestroy(hipStream_t stream) {
  return host_call(__func__, [&](Runtime& r) { return r.streams.destroy(stream); });
}
hipError_t hipStreamSynchronize(hipStream_t stream) {
  return device_call(__func__, [&](Runtime& r) { return wait_for_stream(r, stream); });
}
hipError_t hipStreamQuery(hipStream_t stream) {
  return device_call(__func__, [&](Runtime& r) { return wait_for_stream(r, stream); });
}
hipError_t hipStreamGetFlags(hipStream_t handle, unsigned* flags) {
  return host_call(__func__, [&](Runtime& r) -> Outcome {
    Stream* stream = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(r.streams.find(handle, &stream));
    if (flags == nullptr) return invalid("a null pointer for the result");
    *flags = stream->flags;
    return {};
  });
}
hipError_t hipStreamGetPriority(hipStream_t handle, int* priority) {
  return host_call(__func__, [&](Runtime& r) -> Outcome {
    Stream* stream = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(r.streams.find(handle, &stream));
    if (priority == nullptr) return invalid("a null pointer for the result");
    *priority = stream->priority;
    return {};
  });
}
int hipGetStreamDeviceId(hipStream_t) {
  return 0;
}

hipError_t hipStreamWaitEvent(hipStream_t stream_handle, hipEvent_t event_handle, unsigned flags) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    if (flags != 0) return unsupported("flags");
    Stream* stream = nullptr;
    Event* event = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(r.streams.find(stream_handle, &stream));
    MXPROOF_RETURN_IF_NOT_OK(r.streams.find(event_handle, &event));
    return r.streams.wait(*stream, *event);
  });
}

hipError_t hipStreamAddCallback(hipStream_t handle, hipStreamCallback_t callback, void* data,
                                unsigned flags) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    if (callback == nullptr || flags != 0) return invalid("no callback, or flags");
    MXPROOF_RETURN_IF_NOT_OK(wait_for_stream(r, handle));
    callback(handle, hipSuccess, data);
    return {};
  });
}
hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void* data) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    if (function == nullptr) return invalid("no function");
    return r.enqueue(stream, HostWork{function, data});
  });
}

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    if (event == nullptr) return invalid("a null pointer for the result");
    return r.streams.create(flags, event);
  });
}
hipError_t hipEventCreate(hipEvent_t* event) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    if (event == nullptr) return invalid("a null pointer for the result");
    return r.streams.create(hipEventDefault, event);
  });
}
hipError_t hipEventDestroy(hipEvent_t event) {
  return host_call(__func__, [&](Runtime& r) { return r.streams.destroy(event); });
}
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return device_call(__func__, [&](Runtime& r) { return record(r, event, stream, kRecordDefault); });
}
hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned flags) {
  return device_call(__func__, [&](Runtime& r) { return record(r, event, stream, flags); });
}
hipError_t hipEventSynchronize(hipEvent_t handle) {
  return device_call(__func__, [&](Runtime& r) {
    const Event* event = nullptr;
    return completed_event(r, handle, &event);
  });
}
hipError_t hipEventQuery(hipEvent_t handle) {
  return device_call(__func__, [&](Runtime& r) {
    const Event* event = nullptr;
    return completed_event(r, handle, &event);
  });
}

// The host's time between the two records: how long emulation took, not a prediction of the chip's time.
hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start_handle, hipEvent_t stop_handle) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    const Event* start = nullptr;
    const Event* stop = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(completed_event(r, start_handle, &start));
    MXPROOF_RETURN_IF_NOT_OK(completed_event(r, stop_handle, &stop));
    if (milliseconds == nullptr) return invalid("a null pointer for the result");
    if (((start->flags | stop->flags) & hipEventDisableTiming) != 0 || !start->recorded || !stop->recorded) {
      return {hipErrorInvalidHandle, "an event without a time"};
    }
    *milliseconds = std::chrono::duration<float, std::milli>(*stop->recorded - *start->recorded).count();
    return {};
  });
}

hipError_t hipStreamBeginCapture(hipStream_t handle, hipStreamCaptureMode mode) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    Stream* stream = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(r.streams.find(handle, &stream));
    return r.streams.begin_capture(*stream, mode);
  });
}
hipError_t hipStreamEndCapture(hipStream_t handle, hipGraph_t* graph_handle) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    if (graph_handle == nullptr) return invalid("a null pointer for the result");
    *graph_handle = nullptr;
    Stream* stream = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(r.streams.find(handle, &stream));
    std::unique_ptr<Graph> graph;
    MXPROOF_RETURN_IF_NOT_OK(r.streams.end_capture(*stream, &graph));
    *graph_handle = reinterpret_cast<hipGraph_t>(r.graphs.add(std::move(graph)));
    return {};
  });
}
hipError_t hipStreamIsCapturing(hipStream_t handle, hipStreamCaptureStatus* status) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    Stream* stream = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(r.streams.find(handle, &stream));
    if (status == nullptr) return invalid("a null pointer for the result");
    *status = status_of(*stream);
    return {};
  });
}
hipError_t hipStreamGetCaptureInfo(hipStream_t handle, hipStreamCaptureStatus* status,
                                   unsigned long long* id) {
  return hipStreamGetCaptureInfo_v2(handle, status, id, nullptr, nullptr, nullptr);
}
hipError_t hipStreamGetCaptureInfo_v2(hipStream_t handle, hipStreamCaptureStatus* status,
                                      unsigned long long* id, hipGraph_t* graph,
                                      const hipGraphNode_t** dependencies, size_t* count) {
  return device_call(__func__, [&](Runtime& r) -> Outcome {
    Stream* stream = nullptr;
    MXPROOF_RETURN_IF_NOT_OK(r.streams.find(handle, &stream));
    if (status == nullptr) return invalid("a null pointer for the result");
    *status = status_of(*stream);
    if (*status != hipStreamCaptureStatusActive) return {};
    if (id != nullptr) *id = stream->capture->id;
    if (graph != nullptr) *graph = reinterpret_cast<hipGraph_t>(stream->capture->graph.get());
    if (dependencies != nullptr) *dependencies = reinterpret_cast<const hipGraphNode_t*>(stream->tail.data());
    if (count != nullptr) *count = stream->tail.size();
    return {};
  });
}
hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  return host_call(__func__, [&](Runtime&) -> Outcome {
    if (mode == nullptr) return invalid("a null pointer");
    Streams::exchange_mode(mode);
    return {};
  });
}

}  // extern "C"
