#include "tools/run/argument.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "common/array/dtype.hpp"
#include "common/array/file.hpp"
#include "emulator/runtime/kernarg.hpp"

namespace mxproof {
namespace {

using emulator::KernelArg;
using emulator::ValueKind;

constexpr std::byte kUnwritten{0xff};  // poison of outputs, NaN in every floating-point type

template <class T>
std::optional<T> parse_whole(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "16x512"
Expected<std::vector<int64_t>> parse_dimensions(std::string_view text) {
  std::vector<int64_t> shape;
  while (true) {
    const size_t cross = std::min(text.find('x'), text.size());
    const auto size = parse_whole<int64_t>(text.substr(0, cross));
    if (!size || *size < 1) return Status::bad_input("the shape is not like 16x512");
    shape.push_back(*size);
    if (cross == text.size()) return shape;
    text.remove_prefix(cross + 1);
  }
}

Expected<BufferArgument> input_buffer(std::string_view file, std::string_view out_file) {
  Expected<Array> array = read_array(std::string(file));
  if (!array) return array.status();
  return BufferArgument{*std::move(array), std::string(out_file)};
}

// TYPE:SHAPE:FILE
Expected<BufferArgument> output_buffer(std::string_view text) {
  const size_t first = text.find(':');
  const size_t second = first == std::string_view::npos ? first : text.find(':', first + 1);
  if (second == std::string_view::npos || second + 1 == text.size()) {
    return Status::bad_input("must be out:TYPE:SHAPE:FILE");
  }
  const std::optional<DtypeName> dtype = find_dtype(text.substr(0, first));
  if (!dtype)
    return Status::bad_input(
        fmt::format("'{}' is no element type; there are {}", text.substr(0, first), dtype_names()));
  auto shape = parse_dimensions(text.substr(first + 1, second - first - 1));
  if (!shape) return shape.status();
  const auto bytes = array_bytes(dtype->dtype, *shape);
  if (!bytes) return bytes.status();
  Array array{dtype->dtype, *std::move(shape),
              std::vector<std::byte>(static_cast<size_t>(*bytes), kUnwritten)};
  return BufferArgument{std::move(array), std::string(text.substr(second + 1))};
}

Expected<std::vector<std::byte>> parse_hex(std::string_view text, size_t size) {
  if (text.size() != 2 * size) {
    return Status::bad_input(fmt::format("{} hex digits for an argument of {} bytes", text.size(), size));
  }
  std::vector<std::byte> bytes;
  for (size_t i = 0; i < text.size(); i += 2) {
    uint8_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + i + 2, value, 16);
    if (error != std::errc() || end != text.data() + i + 2) return Status::bad_input("not all hex digits");
    bytes.push_back(std::byte{value});
  }
  return bytes;
}

Expected<RunArgument> parse_value(const KernelArg& arg, std::string_view text) {
  const std::vector<std::byte> null_pointer(arg.size, std::byte{0});
  const auto buffer = [&](Expected<BufferArgument> made) -> Expected<RunArgument> {
    if (!made) return made.status();
    if (arg.value_kind != ValueKind::global_buffer || arg.size != sizeof(void*)) {
      return Status::bad_input(fmt::format("the kernel takes {} bytes by value there, no buffer", arg.size));
    }
    return RunArgument{null_pointer, *std::move(made)};
  };
  const auto scalar = [](Expected<std::vector<std::byte>> value) -> Expected<RunArgument> {
    if (!value) return value.status();
    return RunArgument{*std::move(value), std::nullopt};
  };
  const size_t colon = text.find(':');
  const std::string_view prefix = colon == std::string_view::npos ? "" : text.substr(0, colon);
  const std::string_view rest = colon == std::string_view::npos ? text : text.substr(colon + 1);
  if (prefix == "in") return buffer(input_buffer(rest, ""));
  if (prefix == "inout") {
    const size_t comma = rest.find(',');
    return buffer(comma == std::string_view::npos
                      ? input_buffer(rest, rest)
                      : input_buffer(rest.substr(0, comma), rest.substr(comma + 1)));
  }
  if (prefix == "out") return buffer(output_buffer(rest));
  if (prefix == "hex") return scalar(parse_hex(rest, arg.size));
  if (arg.value_kind == ValueKind::global_buffer) {
    if (text == "null") return RunArgument{null_pointer, std::nullopt};
    return Status::bad_input("the kernel takes a pointer there: in:, out:, inout: or null");
  }
  return scalar(parse_scalar(rest, prefix, arg.size));
}

// The position that WHICH= means; `next` without it. Takes it off `text`.
Expected<size_t> position_of(std::span<const KernelArg* const> args, std::string_view& text, size_t next) {
  const size_t equals = text.find('=');
  const size_t colon = text.find(':');
  if (equals == std::string_view::npos || colon < equals) return next;  // an '=' in a file's name is no WHICH
  const std::string_view which = text.substr(0, equals);
  text.remove_prefix(equals + 1);
  if (const auto index = parse_whole<size_t>(which)) return *index;
  const auto found =
      std::ranges::find(args, which, [](const KernelArg* arg) { return std::string_view(arg->name); });
  if (found != args.end()) return static_cast<size_t>(found - args.begin());
  const bool has_names = std::ranges::any_of(args, [](const KernelArg* arg) { return !arg->name.empty(); });
  return Status::bad_input(fmt::format("the kernel has no argument named '{}'{}", which,
                                       has_names ? "" : " (its metadata has no names: use positions)"));
}

}  // namespace

Expected<std::vector<RunArgument>> bind_arguments(const emulator::Kernel& kernel,
                                                  std::span<const std::string> values) {
  const std::vector<const KernelArg*> args = emulator::visible_args(kernel);
  std::vector<std::optional<RunArgument>> bound(args.size());
  size_t next = 0;
  for (const std::string& value : values) {
    const auto fail = [&](const Status& why) {
      return Status::bad_input(fmt::format("--arg {}: {}", value, why.message()));
    };
    std::string_view text = value;
    const auto position = position_of(args, text, next);
    if (!position) return fail(position.status());
    if (*position >= args.size()) {
      return fail(Status::bad_input(fmt::format("the kernel takes {} arguments", args.size())));
    }
    if (bound[*position])
      return fail(Status::bad_input(fmt::format("argument {} is given twice", *position)));
    auto parsed = parse_value(*args[*position], text);
    if (!parsed) return fail(parsed.status());
    bound[*position] = *std::move(parsed);
    next = *position + 1;
  }
  std::vector<RunArgument> result;
  for (size_t i = 0; i < bound.size(); ++i) {
    std::optional<RunArgument>& argument = bound[i];
    if (!argument) {
      return Status::bad_input(
          fmt::format("kernel {} takes {} arguments: argument {} ({}, {} bytes) is not given", kernel.name,
                      args.size(), i, args[i]->value_kind_text, args[i]->size));
    }
    result.push_back(*std::move(argument));
  }
  return result;
}

}  // namespace mxproof
