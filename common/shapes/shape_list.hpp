// Lists of shapes: the named sets of data/shapes, and what a user writes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/shape.hpp"
#include "common/status.hpp"

namespace mxproof {

/// A set that is built into the program from data/shapes/NAME.csv.
struct NamedShapes {
  std::string_view name;
  std::string_view csv;
};
std::span<const NamedShapes> named_shape_sets();

/// "32x2880x512"
std::string to_string(const GemmShape& shape);

/// Reads "MxNxK", three positive integers. Each dimension is below 2^31 and no operand has more than 2^40
/// elements.
Expected<GemmShape> parse_shape(std::string_view text);

/// Reads the text of a shape file: a CSV whose header line names m, n and k (other columns are skipped), or
/// one MxNxK a line. Blank lines and what follows '#' are skipped. At least one shape. `name` begins every
/// message.
Expected<std::vector<GemmShape>> parse_shape_file(std::string_view text, const std::string& name);

/// Reads what --shapes takes: a comma-separated list in which each item is MxNxK, a named set, or a file.
Expected<std::vector<GemmShape>> parse_shapes(std::string_view text);

/// The ten shapes of a plain run: `benchmark`, then `correctness`.
std::vector<GemmShape> default_shapes();

}  // namespace mxproof
