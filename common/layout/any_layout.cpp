#include "common/layout/any_layout.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <string>

#include "common/shape.hpp"

namespace mxproof {
namespace {

constexpr std::array<std::string_view, 3> kScaleRowMajorAliases = {"linear", "row_major", "plain"};
constexpr std::array<std::string_view, 4> kScale32x8Aliases = {"e8m0_shuffle", "shuffle_scale", "32_8",
                                                               "cdna4_swizzle"};
constexpr std::array<std::string_view, 4> kScale128x4Aliases = {"to_blocked", "swizzled_128x4", "128x4",
                                                                "blockscaled_swizzle"};
constexpr std::array<std::string_view, 2> kScale32x4Aliases = {"32x4", "gfx1250"};
constexpr std::array<std::string_view, 1> kCodesRowMajorAliases = {"codes_linear"};
constexpr std::array<std::string_view, 3> kCodes16x16Aliases = {"shuffle_weight", "preshuffle", "16x16"};

constexpr std::array<LayoutInfo, 6> kLayouts = {{
    {ScaleRowMajor::kName,
     LayoutKind::scales,
     kScaleRowMajorAliases,
     {1, 1},
     "plain order, one byte a block"},
    {Scale32x8::kName,
     LayoutKind::scales,
     kScale32x8Aliases,
     {32, 8},
     "aiter, composable_kernel, Triton CDNA4, hipBLASLt"},
    {Scale128x4::kName,
     LayoutKind::scales,
     kScale128x4Aliases,
     {128, 4},
     "cuBLASLt, CUTLASS, FlashInfer, torchao"},
    {Scale32x4::kName, LayoutKind::scales, kScale32x4Aliases, {32, 4}, "gfx1250"},
    {CodesRowMajor::kName, LayoutKind::codes, kCodesRowMajorAliases, {1, 1}, "plain order, two codes a byte"},
    {Codes16x16::kName, LayoutKind::codes, kCodes16x16Aliases, {16, 32}, "aiter preshuffled weights"},
}};

bool answers_to(const LayoutInfo& info, std::string_view name) {
  return info.name == name || std::find(info.aliases.begin(), info.aliases.end(), name) != info.aliases.end();
}

template <class L>
bool try_make(std::string_view name, Extent logical, std::optional<AnyLayout>& out) {
  if (name != L::kName) return false;
  if constexpr (requires { L::accepts(logical); }) {
    if (!L::accepts(logical)) return false;
  }
  out.emplace(L(logical));
  return true;
}

/// True when sizes and offsets might not fit into 62 bits, with any layout's padding and counted in elements.
bool is_too_large(Extent logical) {
  constexpr double kMost = 0x1p56;
  constexpr double kPadding = 256;  // of rows; that of columns is less
  return (static_cast<double>(logical.rows) + kPadding) * (static_cast<double>(logical.cols) + kPadding) >
         kMost;
}

/// Tries every alternative of the variant in turn.
template <class... L>
std::optional<AnyLayout> make_by_name(std::string_view name, Extent logical, std::variant<L...>*) {
  std::optional<AnyLayout> out;
  (void)(try_make<L>(name, logical, out) || ...);
  return out;
}

}  // namespace

std::span<const LayoutInfo> all_layouts() {
  return kLayouts;
}

Expected<LayoutInfo> find_layout(std::string_view name) {
  for (const LayoutInfo& info : kLayouts) {
    if (answers_to(info, name)) return info;
  }
  std::string known;
  for (const LayoutInfo& info : kLayouts) known += (known.empty() ? "" : ", ") + std::string(info.name);
  return Status::bad_input("no layout is called '" + std::string(name) + "'; known: " + known);
}

Expected<AnyLayout> AnyLayout::make(std::string_view name, Extent logical) {
  const Expected<LayoutInfo> info = find_layout(name);
  if (!info) return info.status();
  const std::string extent = std::to_string(logical.rows) + " x " + std::to_string(logical.cols) + " bytes";
  if (logical.rows <= 0 || logical.cols <= 0) {
    return Status::bad_input(std::string(info->name) + " needs at least one row and one column, not " +
                             extent);
  }
  if (is_too_large(logical)) {
    return Status::bad_input(std::string(info->name) + " of " + extent + " is larger than any buffer");
  }
  if (std::optional<AnyLayout> layout = make_by_name(info->name, logical, static_cast<Variant*>(nullptr))) {
    return *layout;
  }
  return Status::bad_input(std::string(info->name) + " holds whole tiles of " +
                           std::to_string(info->tile.rows) + " x " + std::to_string(info->tile.cols) +
                           " bytes, which " + extent + " is no multiple of");
}

Expected<std::vector<AnyLayout>> AnyLayout::make_all(std::string_view name, Extent logical) {
  const Expected<AnyLayout> usual = make(name, logical);
  if (!usual) return usual.status();
  std::vector<AnyLayout> all = {*usual};
  if (usual->name() == Scale32x8::kName) {
    const AnyLayout least(Scale32x8(logical, Scale32x8::kTileRows));
    if (least.size() != usual->size()) all.push_back(least);
  }
  return all;
}

std::string_view AnyLayout::name() const {
  return std::visit([](const auto& l) -> std::string_view { return l.kName; }, layout_);
}
const LayoutInfo& AnyLayout::info() const {
  const std::string_view wanted = name();
  return *std::find_if(kLayouts.begin(), kLayouts.end(),
                       [&](const LayoutInfo& i) { return i.name == wanted; });
}
Extent AnyLayout::logical() const {
  return std::visit([](const auto& l) { return l.logical(); }, layout_);
}
Extent AnyLayout::padded() const {
  return std::visit([](const auto& l) { return l.padded(); }, layout_);
}
int64_t AnyLayout::offset(Coord c) const {
  return std::visit([c](const auto& l) { return l.offset(c); }, layout_);
}
Coord AnyLayout::coord(int64_t offset) const {
  return std::visit([offset](const auto& l) { return l.coord(offset); }, layout_);
}

Extent extent_of(LayoutKind kind, int64_t rows, int64_t k) {
  return {rows, kind == LayoutKind::scales ? ceil_div(k, kBlock) : ceil_div(k, 2)};
}

Expected<AnyLayout> of_size(const std::vector<AnyLayout>& paddings, size_t bytes) {
  std::string sizes;
  for (const AnyLayout& layout : paddings) {
    if (static_cast<size_t>(layout.size()) == bytes) return layout;
    sizes += (sizes.empty() ? "" : " or ") + std::to_string(layout.size());
  }
  const AnyLayout& usual = paddings.front();
  const int64_t elements = usual.info().kind == LayoutKind::scales ? kBlock : 2;
  return Status::bad_input(std::to_string(bytes) + " bytes, but " + std::string(usual.name()) + " of " +
                           std::to_string(usual.logical().rows) + " rows and K = " +
                           std::to_string(usual.logical().cols * elements) + " takes " + sizes);
}

std::vector<uint8_t> pack(const AnyLayout& layout, std::span<const uint8_t> plain, uint8_t fill) {
  const Extent logical = layout.logical();
  assert(static_cast<int64_t>(plain.size()) == logical.size());
  std::vector<uint8_t> buffer(static_cast<size_t>(layout.size()), fill);
  for (int64_t r = 0; r < logical.rows; ++r) {
    for (int64_t c = 0; c < logical.cols; ++c) {
      buffer[static_cast<size_t>(layout.offset({r, c}))] = plain[static_cast<size_t>(r * logical.cols + c)];
    }
  }
  return buffer;
}

std::vector<uint8_t> unpack(const AnyLayout& layout, std::span<const uint8_t> buffer) {
  const Extent logical = layout.logical();
  assert(static_cast<int64_t>(buffer.size()) == layout.size());
  std::vector<uint8_t> plain(static_cast<size_t>(logical.size()));
  for (int64_t r = 0; r < logical.rows; ++r) {
    for (int64_t c = 0; c < logical.cols; ++c) {
      plain[static_cast<size_t>(r * logical.cols + c)] = buffer[static_cast<size_t>(layout.offset({r, c}))];
    }
  }
  return plain;
}

}  // namespace mxproof
