#include "tools/layout/command.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <memory>

#include "common/array/byte_source.hpp"
#include "common/array/file.hpp"
#include "tools/array_argument/array_argument.hpp"
#include "tools/layout/picture.hpp"

namespace mxproof {
namespace {

constexpr const char* kFooter =
    "Shapes count elements: --k is K, whatever the layout's bytes hold.\n\n"
    "Exit code: 0, or 2 when a flag or file is wrong.\n\n"
    "Examples:\n"
    "  mxproof layout                                        every layout there is\n"
    "  mxproof layout scale_32x8 --rows 64 --k 512           its first tile as a table\n"
    "  mxproof layout scale_32x8 --rows 64 --k 512 --at 33,160 --byte 582\n"
    "  mxproof layout codes_16x16 --rows 32 --k 128 --html codes.html\n"
    "  mxproof layout mfma --html operands.html              operand maps of both MFMA shapes\n"
    "  mxproof layout scale_row_major --rows 2880 --k 512 --convert s.npy --to scale_32x8 -o shuffled.npy";

struct Flags {
  std::string name;
  int64_t rows = 64;
  int64_t k = 512;
  std::vector<std::string> at;
  std::vector<int64_t> bytes;
  std::string convert;
  std::string to;
  std::string output;
  int fill = 0;
  std::string html;
};

void list_layouts() {
  for (const LayoutInfo& info : all_layouts()) {
    std::string aliases;
    for (std::string_view alias : info.aliases) aliases += (aliases.empty() ? "" : ", ") + std::string(alias);
    fmt::print("{:<16} {:<7} tile {:>3} x {:<3} {}\n{:<16} also known as {}\n", info.name,
               info.kind == LayoutKind::scales ? "scales" : "codes", info.tile.rows, info.tile.cols,
               info.used_by, "", aliases);
  }
}

Expected<std::pair<int64_t, int64_t>> parse_coordinate(const std::string& text) {
  std::pair<int64_t, int64_t> at;
  const char* end = text.data() + text.size();
  const auto row = std::from_chars(text.data(), end, at.first);
  if (row.ec == std::errc() && row.ptr != end && *row.ptr == ',') {
    const auto k = std::from_chars(row.ptr + 1, end, at.second);
    if (k.ec == std::errc() && k.ptr == end) return at;
  }
  return Status::bad_input(fmt::format("'{}' is no coordinate; write ROW,K, such as 33,160", text));
}

Status convert(const Flags& flags, const AnyLayout& usual) {
  if (flags.to.empty() || flags.output.empty()) {
    return Status::bad_input("--convert FILE needs --to LAYOUT and -o FILE");
  }
  const Expected<LayoutInfo> target = find_layout(flags.to);
  if (!target) return bad_flag("--to", target.status());
  if (target->kind != usual.info().kind) {
    return Status::bad_input(
        fmt::format("--to: {} and {} do not hold the same kind of bytes", usual.name(), target->name));
  }
  const Expected<AnyLayout> to = AnyLayout::make(flags.to, usual.logical());
  if (!to) return bad_flag("--to", to.status());
  const Expected<std::vector<uint8_t>> buffer = read_bytes_argument(flags.convert);
  if (!buffer) return buffer.status();
  const Expected<AnyLayout> from =
      of_size(*AnyLayout::make_all(usual.name(), usual.logical()), buffer->size());
  if (!from) return bad_flag(flags.convert, from.status());
  const std::vector<uint8_t> plain = unpack(*from, *buffer);
  const std::vector<uint8_t> packed = pack(*to, plain, static_cast<uint8_t>(flags.fill));
  Array out{Dtype::u8, {to->padded().rows, to->padded().cols}, {}};
  out.bytes.resize(packed.size());
  std::memcpy(out.bytes.data(), packed.data(), packed.size());
  if (Status status = write_array(flags.output, out); !status) return status;
  fmt::print("{}: {} -> {}, {} bytes\n", flags.output, from->name(), to->name(), packed.size());
  return {};
}

/// Flags that nothing would come of.
Status check_together(const Flags& flags, const CLI::App& command) {
  const auto given = [&](const char* flag) { return command.count(flag) > 0; };
  if (flags.name.empty()) {
    for (const char* flag :
         {"--rows", "--k", "--at", "--byte", "--convert", "--to", "--output", "--fill", "--html"})
      if (given(flag))
        return Status::bad_input(
            fmt::format("{} needs a layout: mxproof layout NAME {} ...; the name is missing", flag, flag));
  }
  if (flags.name == "mfma") {
    for (const char* flag : {"--rows", "--k", "--at", "--byte", "--convert", "--to", "--output", "--fill"})
      if (given(flag)) return Status::bad_input(fmt::format("{}: layout mfma takes --html FILE alone", flag));
  }
  for (const char* flag : {"--to", "--output", "--fill"})
    if (given(flag) && !given("--convert"))
      return Status::bad_input(fmt::format("{} needs --convert FILE", flag));
  for (const char* flag : {"--at", "--byte", "--html"})
    if (given(flag) && given("--convert"))
      return Status::bad_input(
          fmt::format("--convert writes a file and {} shows; give one or the other", flag));
  for (const char* flag : {"--at", "--byte"})
    if (given(flag) && given("--html"))
      return Status::bad_input(fmt::format("--html writes a page and {} shows; give one or the other", flag));
  return {};
}

Status show(const Flags& flags, const CLI::App& command) {
  if (Status status = check_together(flags, command); !status) return status;
  if (flags.name.empty()) {
    list_layouts();
    return {};
  }
  if (flags.name == "mfma") {
    if (flags.html.empty()) return Status::bad_input("layout mfma needs --html FILE");
    return write_text(flags.html, layout_page(nullptr));
  }
  const Expected<LayoutInfo> info = find_layout(flags.name);
  if (!info) return info.status();
  if (flags.rows <= 0 || flags.k <= 0 || flags.k % kBlock != 0) {
    return Status::bad_input(
        fmt::format("--rows and --k must be positive and K a multiple of {}, not {} and {}", kBlock,
                    flags.rows, flags.k));
  }
  const Expected<AnyLayout> layout = AnyLayout::make(info->name, extent_of(info->kind, flags.rows, flags.k));
  if (!layout) return layout.status();
  if (!flags.convert.empty()) return convert(flags, *layout);
  if (!flags.html.empty()) return write_text(flags.html, layout_page(&*layout));
  if (flags.at.empty() && flags.bytes.empty()) fmt::print("{}", text_picture(*layout));
  for (const std::string& text : flags.at) {
    const auto at = parse_coordinate(text);
    if (!at) return bad_flag("--at", at.status());
    const int64_t k_end = layout->padded().cols * (info->kind == LayoutKind::scales ? kBlock : 2);
    if (at->first < 0 || at->first >= layout->padded().rows || at->second < 0 || at->second >= k_end) {
      return Status::bad_input(
          fmt::format("--at: {} is outside of {} rows and {} elements (padding included)", text,
                      layout->padded().rows, k_end));
    }
    fmt::print("{}\n", describe_coordinate(*layout, at->first, at->second));
  }
  for (int64_t offset : flags.bytes) {
    if (offset < 0 || offset >= layout->size()) {
      return Status::bad_input(
          fmt::format("--byte: {} is outside of the buffer's {} bytes", offset, layout->size()));
    }
    fmt::print("{}\n", describe_byte(*layout, offset));
  }
  return {};
}

}  // namespace

void add_layout(Program& program) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command =
      program.app.add_subcommand("layout", "Where a layout puts which byte: table, page, conversion");
  command->footer(kFooter);
  command->add_option("NAME", flags->name, "A layout, or 'mfma'; without it all layouts are listed")
      ->type_name("");
  command->add_option("--rows", flags->rows, "Rows")->capture_default_str();
  command->add_option("--k", flags->k, "Elements a row")->capture_default_str();
  command->add_option("--at", flags->at, "ROW,K: say where this element (its scale) lies")
      ->type_name("ROW,K");
  command->add_option("--byte", flags->bytes, "Say what lies at this byte offset");
  command->add_option("--convert", flags->convert, "Array file in layout NAME to convert")->type_name("FILE");
  command->add_option("--to", flags->to, "Layout to convert to")->type_name("LAYOUT");
  command->add_option("-o,--output", flags->output, "File for the converted array")->type_name("FILE");
  command->add_option("--fill", flags->fill, "Byte for padding")
      ->check(CLI::Range(0, 255))
      ->capture_default_str();
  command->add_option("--html", flags->html, "Write a page with linked grids")->type_name("FILE");
  command->callback([&program, flags, command] {
    program.action = [flags, command] {
      const Status status = show(*flags, *command);
      return status ? static_cast<int>(kExitPass) : report_error(status);
    };
  });
}

}  // namespace mxproof
