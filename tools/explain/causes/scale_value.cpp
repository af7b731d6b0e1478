// The right scale byte, taken for another number.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "tools/explain/causes/helpers.hpp"
#include "tools/explain/causes/propose.hpp"

namespace mxproof::explain {
namespace {

using ScaleTable = std::array<double, 256>;

/// Applies `change` to the scale decoder of A, of B and of both.
template <class Change>
void for_decoders(const Clues& clues, std::string_view cause, const char* what, Change change,
                  std::vector<Candidate>& out) {
  if (!is_product(clues.evidence)) return;
  using Ids = std::vector<OperandId>;
  // One alone first: where only one of them has such bytes, "both" would say too much.
  for (const Ids& ids : {Ids{OperandId::a}, Ids{OperandId::b}, Ids{OperandId::a, OperandId::b}}) {
    const std::string whose = ids.size() == 2 ? "A's and B's" : fmt::format("{}'s", name_of(ids[0]));
    out.push_back({.cause = cause,
                   .text = fmt::format(fmt::runtime(what), whose),
                   .stage = Stage::decode,
                   .apply =
                       [ids, change](ProductModel& model) {
                         for (OperandId id : ids) change(operand(model, id).scale_value);
                         model.product_changed = true;
                       },
                   .changes = ids.size() == 1 ? part_of(ids[0]) : Part::all});
  }
}

}  // namespace

void propose_e8m0_bias(const Clues& clues, std::vector<Candidate>& out) {
  for (int shift : {-1, 1, -2, 2}) {
    const std::string what =
        fmt::format("{{}} scale bytes were decoded with bias {} instead of 127", 127 - shift);
    for_decoders(
        clues, "e8m0-bias", what.c_str(),
        [shift](ScaleTable& table) {
          for (double& value : table) value = std::ldexp(value, shift);
        },
        out);
  }
  // For quantised data a shifted byte is the same mistake on the producer's side.
  if (clues.evidence.subject != Subject::quantised) return;
  for (int shift : {-2, -1, 1, 2}) {
    out.push_back(
        scale_candidate("e8m0-bias", OperandId::a,
                        fmt::format("every scale byte is off by {:+} while the codes are right: values are "
                                    "wrong by a factor {}",
                                    shift, std::ldexp(1.0, shift)),
                        Stage::store, [shift](const ScaleAt& inner, const OperandModel&) {
                          return [inner, shift](int64_t row, int64_t block) {
                            return static_cast<uint8_t>(inner(row, block) + shift);
                          };
                        }));
  }
}

void propose_e8m0_special(const Clues& clues, std::vector<Candidate>& out) {
  for_decoders(
      clues, "e8m0-special", "{} scale byte 0 was taken as zero instead of 2^-127",
      [](ScaleTable& table) { table[0] = 0; }, out);
  for_decoders(
      clues, "e8m0-special", "{} scale byte 255 was taken as 2^128 instead of NaN",
      [](ScaleTable& table) { table[255] = 0x1p128; }, out);
  for_decoders(
      clues, "e8m0-special", "{} scale byte 255 was taken as infinity instead of NaN",
      [](ScaleTable& table) { table[255] = std::numeric_limits<double>::infinity(); }, out);
  for_decoders(
      clues, "e8m0-special", "{} scales went through f16: bytes below 103 become zero, above 142 infinity",
      [](ScaleTable& table) {
        for (size_t byte = 0; byte < 103; ++byte) table[byte] = 0;
        for (size_t byte = 143; byte < 255; ++byte) table[byte] = std::numeric_limits<double>::infinity();
      },
      out);
  for_decoders(
      clues, "e8m0-special",
      "{} scales went through f16 with its subnormals flushed: bytes below 113 become zero",
      [](ScaleTable& table) {
        for (size_t byte = 0; byte < 113; ++byte) table[byte] = 0;
        for (size_t byte = 143; byte < 255; ++byte) table[byte] = std::numeric_limits<double>::infinity();
      },
      out);
  for_decoders(
      clues, "e8m0-special", "{} scale bytes were read as signed numbers",
      [](ScaleTable& table) {
        for (int byte = 128; byte < 255; ++byte)
          table[static_cast<size_t>(byte)] = std::ldexp(1.0, byte - 256 - 127);
      },
      out);
  for_decoders(
      clues, "e8m0-special", "{} scales were applied upside down (divided instead of multiplied)",
      [](ScaleTable& table) {
        for (double& value : table) value = 1 / value;
      },
      out);
}

void propose_scale_ignored(const Clues& clues, std::vector<Candidate>& out) {
  for_decoders(
      clues, "scale-ignored", "{} scales were not applied at all", [](ScaleTable& table) { table.fill(1.0); },
      out);
  for_decoders(
      clues, "scale-ignored", "{} scale bytes are all 0 (2^-127), as in memory that was cleared",
      [](ScaleTable& table) { table.fill(0x1p-127); }, out);
}

}  // namespace mxproof::explain
