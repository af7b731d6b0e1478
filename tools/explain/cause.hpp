// A cause: one way in which a kernel goes wrong, and everything that it would change.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/explain/evidence.hpp"
#include "tools/explain/model.hpp"

namespace mxproof::explain {

/// Where a cause acts. Two causes combine in this order, whichever was named first.
enum class Stage { quantise, store, load, decode, product, accumulate, place, narrow };

/// Which parts of the model a candidate changes; a set of bits.
enum class Part : uint8_t { a = 1, b = 2, rest = 4, all = 7 };

/// One concrete instance of a cause: parameters filled in.
struct Candidate {
  std::string_view cause;  ///< Name of the `Cause` that proposed it.
  std::string text;        ///< A sentence's worth for people: "B's scales lie in ..., but were read as ...".
  Stage stage = Stage::load;
  std::function<void(ProductModel&)> apply;
  double fitted_bits = 0;  ///< Information in the parameters that were taken from the wrong output itself.
  /// What it takes to say these parameters, when that is less: a factor of two is a short word.
  std::optional<double> described_bits = {};
  double guess_bits = 0;   ///< Improbability of what it supposes and nothing shows: what padding holds, say.
  double name_bits = 0;    ///< What it takes to say which candidate this is; the engine knows.
  bool confinable = true;  ///< May act in a part of the result; a stride acts on all of it or on nothing.
  bool combines = true;    ///< Worth trying together with another cause, if its cause is.
  Part changes = Part::all;
};

/// What a cause may look at when it proposes candidates.
struct Clues {
  const Evidence& evidence;
  std::span<const Coord> wrong;  ///< Some of the wrong cells, spread over them.
};

struct Cause {
  std::string_view name;
  std::string_view sentence;  ///< What it means, for a list of causes.
  bool combines = false;      ///< Often comes together with another one: tried in pairs.
  /// Appends candidates; none when it does not apply to this evidence.
  void (*propose)(const Clues& clues, std::vector<Candidate>& out);
};

/// Every cause there is, likeliest first: of two that predict the same, the earlier is named first.
std::span<const Cause> all_causes();

}  // namespace mxproof::explain
