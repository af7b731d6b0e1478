// Which layout is this buffer in? Held against the plain original the answer is certain; without it
// statistics say what they can, which is nothing for data without structure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/layout/any_layout.hpp"
#include "common/status.hpp"

namespace mxproof::identify {

struct Guess {
  std::string layout;    ///< Name; with ", high nibble first" for swapped nibbles, ", rows padded to 64" for
                         ///< least padding.
  double agreement = 0;  ///< Against the original: share of logical bytes that are equal.
  std::optional<uint8_t>
      padding_fill;            ///< The one byte that fills all padding, when there is padding and one does.
  bool padding_tells = false;  ///< That filling is no chance: the data hold other bytes.
  double structure = 0;  ///< Share of the variance that rows and columns account for beyond chance, 0..1.
};

enum class Certainty {
  certain,    ///< Equal to the original in this layout and no other.
  ambiguous,  ///< Equal to the original in several: they agree on this data.
  likely,     ///< One layout fits the statistics, and clearly better than all others.
  unknown,    ///< Nothing tells the candidates apart, or nothing fits.
};

struct Identification {
  Certainty certainty = Certainty::unknown;
  std::vector<Guess> guesses;  ///< Layouts of the right size, best first.
  std::string reason;          ///< One sentence.
};

/// `buffer` holds [rows, k] scales or codes; `original`, when given, is the same in plain order. A size that
/// no layout has is bad input, and so is an original of the wrong size.
Expected<Identification> identify(std::span<const uint8_t> buffer, int64_t rows, int64_t k,
                                  std::optional<LayoutKind> kind,
                                  std::optional<std::span<const uint8_t>> original);

}  // namespace mxproof::identify
