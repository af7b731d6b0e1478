// Layouts taken for one another: of scales, of codes, and rows that are further apart than the reader thinks.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "tools/explain/causes/byte_order.hpp"
#include "tools/explain/causes/helpers.hpp"
#include "tools/explain/causes/propose.hpp"

namespace mxproof::explain {
namespace {

/// True when the reader meets padding (or runs past the buffer) for some cell that holds data.
bool meets_padding(const ByteOrder& written, const ByteOrder& read, Extent logical) {
  constexpr int64_t kLines = 64;
  const int64_t down = std::max<int64_t>(1, logical.rows / kLines);
  const int64_t across = std::max<int64_t>(1, logical.cols / (4 * kLines));
  for (int64_t row = logical.rows - 1; row >= 0; row -= down) {
    for (int64_t col = logical.cols - 1; col >= 0; col -= across) {
      if (!inside(logical, found_at(written, read, {row, col}))) return true;
    }
  }
  return false;
}

/// Layouts are padded with 0x7f as a rule; a scale byte of 0 there would also be nothing like a number.
double bits_of_padding(uint8_t fill) {
  constexpr double kOfNan = 5;
  constexpr double kOfZero = 8;
  return fill == 0x7f ? 2 : fill == 0xff ? kOfNan : kOfZero;
}

using Orders = std::shared_ptr<const std::pair<ByteOrder, ByteOrder>>;

Candidate scale_order_candidate(OperandId id, const Orders& orders, Extent logical, uint8_t fill,
                                bool padded) {
  std::string text = fmt::format("{}'s scales lie in {} and were read as {}", name_of(id), orders->first.name,
                                 orders->second.name);
  if (padded) text += fmt::format(", padding (0x{:02x}) included", fill);
  Candidate c = scale_candidate("scale-layout", id, text, Stage::load,
                                [orders, logical, fill](const ScaleAt& inner, const OperandModel&) {
                                  return [inner, orders, logical, fill](int64_t row, int64_t block) {
                                    const Coord c = found_at(orders->first, orders->second, {row, block});
                                    return inside(logical, c) ? inner(c.row, c.col) : fill;
                                  };
                                });
  if (padded) c.guess_bits = bits_of_padding(fill);
  return c;
}

Candidate code_order_candidate(std::string_view cause, const std::string& text, OperandId id,
                               const Orders& orders, Extent logical) {
  Candidate c = code_candidate(cause, id, text, Stage::load,
                               [orders, logical](const CodeAt& inner, const OperandModel&) {
                                 return [inner, orders, logical](int64_t row, int64_t k) -> uint8_t {
                                   const Coord c = found_at(orders->first, orders->second, {row, k / 2});
                                   return inside(logical, c) ? inner(c.row, 2 * c.col + k % 2) : uint8_t{0};
                                 };
                               });
  if (meets_padding(orders->first, orders->second, logical)) c.guess_bits = kBitsOfZeroPadding;
  return c;
}

/// Strides, in bytes, that producers and consumers really mix up with `tight`.
std::vector<int64_t> mistaken_strides(int64_t tight) {
  std::vector<int64_t> strides;
  for (int64_t multiple : {4, 8, 16, 32, 64, 128, 256}) {
    strides.push_back(round_up(tight, multiple));
    strides.push_back(tight / multiple * multiple);
  }
  for (int64_t more : {1, 2, 4, 8, 16, 32, 64}) {
    strides.push_back(tight + more);
    strides.push_back(tight - more);
  }
  std::sort(strides.begin(), strides.end());
  strides.erase(std::unique(strides.begin(), strides.end()), strides.end());
  std::erase_if(strides, [tight](int64_t s) { return s <= 0 || s == tight; });
  return strides;
}

}  // namespace

void propose_scale_layout(const Clues& clues, std::vector<Candidate>& out) {
  for (OperandId id : known_operands(clues.evidence)) {
    const Mxfp4Matrix& matrix = *known_operand(clues.evidence, id);
    const Extent logical{matrix.rows, matrix.cols / kBlock};
    const std::vector<ByteOrder> all = scale_orders(logical);
    for (const ByteOrder& written : all) {
      for (const ByteOrder& read : all) {
        if (!worth_trying(written, read)) continue;
        const Orders orders = std::make_shared<std::pair<ByteOrder, ByteOrder>>(written, read);
        const size_t first = out.size();
        if (!meets_padding(written, read, logical)) {
          out.push_back(scale_order_candidate(id, orders, logical, 0, false));
        } else {
          for (uint8_t fill : {uint8_t{0x00}, uint8_t{0x7f}, uint8_t{0xff}}) {
            out.push_back(scale_order_candidate(id, orders, logical, fill, true));
          }
        }
        // In pairs only real layouts, and one kind of padding.
        const bool real = written.mistake_of.empty() && read.mistake_of.empty();
        for (size_t i = first; i < out.size(); ++i) out[i].combines = real && i == first;
      }
    }
  }
}

void propose_code_layout(const Clues& clues, std::vector<Candidate>& out) {
  for (OperandId id : known_operands(clues.evidence)) {
    const Mxfp4Matrix& matrix = *known_operand(clues.evidence, id);
    const Extent logical{matrix.rows, matrix.cols / 2};
    const std::vector<ByteOrder> all = code_orders(logical);
    for (const ByteOrder& written : all) {
      for (const ByteOrder& read : all) {
        if (!worth_trying(written, read)) continue;
        out.push_back(code_order_candidate(
            "code-layout",
            fmt::format("{}'s codes lie in {} and were read as {}", name_of(id), written.name, read.name), id,
            std::make_shared<std::pair<ByteOrder, ByteOrder>>(written, read), logical));
        out.back().combines = written.mistake_of.empty() && read.mistake_of.empty();
      }
    }
  }
}

void propose_row_stride(const Clues& clues, std::vector<Candidate>& out) {
  const size_t before = out.size();
  for (OperandId id : known_operands(clues.evidence)) {
    const Mxfp4Matrix& matrix = *known_operand(clues.evidence, id);
    if (matrix.rows < 2) continue;
    const Extent codes{matrix.rows, matrix.cols / 2};
    const Extent scales{matrix.rows, matrix.cols / kBlock};
    const auto tight_and = [](Extent e, int64_t stride, bool stored_tight) {
      ByteOrder tight = strided_order("", e, e.cols);
      ByteOrder loose = strided_order("", e, stride);
      return stored_tight ? std::make_shared<std::pair<ByteOrder, ByteOrder>>(tight, loose)
                          : std::make_shared<std::pair<ByteOrder, ByteOrder>>(loose, tight);
    };
    const auto text = [id](const char* what, int64_t stored, int64_t read) {
      return fmt::format(
          "{}'s rows of {} are {} bytes apart and were read {} bytes apart: the error drifts with the row",
          name_of(id), what, stored, read);
    };
    for (int64_t stride : mistaken_strides(codes.cols)) {
      out.push_back(code_order_candidate("row-stride", text("codes", codes.cols, stride), id,
                                         tight_and(codes, stride, true), codes));
      if (stride > codes.cols) {
        out.push_back(code_order_candidate("row-stride", text("codes", stride, codes.cols), id,
                                           tight_and(codes, stride, false), codes));
      }
    }
    for (int64_t stride : mistaken_strides(scales.cols)) {
      for (bool stored_tight : {true, false}) {
        if (!stored_tight && stride < scales.cols) continue;
        Candidate candidate =
            scale_order_candidate(id, tight_and(scales, stride, stored_tight), scales, 0, false);
        candidate.cause = "row-stride";
        candidate.guess_bits = kBitsOfZeroPadding;
        candidate.text =
            stored_tight ? text("scales", scales.cols, stride) : text("scales", stride, scales.cols);
        out.push_back(std::move(candidate));
      }
    }
  }
  for (size_t i = before; i < out.size(); ++i) out[i].confinable = false;
}

}  // namespace mxproof::explain
