// Host threads that stay alive between launches.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace mxproof::emulator {

/// Runs a function on several threads at once. One call at a time; further callers wait.
class Workers {
 public:
  static Workers& shared();

  /// Calls work(0) .. work(count - 1), each on its own thread (0 on the caller's), and returns when all are
  /// done.
  void run(unsigned count, const std::function<void(unsigned)>& work);

 private:
  Workers() = default;
  ~Workers();
  void serve(unsigned index);

  std::mutex one_caller_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<std::thread> threads_;
  const std::function<void(unsigned)>* work_ = nullptr;
  uint64_t round_ = 0;
  unsigned wanted_ = 0;  ///< Threads that take part in this round, the caller not counted.
  unsigned running_ = 0;
  bool stop_ = false;
};

}  // namespace mxproof::emulator
