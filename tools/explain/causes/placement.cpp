// The right numbers, stored in the wrong place by a fixed rule.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/layout/mfma_operands.hpp"
#include "tools/explain/causes/helpers.hpp"
#include "tools/explain/causes/propose.hpp"

namespace mxproof::explain {
namespace {

using SourceAt = std::function<Source(int64_t row, int64_t col)>;

/// Moves cells within whole tiles: the cell at (r, c) of a tile shows what belongs at `from(r, c)`. Tiles
/// that stick out of the matrix are left alone.
Candidate tile_candidate(const Evidence& e, std::string_view cause, const std::string& text,
                         int64_t tile_rows, int64_t tile_cols,
                         const std::function<Coord(int64_t, int64_t)>& from) {
  const Extent cells = e.cells();
  return place_candidate(cause, text, [=](const SourceAt& inner) {
    return [=](int64_t row, int64_t col) {
      const Coord base{row / tile_rows * tile_rows, col / tile_cols * tile_cols};
      if (base.row + tile_rows > cells.rows || base.col + tile_cols > cells.cols) return inner(row, col);
      const Coord source = from(row - base.row, col - base.col);
      return inner(base.row + source.row, base.col + source.col);
    };
  });
}

/// Result registers of an MFMA stored as if they lay otherwise.
struct MapMistake {
  const char* text;
  MfmaShape shape;
  ResultCoord (*stored_at)(const MfmaShape& shape, ResultSlot slot);
};

constexpr MapMistake kMapMistakes[] = {
    {"the 16x16x128 result was stored with rows and columns exchanged (lane taken as row)", kMfma16x16x128,
     [](const MfmaShape& s, ResultSlot slot) {
       const ResultCoord right = result_coord(s, slot);
       return ResultCoord{right.col, right.row};
     }},
    {"the 32x32x64 result was stored with rows and columns exchanged (lane taken as row)", kMfma32x32x64,
     [](const MfmaShape& s, ResultSlot slot) {
       const ResultCoord right = result_coord(s, slot);
       return ResultCoord{right.col, right.row};
     }},
    {"the 16x16x128 result was stored with register and lane group exchanged (row = 4*register + lane/16)",
     kMfma16x16x128,
     [](const MfmaShape&, ResultSlot slot) {
       return ResultCoord{4 * slot.vgpr + slot.lane / 16, slot.lane % 16};
     }},
    {"the 32x32x64 result was stored as 16 rows a half wave (row = 16*(lane/32) + register)", kMfma32x32x64,
     [](const MfmaShape&, ResultSlot slot) {
       return ResultCoord{16 * (slot.lane / 32) + slot.vgpr, slot.lane % 32};
     }},
    {"the 32x32x64 result was stored with lane half fastest (row = 2*register + lane/32)", kMfma32x32x64,
     [](const MfmaShape&, ResultSlot slot) {
       return ResultCoord{2 * slot.vgpr + slot.lane / 32, slot.lane % 32};
     }},
};

}  // namespace

void propose_transposed(const Clues& clues, std::vector<Candidate>& out) {
  if (clues.evidence.subject != Subject::output) return;
  const Extent cells = clues.evidence.cells();
  if (cells.rows == 1 || cells.cols == 1) return;
  out.push_back(place_candidate(
      "transposed",
      fmt::format("the output is stored transposed, as [N, M] = [{}, {}]", cells.cols, cells.rows),
      [cells](const SourceAt& inner) {
        return [inner, cells](int64_t row, int64_t col) {
          const int64_t offset = row * cells.cols + col;
          return inner(offset % cells.rows, offset / cells.rows);
        };
      }));
}

void propose_output_stride(const Clues& clues, std::vector<Candidate>& out) {
  if (clues.evidence.subject != Subject::output) return;
  const Extent cells = clues.evidence.cells();
  if (cells.rows < 2) return;
  std::set<int64_t> strides;
  for (int64_t multiple : {4, 8, 16, 32, 64, 128, 256}) {
    strides.insert(round_up(cells.cols, multiple));
    strides.insert(cells.cols / multiple * multiple);
  }
  for (int64_t more : {1, 2, 4, 8, 16, 32}) {
    strides.insert(cells.cols + more);
    strides.insert(cells.cols - more);
  }
  for (int64_t times : {2, 4}) strides.insert(cells.cols * times);  // of interleaved outputs, or bytes
  strides.insert(cells.rows);
  const std::vector<Bf16> fills = fills_seen(clues);
  for (int64_t stride : strides) {
    if (stride <= 0 || stride == cells.cols) continue;
    for (Bf16 fill : fills) {
      out.push_back(place_candidate(
          "output-stride",
          fmt::format(
              "output rows were stored {} elements apart instead of {}: the error drifts with the row",
              stride, cells.cols),
          [cells, stride, fill](const SourceAt& inner) {
            return [=](int64_t row, int64_t col) {
              // The row that was written here last.
              const int64_t offset = row * cells.cols + col;
              const int64_t from = std::min(offset / stride, cells.rows - 1);
              const int64_t at = offset - from * stride;
              if (at < cells.cols) return inner(from, at);
              return Source{.at = {row, col}, .is_constant = true, .constant = fill};
            };
          }));
      out.back().confinable = false;
    }
  }
}

void propose_result_map(const Clues& clues, std::vector<Candidate>& out) {
  if (clues.evidence.subject != Subject::output) return;
  for (const MapMistake& mistake : kMapMistakes) {
    // from[row][col] of a tile: which result was stored there.
    const MfmaShape s = mistake.shape;
    std::vector<Coord> from(static_cast<size_t>(s.m * s.n));
    for (int lane = 0; lane < kWaveLanes; ++lane) {
      for (int vgpr = 0; vgpr < s.result_registers(); ++vgpr) {
        const ResultCoord holds = result_coord(s, {lane, vgpr});
        const ResultCoord stored = mistake.stored_at(s, {lane, vgpr});
        from[static_cast<size_t>(int64_t{stored.row} * s.n + stored.col)] = {holds.row, holds.col};
      }
    }
    out.push_back(tile_candidate(
        clues.evidence, "result-map", mistake.text, s.m, s.n,
        [from, n = s.n](int64_t row, int64_t col) { return from[static_cast<size_t>(row * n + col)]; }));
  }
  for (int64_t tile : {4, 64, 128}) {
    out.push_back(
        tile_candidate(clues.evidence, "result-map",
                       fmt::format("every {}x{} tile of the output is transposed in itself", tile, tile),
                       tile, tile, [](int64_t row, int64_t col) { return Coord{col, row}; }));
  }
}

}  // namespace mxproof::explain
