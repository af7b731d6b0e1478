// A value that is made on first use.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "common/status.hpp"

namespace mxproof::bench {

/// Made on first use, once; an error stays an error.
template <class T>
class Lazy {
 public:
  explicit Lazy(std::function<Expected<T>()> make) : make_(std::move(make)) {}
  Expected<T>& get() {
    if (!made_) made_.emplace(make_());
    return *made_;
  }

 private:
  std::function<Expected<T>()> make_;
  std::optional<Expected<T>> made_;
};

}  // namespace mxproof::bench
