// A table whose rows are printed as they come: the widths are settled before the first one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/report/terminal.hpp"

namespace mxproof {

struct TableColumn {
  std::string title;
  size_t width = 0;    ///< Of the widest cell to expect; the title counts too. A wider cell pushes its row.
  bool right = false;  ///< Numbers stand to the right.
};

struct TableCell {
  std::string text;
  Colour colour = Colour::none;
};

class Table {
 public:
  Table(std::vector<TableColumn> columns, bool colour);

  /// The titles and a rule below them; each line ends with '\n'.
  std::string head() const;
  /// One row, as many cells as there are columns.
  std::string row(const std::vector<TableCell>& cells) const;

 private:
  std::vector<TableColumn> columns_;
  bool colour_;
};

/// Characters that `text` takes in a terminal, counting UTF-8 code points (no wide or combining ones).
size_t display_width(std::string_view text);

}  // namespace mxproof
