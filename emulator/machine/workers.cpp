#include "emulator/machine/workers.hpp"

namespace mxproof::emulator {

Workers& Workers::shared() {
  static Workers workers;
  return workers;
}

Workers::~Workers() {
  {
    const std::scoped_lock lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::run(unsigned count, const std::function<void(unsigned)>& work) {
  if (count <= 1) {
    work(0);
    return;
  }
  const std::scoped_lock one_caller(one_caller_);
  {
    const std::scoped_lock lock(mutex_);
    while (threads_.size() < count - 1) {
      const auto index = static_cast<unsigned>(threads_.size() + 1);
      threads_.emplace_back([this, index] { serve(index); });
    }
    work_ = &work;
    wanted_ = count - 1;
    running_ = count - 1;
    ++round_;
  }
  wake_.notify_all();
  work(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return running_ == 0; });
  work_ = nullptr;
}

void Workers::serve(unsigned index) {
  uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return stop_ || (round_ != seen && work_ != nullptr); });
    if (stop_) return;
    seen = round_;
    if (index > wanted_) continue;
    const auto* work = work_;
    lock.unlock();
    (*work)(index);
    lock.lock();
    if (--running_ == 0) done_.notify_one();
  }
}

}  // namespace mxproof::emulator
