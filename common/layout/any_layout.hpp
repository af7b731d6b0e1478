// AnyLayout: a layout chosen by name at run time, for files, reports and tools. Kernels and the reference
// name the layout's own type instead.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "common/layout/codes_16x16.hpp"
#include "common/layout/extent.hpp"
#include "common/layout/row_major.hpp"
#include "common/layout/scale_128x4.hpp"
#include "common/layout/scale_32x4.hpp"
#include "common/layout/scale_32x8.hpp"
#include "common/status.hpp"

namespace mxproof {

/// What a layout's bytes are: two codes each (a column is two elements) or one block scale each (32
/// elements).
enum class LayoutKind { scales, codes };

/// One line of the registry.
struct LayoutInfo {
  std::string_view name;
  LayoutKind kind;
  std::span<const std::string_view> aliases;  ///< Names the same order goes by elsewhere.
  Extent tile;                                ///< Rows and byte columns after which the pattern repeats.
  std::string_view used_by;
};

class AnyLayout {
 public:
  using Variant = std::variant<ScaleRowMajor, Scale32x8, Scale128x4, Scale32x4, CodesRowMajor, Codes16x16>;

  template <ByteLayout L>
  AnyLayout(L layout) : layout_(std::move(layout)) {}  // NOLINT(google-explicit-constructor): a sum type

  /// A layout by name or alias for `logical` rows and byte columns. Unknown names, empty extents, extents
  /// that the layout does not accept and buffers larger than any memory are bad input.
  static Expected<AnyLayout> make(std::string_view name, Extent logical);

  /// The layout under every padding that public producers and kernels use, the usual one first: scale_32x8
  /// pads rows to 256 or to the tile's 32. Only paddings that give buffers of different sizes are listed.
  static Expected<std::vector<AnyLayout>> make_all(std::string_view name, Extent logical);

  std::string_view name() const;
  const LayoutInfo& info() const;
  Extent logical() const;
  Extent padded() const;
  int64_t size() const { return padded().size(); }  ///< Bytes of the whole buffer, padding included.
  int64_t offset(Coord c) const;
  Coord coord(int64_t offset) const;
  bool is_padding(Coord c) const { return c.row >= logical().rows || c.col >= logical().cols; }

 private:
  Variant layout_;
};

/// The one of a layout's paddings that has buffers of this size; bad input that says the right sizes.
Expected<AnyLayout> of_size(const std::vector<AnyLayout>& paddings, size_t bytes);

/// Every layout there is, scales first.
std::span<const LayoutInfo> all_layouts();

/// The registry's line for a name or alias; bad input that lists the names when there is none.
Expected<LayoutInfo> find_layout(std::string_view name);

/// Logical extent in bytes of a [rows, k] matrix of elements under this kind of layout; k counts elements.
Extent extent_of(LayoutKind kind, int64_t rows, int64_t k);

/// A buffer in `layout` from bytes in plain order (logical().size() of them); padding gets `fill`.
std::vector<uint8_t> pack(const AnyLayout& layout, std::span<const uint8_t> plain, uint8_t fill);

/// The logical bytes, in plain order, of a buffer of layout.size() bytes.
std::vector<uint8_t> unpack(const AnyLayout& layout, std::span<const uint8_t> buffer);

}  // namespace mxproof
