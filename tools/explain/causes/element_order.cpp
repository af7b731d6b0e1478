// Codes of a row in another order: nibbles of a byte, halves of a block, whole blocks.
#include <fmt/format.h>

#include "tools/explain/causes/helpers.hpp"
#include "tools/explain/causes/propose.hpp"

namespace mxproof::explain {

void propose_nibble_order(const Clues& clues, std::vector<Candidate>& out) {
  for (OperandId id : known_operands(clues.evidence)) {
    out.push_back(code_candidate("nibble-order", id,
                                 fmt::format("{}'s nibbles are swapped in every byte", name_of(id)),
                                 Stage::load, [](const CodeAt& inner, const OperandModel&) {
                                   return [inner](int64_t row, int64_t k) { return inner(row, k ^ 1); };
                                 }));
  }
}

// GGML keeps element j in the low and j+16 in the high nibble of byte j of a block.
void propose_ggml_order(const Clues& clues, std::vector<Candidate>& out) {
  for (OperandId id : known_operands(clues.evidence)) {
    out.push_back(code_candidate(
        "ggml-order", id,
        fmt::format("{}'s codes, packed in pairs, were read in GGML's split order", name_of(id)), Stage::load,
        [](const CodeAt& inner, const OperandModel&) {
          return [inner](int64_t row, int64_t k) {
            const int64_t j = k % kBlock;
            return inner(row, k - j + (j < 16 ? 2 * j : 2 * (j - 16) + 1));
          };
        }));
    out.push_back(code_candidate(
        "ggml-order", id,
        fmt::format("{}'s codes, packed in GGML's split order, were read in pairs", name_of(id)), Stage::load,
        [](const CodeAt& inner, const OperandModel&) {
          return [inner](int64_t row, int64_t k) {
            const int64_t j = k % kBlock;
            return inner(row, k - j + j / 2 + (j % 2) * 16);
          };
        }));
  }
}

void propose_code_shift(const Clues& clues, std::vector<Candidate>& out) {
  for (OperandId id : known_operands(clues.evidence)) {
    for (int64_t shift : {-kBlock, kBlock}) {
      out.push_back(
          code_candidate("code-block-shift", id,
                         fmt::format("{}'s codes come from the {} block, its scales from the right one",
                                     name_of(id), shift < 0 ? "previous" : "next"),
                         Stage::load, [shift](const CodeAt& inner, const OperandModel& o) {
                           return [inner, shift, k_end = o.k](int64_t row, int64_t k) -> uint8_t {
                             const int64_t from = k + shift;
                             return from < 0 || from >= k_end ? uint8_t{0} : inner(row, from);
                           };
                         }));
    }
  }
}

}  // namespace mxproof::explain
