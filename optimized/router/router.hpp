// Which route, tile and split a shape gets: a table of tuned rows, and a default rule for every other shape.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/shape.hpp"
#include "common/status.hpp"
#include "optimized/gemm/gemm.hpp"
#include "optimized/plan/route.hpp"

namespace mxproof {

struct Choice {
  Route route = Route::staged;
  TileConfig tile;
  int splits = 1;
  std::string reason;  ///< "tuned: FILE line N" or "default".
};

class Router {
 public:
  /// First line of a table.
  static constexpr std::string_view kHeader = "m,n,k,route,tile_m,tile_n,waves,slices,splits";

  /// Reads a table: a header line `m,n,k,route,tile_m,tile_n,waves,slices,splits`, then rows; `#` starts a
  /// comment. A shape may have a row for each route; the first of them is the one that the shape gets. A row
  /// with an unknown route, a tile that was not compiled, an impossible split, or a shape and route met
  /// before is bad input; the message says which line of `origin`.
  static Expected<Router> parse(std::string_view csv, std::string_view origin);

  /// The table built in for `arch` (data/tuned/ARCH.csv); without one, every shape goes by the default rule.
  static Expected<Router> for_arch(std::string_view arch);

  /// The first row of exactly this shape, or the default: one_kernel for M <= 32 and K <= 1024, fused for
  /// M <= 32, else staged.
  Choice choose(const GemmShape& shape) const;

  /// For a route that has been decided on: its row of exactly this shape, or its default tile.
  Choice choose(const GemmShape& shape, Route route) const;

  struct Row {
    GemmShape shape;
    Choice choice;
  };
  std::span<const Row> rows() const { return rows_; }

 private:
  std::vector<Row> rows_;
};

/// The default rule for a route that has been decided on.
Choice default_choice(Route route, const GemmShape& shape);

/// Ok when `choice` can be carried out for `shape`; else the reason.
Status validate(const Choice& choice, const GemmShape& shape);

}  // namespace mxproof
