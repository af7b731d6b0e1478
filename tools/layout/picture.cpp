#include "tools/layout/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/shape.hpp"
#include "tools/page/page.hpp"

namespace mxproof {
namespace {

using nlohmann::json;

bool is_scales(const AnyLayout& layout) {
  return layout.info().kind == LayoutKind::scales;
}

/// Elements of one byte along K.
int64_t elements_of(const AnyLayout& layout) {
  return is_scales(layout) ? kBlock : 2;
}

/// A colour for one of `count` things that lie side by side; steps far apart tell neighbours apart.
int hue(int64_t index, int64_t count) {
  return static_cast<int>(index * 360 / std::max<int64_t>(1, count));
}

std::string mfma_place(const AnyLayout& layout, Coord c, const MfmaShape& s) {
  if (is_scales(layout)) {
    return fmt::format("lane {}",
                       scale_lane(s, static_cast<int>(c.row % s.m), static_cast<int>(c.col % s.blocks())));
  }
  const int k = static_cast<int>(2 * c.col % s.k);
  const OperandSlot slot = operand_slot(s, static_cast<int>(c.row % s.m), k);
  return fmt::format("lane {}, register {}, nibbles {} and {}", slot.lane, slot.vgpr, slot.nibble,
                     slot.nibble + 1);
}

std::string elements_text(const AnyLayout& layout, int64_t col) {
  const int64_t n = elements_of(layout);
  if (is_scales(layout)) return fmt::format("{}..{}", col * n, col * n + n - 1);
  return fmt::format("{} (low nibble), {} (high)", 2 * col, 2 * col + 1);
}

/// Field by field what is shown of every left cell.
class Fields {
 public:
  void add(const std::string& name, std::string value) {
    for (auto& [known, values] : fields_) {
      if (known == name) return values.push_back(std::move(value));
    }
    fields_.emplace_back(name, std::vector<std::string>{std::move(value)});
  }
  json to_json() const {
    json out = json::array();
    for (const auto& [name, values] : fields_) out.push_back({name, values});
    return out;
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> fields_;
};

json grid(const std::string& title, int64_t rows, int64_t cols, const std::string& row,
          const std::string& col) {
  return {{"title", title}, {"rows", rows}, {"cols", cols}, {"row", row}, {"col", col}};
}

std::string section(const std::string& id, const std::string& title, const std::string& note) {
  return fmt::format(
      "<section><h2 id=\"{0}\">{1}</h2>\n<p class=\"muted\">{2}</p>\n"
      "<div class=\"linked-grids\" data-id=\"{0}\"></div></section>\n",
      id, page::escaped(title), page::escaped(note));
}

}  // namespace

std::string text_picture(const AnyLayout& layout) {
  constexpr int64_t kMostRows = 34;
  constexpr int64_t kMostCols = 16;
  const Extent padded = layout.padded();
  const int64_t rows = std::min(padded.rows, kMostRows);
  const int64_t cols = std::min(padded.cols, kMostCols);
  const char* unit = is_scales(layout) ? "block" : "byte";
  std::string text =
      fmt::format("{}: {} x {} {}s, in memory {} x {} = {} bytes\n", layout.name(), layout.logical().rows,
                  layout.logical().cols, unit, padded.rows, padded.cols, layout.size());
  text += fmt::format("byte offset of (row, {}); padding in brackets\n\n{:>9}", unit, "");
  for (int64_t c = 0; c < cols; ++c)
    text += fmt::format("{:>8}", fmt::format("{} {}", is_scales(layout) ? "b" : "kb", c));
  text += cols < padded.cols ? "  ...\n" : "\n";
  for (int64_t r = 0; r < rows; ++r) {
    text += fmt::format("row {:>5}", r);
    for (int64_t c = 0; c < cols; ++c) {
      const int64_t offset = layout.offset({r, c});
      text += fmt::format(
          "{:>8}", layout.is_padding({r, c}) ? fmt::format("[{}]", offset) : fmt::format("{}", offset));
    }
    text += cols < padded.cols ? "  ...\n" : "\n";
  }
  if (rows < padded.rows) text += fmt::format("... {} rows more\n", padded.rows - rows);
  return text;
}

std::string describe_coordinate(const AnyLayout& layout, int64_t row, int64_t k) {
  const Coord c{row, k / elements_of(layout)};
  const int64_t offset = layout.offset(c);
  std::string text = fmt::format("({}, k={}) -> byte {} (0x{:x})", row, k, offset, offset);
  if (is_scales(layout)) {
    text += fmt::format(", dword {} byte {}", offset / 4, offset % 4);
  } else {
    text += k % 2 == 0 ? ", low nibble" : ", high nibble";
  }
  for (const MfmaShape& s : kMfmaShapes) {
    text += fmt::format("; {}: ", s.name);
    if (is_scales(layout)) {
      text += mfma_place(layout, c, s);
    } else {
      const OperandSlot slot = operand_slot(s, static_cast<int>(row % s.m), static_cast<int>(k % s.k));
      text += fmt::format("lane {} register {} nibble {}", slot.lane, slot.vgpr, slot.nibble);
    }
  }
  return text + (layout.is_padding(c) ? " [padding]" : "");
}

std::string describe_byte(const AnyLayout& layout, int64_t offset) {
  const Coord c = layout.coord(offset);
  if (layout.is_padding(c))
    return fmt::format("byte {} -> padding (row {}, column {})", offset, c.row, c.col);
  return fmt::format("byte {} -> row {}, elements {}", offset, c.row, elements_text(layout, c.col));
}

json layout_grids(const AnyLayout& layout) {
  const bool scales = is_scales(layout);
  const Extent padded = layout.padded();
  const Extent tile = layout.info().tile;
  // A tile or two: more cannot be taken in at a glance.
  const int64_t rows = std::min(padded.rows, std::max<int64_t>(tile.rows, 32));
  const int64_t cols = std::min(padded.cols, std::max<int64_t>(tile.cols, scales ? 8 : 32));
  constexpr int64_t kLine = 16;
  constexpr int64_t kMostBytes = 4096;
  int64_t bytes = 0;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < cols; ++c) bytes = std::max(bytes, layout.offset({r, c}) + 1);
  }
  const int64_t lines = ceil_div(std::min(bytes, kMostBytes), kLine);
  json map = json::array();
  json hues = json::array();
  json labels = json::array();
  json back = std::vector<std::string>(static_cast<size_t>(lines * kLine));
  Fields fields;
  const MfmaShape& s = kMfma16x16x128;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < cols; ++c) {
      const Coord at{r, c};
      const int64_t offset = layout.offset(at);
      const bool shown = offset < lines * kLine;
      map.push_back(shown ? offset : -1);
      const int lane = scales
                           ? scale_lane(s, static_cast<int>(r % s.m), static_cast<int>(c % s.blocks()))
                           : operand_slot(s, static_cast<int>(r % s.m), static_cast<int>(2 * c % s.k)).lane;
      hues.push_back(layout.is_padding(at) ? -1 : hue(lane, kWaveLanes));
      labels.push_back(offset);
      if (shown) back[static_cast<size_t>(offset)] = fmt::format("{},{}", r, c);
      fields.add("row", fmt::format("{}", r));
      fields.add(scales ? "block" : "byte of the row", fmt::format("{}", c));
      fields.add("elements k", elements_text(layout, c));
      fields.add("byte in memory", fmt::format("{} (0x{:x})", offset, offset));
      fields.add("dword, byte", fmt::format("{}, {}", offset / 4, offset % 4));
      for (const MfmaShape& shape : kMfmaShapes)
        fields.add(std::string(shape.name), mfma_place(layout, at, shape));
      fields.add("holds", layout.is_padding(at) ? "padding" : "data");
    }
  }
  return {
      {"left", grid(scales ? "Logical: rows by blocks of 32 elements" : "Logical: rows by bytes of two codes",
                    rows, cols, "row", scales ? "block" : "byte")},
      {"right", grid("Memory: 16 bytes a line", lines, kLine, "line", "byte")},
      {"map", map},
      {"hue", hues},
      {"label", labels},
      {"back", back},
      {"fields", fields.to_json()}};
}

json operand_grids(const MfmaShape& s) {
  json map = json::array();
  json hues = json::array();
  json labels = json::array();
  constexpr int kNibbles = 32;  // four registers of eight
  json back = std::vector<std::string>(kWaveLanes * kNibbles);
  Fields fields;
  for (int row = 0; row < s.m; ++row) {
    for (int k = 0; k < s.k; ++k) {
      const OperandSlot slot = operand_slot(s, row, k);
      const int at = slot.lane * kNibbles + slot.vgpr * 8 + slot.nibble;
      map.push_back(at);
      hues.push_back(hue(slot.lane, kWaveLanes));
      labels.push_back(slot.lane);
      back[static_cast<size_t>(at)] = fmt::format("{},{}", row, k);
      fields.add("row of A (column of B)", fmt::format("{}", row));
      fields.add("k", fmt::format("{}", k));
      fields.add("lane", fmt::format("{}", slot.lane));
      fields.add("register", fmt::format("{}", slot.vgpr));
      fields.add("nibble",
                 fmt::format("{} (bits {}..{})", slot.nibble, 4 * slot.nibble, 4 * slot.nibble + 3));
      fields.add("scale from lane", fmt::format("{}", scale_lane(s, row, k / 32)));
    }
  }
  return {
      {"left", grid("Operand A[i][k] or B[k][j]; the number is the lane", s.m, s.k, "row", "k")},
      {"right", grid("Wave: 64 lanes by 4 registers of 8 nibbles", kWaveLanes, kNibbles, "lane", "nibble")},
      {"map", map},
      {"hue", hues},
      {"label", labels},
      {"back", back},
      {"fields", fields.to_json()}};
}

json scale_grids(const MfmaShape& s) {
  json map = json::array();
  json hues = json::array();
  json labels = json::array();
  json back = std::vector<std::string>(kWaveLanes);
  Fields fields;
  for (int row = 0; row < s.m; ++row) {
    for (int block = 0; block < s.blocks(); ++block) {
      const int lane = scale_lane(s, row, block);
      map.push_back(lane);
      hues.push_back(hue(lane, kWaveLanes));
      labels.push_back(lane);
      back[static_cast<size_t>(lane)] = fmt::format("{},{}", row, block);
      fields.add("row of A (column of B)", fmt::format("{}", row));
      fields.add("block", fmt::format("{} (k {}..{})", block, 32 * block, 32 * block + 31));
      fields.add("lane", fmt::format("{}", lane));
      fields.add("byte of the register", "the one that op_sel picks for the whole wave");
    }
  }
  return {{"left", grid("Block scales; the number is the lane", s.m, s.blocks(), "row", "block")},
          {"right", grid("Wave: 64 lanes, 16 a line", kWaveLanes / 16, 16, "line", "lane")},
          {"map", map},
          {"hue", hues},
          {"label", labels},
          {"back", back},
          {"fields", fields.to_json()}};
}

json result_grids(const MfmaShape& s) {
  json map = json::array();
  json hues = json::array();
  json labels = json::array();
  const int registers = s.result_registers();
  json back = std::vector<std::string>(static_cast<size_t>(kWaveLanes * registers));
  Fields fields;
  for (int row = 0; row < s.m; ++row) {
    for (int col = 0; col < s.n; ++col) {
      const ResultSlot slot = result_slot(s, row, col);
      const int at = slot.lane * registers + slot.vgpr;
      map.push_back(at);
      hues.push_back(hue(slot.lane, kWaveLanes));
      labels.push_back(slot.lane);
      back[static_cast<size_t>(at)] = fmt::format("{},{}", row, col);
      fields.add("row", fmt::format("{}", row));
      fields.add("column", fmt::format("{}", col));
      fields.add("lane", fmt::format("{}", slot.lane));
      fields.add("register", fmt::format("{}", slot.vgpr));
    }
  }
  return {{"left", grid("Result D[i][j]; the number is the lane", s.m, s.n, "row", "column")},
          {"right", grid("Wave: 64 lanes by result registers", kWaveLanes, registers, "lane", "register")},
          {"map", map},
          {"hue", hues},
          {"label", labels},
          {"back", back},
          {"fields", fields.to_json()}};
}

std::string layout_page(const AnyLayout* layout) {
  json data = json::object();
  std::string links;
  std::string body;
  const auto add = [&](const std::string& id, const std::string& title, const std::string& note, json grids) {
    links += fmt::format("<li><a href=\"#{}\">{}</a></li>", id, page::escaped(title));
    body += section(id, title, note);
    data[id] = std::move(grids);
  };
  std::string title = "FP4 operands of the gfx950 matrix core";
  if (layout != nullptr) {
    title = fmt::format("Layout {}", layout->name());
    add("layout",
        fmt::format("{} of {} x {}", layout->name(), layout->logical().rows, layout->logical().cols),
        fmt::format("Used by {}. The tile repeats every {} rows and {} columns; in memory {} x {} = {} "
                    "bytes. Colours are "
                    "lanes of a 16x16x128 MFMA; grey is padding. Move over a cell, or focus a grid and use "
                    "the arrow keys.",
                    layout->info().used_by, layout->info().tile.rows, layout->info().tile.cols,
                    layout->padded().rows, layout->padded().cols, layout->size()),
        layout_grids(*layout));
  }
  for (const MfmaShape& s : kMfmaShapes) {
    const std::string name(s.name);
    add("operand-" + name, "MFMA " + name + ": FP4 operand",
        "Both operands lie alike: four registers a lane, eight codes a register, low nibble first.",
        operand_grids(s));
    add("scale-" + name, "MFMA " + name + ": block scales",
        "The lane picks row and block; op_sel picks the byte of the register for the whole wave.",
        scale_grids(s));
    add("result-" + name, "MFMA " + name + ": result",
        "f32 results, four consecutive rows in four consecutive registers.", result_grids(s));
  }
  return page::make(title, "<nav aria-label=\"Sections\"><ul>" + links + "</ul></nav>\n" + body,
                    page::Script::linked_grids, data);
}

}  // namespace mxproof
