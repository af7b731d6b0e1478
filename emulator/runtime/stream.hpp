// Streams, events and stream capture. Streams do their work when it is enqueued, on the calling thread,
// except while they are captured: then it becomes nodes of a graph. So everything is complete when a call
// returns, and synchronising never waits.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <unordered_map>
#include <vector>

#include "emulator/runtime/graph.hpp"
#include "emulator/runtime/handle_table.hpp"
#include "emulator/runtime/outcome.hpp"

namespace mxproof::emulator {

struct Stream;

/// One capture sequence: the stream where it began, and those that joined by waiting for its events.
struct Capture {
  uint64_t id = 0;
  hipStreamCaptureMode mode = hipStreamCaptureModeGlobal;
  std::thread::id thread;
  Stream* origin = nullptr;
  bool is_invalid = false;
  std::unique_ptr<Graph> graph;
};

/// What a hipStream_t points at.
struct Stream {
  unsigned flags = 0;
  int priority = 0;
  std::shared_ptr<Capture> capture;  ///< Null when the stream is not captured.
  std::vector<Node*> tail;           ///< What the next captured node waits for.
};

/// What a hipEvent_t points at. Its time is the host's.
struct Event {
  unsigned flags = 0;
  std::optional<std::chrono::steady_clock::time_point> recorded;
  std::weak_ptr<Capture> capture;  ///< The sequence in which it was last recorded, if it was.
  bool is_captured = false;        ///< Last recorded in a capture.
  std::vector<Node*> nodes;        ///< What a waiter waits for in that sequence.
};

class Streams {
 public:
  /// Streams by handle. The null handle and 1 are the legacy default stream, 2 the thread's own one.
  /// Errors: hipErrorInvalidHandle.
  Outcome find(hipStream_t handle, Stream** stream);
  Outcome create(unsigned flags, int priority, hipStream_t* handle);
  Outcome destroy(hipStream_t handle);

  Outcome find(hipEvent_t handle, Event** event);
  Outcome create(unsigned flags, hipEvent_t* handle);
  Outcome destroy(hipEvent_t handle);

  Outcome record(Event& event, Stream& stream);
  Outcome wait(Stream& stream, const Event& event);

  Outcome begin_capture(Stream& stream, hipStreamCaptureMode mode);
  /// Ends the sequence; `graph` gets what was captured. Errors: why the capture is no good; it is over then
  /// too.
  Outcome end_capture(Stream& stream, std::unique_ptr<Graph>* graph);

  /// Adds a node when `stream` is captured (*captured true), otherwise checks that work may be enqueued now.
  Outcome capture_or_allow(Stream& stream, Work& work, bool* captured);

  /// For calls that a capture forbids because they may wait or act at once, such as hipMalloc: an error,
  /// which also spoils the captures concerned, by the capture's mode and the thread's.
  Outcome allow_unsafe_call();
  /// For calls that wait for all streams.
  Outcome allow_device_wait();
  /// For synchronous work on the legacy default stream, which waits for all blocking streams.
  Outcome allow_legacy_stream();

  /// The calling thread's capture mode; `mode` and it change places.
  static void exchange_mode(hipStreamCaptureMode* mode);

 private:
  std::vector<std::shared_ptr<Capture>> active_captures() const;
  template <class Visit>
  void for_each_stream(Visit visit) const;
  void leave_capture(const Capture& capture);

  Stream legacy_;
  std::unordered_map<std::thread::id, std::unique_ptr<Stream>> per_thread_;
  HandleTable<Stream> streams_;
  HandleTable<Event> events_;
  uint64_t next_capture_id_ = 1;
};

}  // namespace mxproof::emulator
