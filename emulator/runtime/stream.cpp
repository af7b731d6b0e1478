#include "emulator/runtime/stream.hpp"

#include <algorithm>
#include <unordered_set>

namespace mxproof::emulator {
namespace {

thread_local hipStreamCaptureMode thread_mode = hipStreamCaptureModeGlobal;

constexpr uintptr_t kLegacy = 1;
constexpr uintptr_t kPerThread = 2;

Outcome refuse(hipError_t error, const char* text) {
  return {error, text};
}

// True when every node of `nodes` is one of `tail` or something that those wait for.
bool is_joined(const std::vector<Node*>& nodes, const std::vector<Node*>& tail) {
  std::unordered_set<const Node*> reached;
  std::vector<const Node*> open(tail.begin(), tail.end());
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (!reached.insert(node).second) continue;
    open.insert(open.end(), node->dependencies.begin(), node->dependencies.end());
  }
  return std::ranges::all_of(nodes, [&](const Node* node) { return reached.contains(node); });
}

void add_missing(std::vector<Node*>& nodes, const std::vector<Node*>& more) {
  for (Node* node : more) {
    if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
  }
}

}  // namespace

template <class Visit>
void Streams::for_each_stream(Visit visit) const {
  for (const auto& [thread, stream] : per_thread_) visit(*stream);
  streams_.for_each(visit);
}

Outcome Streams::find(hipStream_t handle, Stream** stream) {
  const auto value = reinterpret_cast<uintptr_t>(handle);
  if (value == 0 || value == kLegacy) {
    *stream = &legacy_;
  } else if (value == kPerThread) {
    auto& mine = per_thread_[std::this_thread::get_id()];
    if (mine == nullptr) mine = std::make_unique<Stream>();
    *stream = mine.get();
  } else {
    *stream = streams_.find(handle);
  }
  return *stream != nullptr ? Outcome() : refuse(hipErrorInvalidHandle, "there is no such stream");
}

Outcome Streams::create(unsigned flags, int priority, hipStream_t* handle) {
  if ((flags & ~static_cast<unsigned>(hipStreamNonBlocking)) != 0) return invalid("unknown stream flags");
  auto stream = std::make_unique<Stream>();
  stream->flags = flags;
  stream->priority = priority;
  *handle = reinterpret_cast<hipStream_t>(streams_.add(std::move(stream)));
  return {};
}

Outcome Streams::destroy(hipStream_t handle) {
  Stream* stream = streams_.find(handle);
  if (stream == nullptr) return refuse(hipErrorInvalidHandle, "there is no such stream");
  if (stream->capture != nullptr) {
    stream->capture->is_invalid = true;
    const std::shared_ptr<Capture> capture = stream->capture;
    if (capture->origin == stream) leave_capture(*capture);
  }
  streams_.remove(handle);
  return {};
}

Outcome Streams::find(hipEvent_t handle, Event** event) {
  *event = events_.find(handle);
  return *event != nullptr ? Outcome() : refuse(hipErrorInvalidHandle, "there is no such event");
}

Outcome Streams::create(unsigned flags, hipEvent_t* handle) {
  constexpr unsigned kKnown = hipEventBlockingSync | hipEventDisableTiming | hipEventReleaseToDevice |
                              hipEventReleaseToSystem |
                              0x20000000U;  // hipEventDisableSystemFence of newer HIP
  if ((flags & hipEventInterprocess) != 0) return unsupported("events between processes");
  if ((flags & ~kKnown) != 0) return invalid("unknown event flags");
  auto event = std::make_unique<Event>();
  event->flags = flags;
  *handle = reinterpret_cast<hipEvent_t>(events_.add(std::move(event)));
  return {};
}

Outcome Streams::destroy(hipEvent_t handle) {
  return events_.remove(handle) ? Outcome() : refuse(hipErrorInvalidHandle, "there is no such event");
}

Outcome Streams::record(Event& event, Stream& stream) {
  if (stream.capture != nullptr) {
    if (stream.capture->is_invalid) return refuse(hipErrorStreamCaptureInvalidated, "the capture is spoiled");
    event.capture = stream.capture;
    event.is_captured = true;
    event.nodes = stream.tail;
    event.recorded.reset();
    return {};
  }
  if (&stream == &legacy_) MXPROOF_RETURN_IF_NOT_OK(allow_legacy_stream());
  event.is_captured = false;
  event.nodes.clear();
  event.recorded = std::chrono::steady_clock::now();
  return {};
}

Outcome Streams::wait(Stream& stream, const Event& event) {
  if (!event.is_captured) {
    if (stream.capture == nullptr || !event.recorded) return {};
    stream.capture->is_invalid = true;
    return refuse(hipErrorStreamCaptureIsolation, "the event was recorded outside of the capture");
  }
  const std::shared_ptr<Capture> capture = event.capture.lock();
  if (capture == nullptr) return refuse(hipErrorCapturedEvent, "the event's capture is over");
  if (&stream == &legacy_)
    return refuse(hipErrorStreamCaptureImplicit, "the default stream cannot join a capture");
  if (stream.capture == nullptr) {
    stream.capture = capture;
    stream.tail = event.nodes;
    return {};
  }
  if (stream.capture != capture) {
    stream.capture->is_invalid = true;
    capture->is_invalid = true;
    return refuse(hipErrorStreamCaptureMerge, "the event belongs to another capture");
  }
  add_missing(stream.tail, event.nodes);
  return {};
}

Outcome Streams::begin_capture(Stream& stream, hipStreamCaptureMode mode) {
  if (mode < hipStreamCaptureModeGlobal || mode > hipStreamCaptureModeRelaxed)
    return invalid("no such capture mode");
  if (&stream == &legacy_)
    return refuse(hipErrorStreamCaptureUnsupported, "the default stream cannot be captured");
  if (stream.capture != nullptr) return refuse(hipErrorIllegalState, "the stream is being captured already");
  auto capture = std::make_shared<Capture>();
  capture->id = next_capture_id_++;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->origin = &stream;
  capture->graph = std::make_unique<Graph>();
  stream.capture = std::move(capture);
  stream.tail.clear();
  return {};
}

Outcome Streams::end_capture(Stream& stream, std::unique_ptr<Graph>* graph) {
  const std::shared_ptr<Capture> capture = stream.capture;
  if (capture == nullptr) return refuse(hipErrorIllegalState, "the stream is not being captured");
  if (capture->origin != &stream) {
    return refuse(hipErrorStreamCaptureUnmatched, "the capture began in another stream");
  }
  if (capture->mode != hipStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id()) {
    return refuse(hipErrorStreamCaptureWrongThread, "the capture began in another thread");
  }
  bool joined = true;
  for_each_stream([&](const Stream& other) {
    if (other.capture == capture) joined = joined && is_joined(other.tail, stream.tail);
  });
  leave_capture(*capture);
  if (capture->is_invalid) return refuse(hipErrorStreamCaptureInvalidated, "the capture is spoiled");
  if (!joined)
    return refuse(hipErrorStreamCaptureUnjoined, "a stream that joined the capture was not waited for");
  *graph = std::move(capture->graph);
  return {};
}

void Streams::leave_capture(const Capture& capture) {
  for_each_stream([&](Stream& stream) {
    if (stream.capture.get() != &capture) return;
    stream.tail.clear();
    stream.capture.reset();
  });
}

Outcome Streams::capture_or_allow(Stream& stream, Work& work, bool* captured) {
  *captured = stream.capture != nullptr;
  if (!*captured) return &stream == &legacy_ ? allow_legacy_stream() : Outcome();
  if (stream.capture->is_invalid) return refuse(hipErrorStreamCaptureInvalidated, "the capture is spoiled");
  Node* node = stream.capture->graph->add(std::move(work), stream.tail);
  stream.tail = {node};
  return {};
}

std::vector<std::shared_ptr<Capture>> Streams::active_captures() const {
  std::vector<std::shared_ptr<Capture>> captures;
  for_each_stream([&](const Stream& stream) {
    if (stream.capture != nullptr && stream.capture->origin == &stream) captures.push_back(stream.capture);
  });
  return captures;
}

Outcome Streams::allow_unsafe_call() {
  if (thread_mode == hipStreamCaptureModeRelaxed) return {};
  bool allowed = true;
  for (const auto& capture : active_captures()) {
    const bool is_mine = capture->thread == std::this_thread::get_id();
    const bool concerns_me = capture->mode == hipStreamCaptureModeGlobal
                                 ? is_mine || thread_mode == hipStreamCaptureModeGlobal
                                 : capture->mode == hipStreamCaptureModeThreadLocal && is_mine;
    if (!concerns_me) continue;
    capture->is_invalid = true;
    allowed = false;
  }
  return allowed ? Outcome()
                 : refuse(hipErrorStreamCaptureUnsupported, "not permitted while a stream is being captured");
}

Outcome Streams::allow_device_wait() {
  const auto captures = active_captures();
  for (const auto& capture : captures) capture->is_invalid = true;
  return captures.empty()
             ? Outcome()
             : refuse(hipErrorStreamCaptureUnsupported, "waits for a stream that is being captured");
}

Outcome Streams::allow_legacy_stream() {
  bool allowed = true;
  for_each_stream([&](const Stream& stream) {
    if (stream.capture == nullptr || (stream.flags & hipStreamNonBlocking) != 0) return;
    stream.capture->is_invalid = true;
    allowed = false;
  });
  return allowed
             ? Outcome()
             : refuse(hipErrorStreamCaptureImplicit, "the default stream would wait for a captured stream");
}

void Streams::exchange_mode(hipStreamCaptureMode* mode) {
  std::swap(*mode, thread_mode);
}

}  // namespace mxproof::emulator
