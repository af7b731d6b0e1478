#include "common/report/table.hpp"

#include <algorithm>
#include <cassert>

namespace mxproof {
namespace {

constexpr std::string_view kGap = "  ";

std::string joined(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (line.empty() ? "" : std::string(kGap)) + cell;
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::string padded(const TableCell& cell, const TableColumn& column, bool colour) {
  const size_t width = display_width(cell.text);
  const std::string space(column.width > width ? column.width - width : 0, ' ');
  const std::string text = coloured(cell.text, cell.colour, colour);
  return column.right ? space + text : text + space;
}

}  // namespace

size_t display_width(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

Table::Table(std::vector<TableColumn> columns, bool colour) : columns_(std::move(columns)), colour_(colour) {
  for (TableColumn& column : columns_) column.width = std::max(column.width, display_width(column.title));
}

std::string Table::head() const {
  std::vector<std::string> titles;
  std::vector<std::string> rules;
  for (const TableColumn& column : columns_) {
    titles.push_back(padded({column.title, Colour::bold}, column, colour_));
    rules.emplace_back(column.width, '-');
  }
  return joined(titles) + joined(rules);
}

std::string Table::row(const std::vector<TableCell>& cells) const {
  assert(cells.size() == columns_.size());
  std::vector<std::string> texts;
  for (size_t i = 0; i < cells.size(); ++i) texts.push_back(padded(cells[i], columns_[i], colour_));
  return joined(texts);
}

}  // namespace mxproof
