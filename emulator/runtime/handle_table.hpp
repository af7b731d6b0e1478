// Objects behind HIP's opaque handles. A handle is the object's address; one that is not in the table is
// refused without being touched.
#pragma once

#include <memory>
#include <unordered_map>

namespace mxproof::emulator {

template <class T>
class HandleTable {
 public:
  T* add(std::unique_ptr<T> object) {
    T* handle = object.get();
    objects_.emplace(handle, std::move(object));
    return handle;
  }

  /// nullptr when the handle is not, or no longer, in use.
  T* find(const void* handle) const {
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second.get();
  }

  bool remove(const void* handle) { return objects_.erase(handle) == 1; }

  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& [handle, object] : objects_) visit(*object);
  }

  void clear() { objects_.clear(); }

 private:
  std::unordered_map<const void*, std::unique_ptr<T>> objects_;
};

}  // namespace mxproof::emulator
