// The seed of this test run: fresh every time, or MXPROOF_SEED to repeat one.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace mxproof {

inline uint64_t run_seed() {
  static const uint64_t seed = [] {
    const char* fixed = std::getenv("MXPROOF_SEED");
    return fixed != nullptr ? std::strtoull(fixed, nullptr, 10) : uint64_t{std::random_device()()};
  }();
  return seed;
}

}  // namespace mxproof

/// Failures in this scope say how to repeat them.
#define MXPROOF_TRACE_SEED() SCOPED_TRACE("repeat with MXPROOF_SEED=" + std::to_string(::mxproof::run_seed()))
