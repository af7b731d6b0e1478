// One lane or one register of an MFMA operand that holds zeros. The rows that are wrong say which lanes can
// be meant, so only those are proposed.
#include <fmt/format.h>

#include <set>

#include "common/layout/mfma_operands.hpp"
#include "tools/explain/causes/helpers.hpp"
#include "tools/explain/causes/propose.hpp"

namespace mxproof::explain {
namespace {

/// The one residue of all wrong rows (columns, for B) modulo `period`, or -1.
int64_t shared_residue(const Clues& clues, OperandId id, int64_t period) {
  int64_t residue = -1;
  for (Coord c : clues.wrong) {
    const int64_t r = (id == OperandId::a ? c.row : c.col) % period;
    if (residue >= 0 && r != residue) return -1;
    residue = r;
  }
  return residue;
}

}  // namespace

void propose_operand_lane(const Clues& clues, std::vector<Candidate>& out) {
  if (!is_product(clues.evidence)) return;
  for (const MfmaShape& shape : kMfmaShapes) {
    for (OperandId id : {OperandId::a, OperandId::b}) {
      const int64_t row = shared_residue(clues, id, shape.m);
      if (row < 0) continue;
      for (int block = 0; block < shape.blocks(); ++block) {
        const int lane = scale_lane(shape, static_cast<int>(row), block);
        const auto hits = [row, block, shape](int64_t r, int64_t b) {
          return r % shape.m == row && b % shape.blocks() == block;
        };
        out.push_back(code_candidate(
            "operand-lane", id,
            fmt::format("lane {} of {}'s operand holds zeros (MFMA {})", lane, name_of(id), shape.name),
            Stage::load, [hits](const CodeAt& inner, const OperandModel&) {
              return [inner, hits](int64_t r, int64_t k) {
                return hits(r, k / kBlock) ? uint8_t{0} : inner(r, k);
              };
            }));
        for (uint8_t byte : {uint8_t{127}, uint8_t{0}}) {
          out.push_back(scale_candidate("operand-lane", id,
                                        fmt::format("lane {} of {}'s scale register holds byte {} (MFMA {})",
                                                    lane, name_of(id), byte, shape.name),
                                        Stage::load, [hits, byte](const ScaleAt& inner, const OperandModel&) {
                                          return [inner, hits, byte](int64_t r, int64_t b) {
                                            return hits(r, b) ? byte : inner(r, b);
                                          };
                                        }));
        }
      }
    }
  }
}

void propose_operand_register(const Clues& clues, std::vector<Candidate>& out) {
  for (OperandId id : known_operands(clues.evidence)) {
    for (int64_t vgpr = 0; vgpr < 4; ++vgpr) {
      out.push_back(code_candidate(
          "operand-register", id,
          fmt::format("register {} of {}'s operand (elements {}..{} of every block) holds zeros", vgpr,
                      name_of(id), 8 * vgpr, 8 * vgpr + 7),
          Stage::load, [vgpr](const CodeAt& inner, const OperandModel&) {
            return [inner, vgpr](int64_t r, int64_t k) {
              return k % kBlock / 8 == vgpr ? uint8_t{0} : inner(r, k);
            };
          }));
      out.push_back(code_candidate(
          "operand-register", id,
          fmt::format("register {} of {}'s operand repeats register {}", vgpr, name_of(id), vgpr ^ 1),
          Stage::load, [vgpr](const CodeAt& inner, const OperandModel&) {
            return
                [inner, vgpr](int64_t r, int64_t k) { return inner(r, k % kBlock / 8 == vgpr ? k ^ 8 : k); };
          }));
    }
  }
}

}  // namespace mxproof::explain
