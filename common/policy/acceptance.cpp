#include "common/policy/acceptance.hpp"

#include <fmt/format.h>

#include <charconv>

namespace mxproof {

std::string Acceptance::name() const {
  switch (kind) {
    case AcceptanceKind::bit_equal:
      return "bit-equal";
    case AcceptanceKind::exact_zone:
      return "exact-zone";
    case AcceptanceKind::contest:
      return "contest";
    case AcceptanceKind::ulp:
      return fmt::format("ulp {}", max_ulp);
  }
  return "?";
}

Expected<Acceptance> parse_acceptance(std::string_view text) {
  if (text == "bit-equal") return Acceptance::bit_equal();
  if (text == "exact-zone") return Acceptance::exact_zone();
  if (text == "contest") return Acceptance::contest();
  if (text.starts_with("ulp")) {
    std::string_view digits = text.substr(3);
    if (!digits.empty() && (digits.front() == ' ' || digits.front() == ':')) digits.remove_prefix(1);
    int64_t n = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    if (error == std::errc() && end == digits.data() + digits.size() && n >= 0) return Acceptance::ulp(n);
  }
  return Status::bad_input(fmt::format(
      "unknown acceptance policy '{}'; there are: bit-equal, exact-zone, contest, 'ulp N'", text));
}

}  // namespace mxproof
