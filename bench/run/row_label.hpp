// What a row says besides numbers, packed into Google Benchmark's label as words `key=value`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "common/compare/comparison.hpp"

namespace mxproof::bench {

/// What a row measures. Peers and floors are what ours is held against.
enum class Kind { route, kernel, peer, floor, host };
std::string_view name_of(Kind kind);

/// The outcome of verifying the very output that was timed.
struct Check {
  Verdict verdict = Verdict::error;
  bool no_output = false;  ///< The work writes nothing (an empty launch), so there is nothing to verify.
  std::string message;     ///< Why it failed.
  uint64_t id = 0;         ///< Hash of the verified inputs and output.

  static Check of(const Status& status);
  bool allows_time() const { return no_output || passed(verdict); }
};

/// FNV-1a, 64 bits, over bytes in sequence; start with kFnvOffset. Rows with the same id verified the same
/// bytes.
inline constexpr uint64_t kFnvOffset = 0xcbf29ce484222325;
uint64_t hash_bytes(std::span<const std::byte> bytes, uint64_t hash = kFnvOffset);

/// "verdict=bit-equal id=00112233aabbccdd kind=route"
std::string row_label(const Check& check, Kind kind);

}  // namespace mxproof::bench
