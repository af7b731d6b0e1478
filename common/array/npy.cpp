#include "common/array/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cstring>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace mxproof {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr uint64_t kMaxHeader = 1 << 16;  // NumPy itself reads no more than 10,000 bytes of it unasked

// The beginning of a text from a file, fit for a message.
std::string printable(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, 32)) result += c >= ' ' && c <= '~' ? c : '?';
  return result;
}

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<int64_t> shape;
};

// Reads the dict literal. Every reader leaves `rest` after what it took; `error` is set once and then sticks.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text), rest_(text) {}

  Expected<Header> parse() {
    Header header;
    std::set<std::string> seen;
    expect('{');
    while (error_.empty() && !take('}')) {
      const std::string key = string();
      expect(':');
      if (error_.empty() && !seen.insert(key).second) fail(fmt::format("'{}' twice", printable(key)));
      if (!error_.empty()) break;
      if (key == "descr")
        header.descr = descr();
      else if (key == "fortran_order")
        header.fortran_order = boolean();
      else if (key == "shape")
        header.shape = shape();
      else
        fail(fmt::format("unknown key '{}'", printable(key)));
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (error_.empty() && !rest_.empty()) fail("something after the closing brace");
    for (const char* key : {"descr", "fortran_order", "shape"})
      if (error_.empty() && !seen.contains(key)) fail(fmt::format("no '{}'", key));
    if (!error_.empty()) return Status::bad_input("npy header: " + error_);
    return header;
  }

 private:
  void fail(const std::string& what) {
    if (error_.empty())
      error_ = fmt::format("{} at byte {} of the header", what, text_.size() - rest_.size());
  }
  void skip_space() {
    while (!rest_.empty() && std::strchr(" \t\r\n", rest_.front()) != nullptr && rest_.front() != '\0')
      rest_.remove_prefix(1);
  }
  bool take(char wanted) {
    skip_space();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char wanted) {
    if (error_.empty() && !take(wanted)) fail(fmt::format("expected '{}'", wanted));
  }
  bool take_word(std::string_view word) {
    skip_space();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::string string() {
    skip_space();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    if (quote != '\'' && quote != '"') return fail("expected a quoted string"), "";
    const size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) return fail("a string without an end"), "";
    std::string value(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return value;
  }
  std::string descr() {
    skip_space();
    if (!rest_.empty() && rest_.front() == '[') return fail("a structured array; save a plain one"), "";
    return string();
  }
  bool boolean() {
    if (take_word("True")) return true;
    if (!take_word("False")) fail("expected True or False");
    return false;
  }
  std::vector<int64_t> shape() {
    std::vector<int64_t> extents;
    expect('(');
    while (error_.empty() && !take(')')) {
      skip_space();
      int64_t extent = 0;
      const auto [end, code] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
      if (code != std::errc() || extent < 0) {
        fail("expected a dimension (a non-negative integer below 2^63)");
        break;
      }
      rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
      (void)take('L');  // Python 2 wrote long integers so
      extents.push_back(extent);
      if (extents.size() > kMaxDimensions) fail(fmt::format("more than {} dimensions", kMaxDimensions));
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return extents;
  }

  std::string_view text_;
  std::string_view rest_;
  std::string error_;
};

// Byte order, kind, and bytes an element; "V2" is how bf16 is saved.
constexpr std::array<std::pair<std::string_view, Dtype>, 12> kDescrs = {{{"<f4", Dtype::f32},
                                                                         {"<f2", Dtype::f16},
                                                                         {"<V2", Dtype::bf16},
                                                                         {"|u1", Dtype::u8},
                                                                         {"|i1", Dtype::i8},
                                                                         {"<u2", Dtype::u16},
                                                                         {"<i2", Dtype::i16},
                                                                         {"<u4", Dtype::u32},
                                                                         {"<i4", Dtype::i32},
                                                                         {"<u8", Dtype::u64},
                                                                         {"<i8", Dtype::i64},
                                                                         {"<f8", Dtype::f64}}};

Expected<DtypeName> dtype_of_descr(const std::string& descr) {
  const bool has_order = !descr.empty() && std::strchr("<>=|", descr.front()) != nullptr;
  const std::string_view code = std::string_view(descr).substr(has_order ? 1 : 0);
  for (const auto& [known, dtype] : kDescrs) {
    if (code != known.substr(1)) continue;
    if (descr.front() == '>' && dtype_bits(dtype) > 8)
      return Status::bad_input(fmt::format("dtype '{}' is big-endian; save little-endian data", descr));
    return DtypeName{dtype};
  }
  if (!has_order)
    if (const std::optional<DtypeName> named = find_dtype(descr)) return *named;
  if (code == "V1")
    return Status::bad_input(
        "dtype 'V1' is one opaque byte: e8m0, FP4 or FP8; save codes and scales as uint8");
  return Status::bad_input(fmt::format(
      "dtype '{}' is not read; f2 to f8, i1 to i8, u1 to u8 and V2 (bf16) are", printable(descr)));
}

// Moves elements from Fortran (first index fastest) to C order.
std::vector<std::byte> to_c_order(std::span<const std::byte> data, const std::vector<int64_t>& shape,
                                  size_t width) {
  std::vector<std::byte> result(data.size());
  std::vector<int64_t> index(shape.size(), 0);
  std::vector<size_t> stride(shape.size(), 0);
  for (size_t axis = 0, step = width; axis < shape.size(); step *= static_cast<size_t>(shape[axis++]))
    stride[axis] = step;
  size_t from = 0;
  for (size_t to = 0; to < data.size(); to += width) {
    std::memcpy(result.data() + to, data.data() + from, width);
    for (size_t axis = shape.size(); axis-- > 0;) {
      from += stride[axis];
      if (++index[axis] < shape[axis]) break;
      from -= stride[axis] * static_cast<size_t>(shape[axis]);
      index[axis] = 0;
    }
  }
  return result;
}

struct Preamble {
  uint64_t header_offset;
  uint64_t header_size;
};

Expected<Preamble> read_preamble(const ByteSource& source) {
  std::array<uint8_t, 12> start{};
  const size_t have = static_cast<size_t>(std::min<uint64_t>(source.size(), start.size()));
  if (Status status = source.read(0, std::as_writable_bytes(std::span(start)).subspan(0, have)); !status)
    return status;
  if (have < 6 || std::memcmp(start.data(), kMagic.data(), kMagic.size()) != 0)
    return Status::bad_input("not a .npy file: it does not begin with \\x93NUMPY");
  const bool wide = start[6] != 1;
  if (have < 10 || (wide && have < 12)) return Status::bad_input("the file ends inside the npy preamble");
  if (start[6] < 1 || start[6] > 3)
    return Status::bad_input(fmt::format("npy version {}.{}; versions 1 to 3 are read", start[6], start[7]));

  const uint64_t low = start[8] | start[9] << 8;
  const Preamble preamble{wide ? 12u : 10u,
                          wide ? low | uint64_t{start[10]} << 16 | uint64_t{start[11]} << 24 : low};
  if (preamble.header_size > kMaxHeader)
    return Status::bad_input(
        fmt::format("npy header of {} bytes; at most {} are read", preamble.header_size, kMaxHeader));
  if (preamble.header_offset + preamble.header_size > source.size())
    return Status::bad_input(fmt::format("the file ends inside the npy header ({} of {} bytes)",
                                         source.size() - preamble.header_offset, preamble.header_size));
  return preamble;
}

std::string_view npy_descr(Dtype dtype) {
  const bool is_packed = dtype == Dtype::e8m0 || dtype == Dtype::e2m1;
  const auto known =
      std::ranges::find(kDescrs, is_packed ? Dtype::u8 : dtype, &std::pair<std::string_view, Dtype>::second);
  assert(known != kDescrs.end());
  return known->first;
}

}  // namespace

Expected<Array> read_npy(const ByteSource& source) {
  const Expected<Preamble> preamble = read_preamble(source);
  if (!preamble) return preamble.status();
  std::string text(preamble->header_size, '\0');
  if (Status status = source.read(preamble->header_offset, std::as_writable_bytes(std::span(text))); !status)
    return status;
  const Expected<Header> header = HeaderParser(text).parse();
  if (!header) return header.status();
  const Expected<DtypeName> named = dtype_of_descr(header->descr);
  if (!named) return named.status();

  Array array{named->dtype, header->shape, {}};
  if (named->pair) {
    if (array.shape.empty() || __builtin_mul_overflow(array.shape.back(), int64_t{2}, &array.shape.back()))
      return Status::bad_input("a paired FP4 type needs a last dimension to double");
  }
  const Expected<int64_t> bytes = array_bytes(array.dtype, array.shape);
  if (!bytes) return bytes.status();
  const uint64_t data_offset = preamble->header_offset + preamble->header_size;
  const uint64_t present = source.size() - data_offset;
  if (static_cast<uint64_t>(*bytes) != present)
    return Status::bad_input(
        fmt::format("{} needs {} bytes of data, the file has {}", describe(array), *bytes, present));
  array.bytes.resize(present);
  if (Status status = source.read(data_offset, array.bytes); !status) return status;

  if (header->fortran_order && array.shape.size() > 1) {
    if (array.dtype == Dtype::e2m1)
      return Status::bad_input("packed FP4 codes in Fortran order; save them in C order");
    array.bytes = to_c_order(array.bytes, array.shape, static_cast<size_t>(dtype_bits(array.dtype)) / 8);
  }
  return array;
}

std::string npy_header(const Array& array) {
  constexpr size_t kAlignment = 64;  // of the data, as NumPy writes it
  std::vector<int64_t> shape = array.shape;
  if (array.dtype == Dtype::e2m1 && !shape.empty()) shape.back() /= 2;  // bytes, since the type written is u1
  std::string dict =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", npy_descr(array.dtype),
                  fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const size_t preamble = kMagic.size() + 4;
  dict.append((kAlignment - (preamble + dict.size() + 1) % kAlignment) % kAlignment, ' ');
  dict += '\n';
  std::string header(kMagic);
  header += {'\x01', '\x00', static_cast<char>(dict.size() & 0xff), static_cast<char>(dict.size() >> 8)};
  return header + dict;
}

}  // namespace mxproof
