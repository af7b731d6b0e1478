#include "bench/run/row_label.hpp"

#include <fmt/format.h>

namespace mxproof::bench {

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::route:
      return "route";
    case Kind::kernel:
      return "kernel";
    case Kind::peer:
      return "peer";
    case Kind::floor:
      return "floor";
    case Kind::host:
      return "host";
  }
  return "";
}

Check Check::of(const Status& status) {
  Check check;
  check.verdict = status.code() == StatusCode::refused ? Verdict::refused : Verdict::error;
  check.message = status.message();
  return check;
}

uint64_t hash_bytes(std::span<const std::byte> bytes, uint64_t hash) {
  constexpr uint64_t kFnvPrime = 0x100000001b3;
  for (const std::byte byte : bytes) hash = (hash ^ static_cast<uint64_t>(byte)) * kFnvPrime;
  return hash;
}

std::string row_label(const Check& check, Kind kind) {
  const std::string_view verdict = check.no_output ? "no-output" : name_of(check.verdict);
  return fmt::format("verdict={} id={:016x} kind={}", verdict, check.id, name_of(kind));
}

}  // namespace mxproof::bench
