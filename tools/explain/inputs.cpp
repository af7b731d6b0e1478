#include "tools/explain/inputs.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <optional>

#include "common/array/byte_source.hpp"
#include "common/array/file.hpp"
#include "common/format/f16.hpp"
#include "common/layout/any_layout.hpp"
#include "tools/quantized/operand.hpp"

namespace mxproof::explain {
namespace {

/// "ROWSxCOLS"
std::optional<std::vector<int64_t>> parse_shape(std::string_view text) {
  std::vector<int64_t> shape(2);
  const size_t x = text.find('x');
  if (x == std::string_view::npos) return std::nullopt;
  const std::string_view parts[] = {text.substr(0, x), text.substr(x + 1)};
  for (size_t i = 0; i < 2; ++i) {
    const char* end = parts[i].data() + parts[i].size();
    const auto [at, error] = std::from_chars(parts[i].data(), end, shape[i]);
    if (error != std::errc() || at != end || shape[i] <= 0) return std::nullopt;
  }
  return shape;
}

Expected<Array> read_raw(const std::string& file, const std::string& description) {
  const size_t colon = description.find(':');
  const std::string type = description.substr(0, colon);
  const std::optional<DtypeName> dtype = find_dtype(type);
  const auto shape = colon == std::string::npos
                         ? std::nullopt
                         : parse_shape(std::string_view(description).substr(colon + 1));
  if (!dtype || !shape) {
    return Status::bad_input(
        fmt::format("{}@{}: raw files are written FILE@DTYPE:ROWSxCOLS, such as out.bin@bf16:16x2880", file,
                    description));
  }
  const Expected<int64_t> bytes = array_bytes(dtype->dtype, *shape);
  if (!bytes) return Status::bad_input(fmt::format("{}: {}", file, bytes.status().message()));
  const Expected<std::shared_ptr<ByteSource>> source = open_file(file);
  if (!source) return source.status();
  if ((*source)->size() != static_cast<uint64_t>(*bytes)) {
    return Status::bad_input(
        fmt::format("{}: {} bytes, but {} takes {}", file, (*source)->size(), description, *bytes));
  }
  Array array{dtype->dtype, *shape, std::vector<std::byte>(static_cast<size_t>(*bytes))};
  if (Status status = (*source)->read(0, array.bytes); !status)
    return Status::bad_input(file + ": " + status.message());
  return array;
}

Expected<Matrix<Bf16>> read_output(const std::string& name) {
  const Expected<Array> array = read_any_array(name);
  if (!array) return array.status();
  return to_bf16_matrix(*array, name);
}

/// f32, f16 or bf16 numbers, widened.
Matrix<float> widened(const Array& array) {
  Matrix<float> out(array.shape[0], array.shape[1]);
  for (size_t i = 0; i < out.data.size(); ++i) {
    if (array.dtype == Dtype::f32) {
      std::memcpy(&out.data[i], array.bytes.data() + 4 * i, 4);
    } else {
      uint16_t bits = 0;
      std::memcpy(&bits, array.bytes.data() + 2 * i, 2);
      out.data[i] = array.dtype == Dtype::bf16 ? Bf16{bits}.to_float() : Half{bits}.to_float();
    }
  }
  return out;
}

/// An operand as values and as quantised data, as far as it tells.
struct Operand {
  std::optional<Matrix<float>> values;
  Mxfp4Matrix quantised;
};

Expected<Operand> read_operand(const std::string& name, const std::string& scales,
                               const QuantPolicy& policy) {
  Operand operand;
  if (scales.empty()) {
    const Expected<Array> array = read_any_array(name);
    if (array && is_quantizable(*array)) {
      Expected<Mxfp4Matrix> quantised = quantize_array(*array, policy, name);
      if (!quantised) return quantised.status();
      operand.quantised = std::move(*quantised);
      operand.values = widened(*array);
      return operand;
    }
  }
  Expected<Mxfp4Matrix> quantised = read_quantized({name, scales, Mxfp4Packing::low_first});
  if (!quantised) return quantised.status();
  operand.quantised = std::move(*quantised);
  return operand;
}

/// Bytes of one file, taken out of a layout.
Expected<std::vector<uint8_t>> read_plain(const std::string& file, const std::string& layout_name,
                                          LayoutKind kind, int64_t rows, int64_t k, const char* flag) {
  const Expected<AnyLayout> layout = AnyLayout::make(layout_name, extent_of(kind, rows, k));
  if (!layout) return Status::bad_input(fmt::format("{}: {}", flag, layout.status().message()));
  if (layout->info().kind != kind)
    return Status::bad_input(fmt::format("{}: {} holds other bytes", flag, layout->name()));
  const Expected<Array> array = read_any_array(file);
  if (!array) return array.status();
  if (static_cast<int64_t>(array->bytes.size()) != layout->size()) {
    return Status::bad_input(fmt::format("{}: {} bytes, but {} of {} rows and K = {} takes {}", file,
                                         array->bytes.size(), layout->name(), rows, k, layout->size()));
  }
  return unpack(*layout, {reinterpret_cast<const uint8_t*>(array->bytes.data()), array->bytes.size()});
}

Expected<Evidence> gather_quantised(const Inputs& in, const QuantPolicy& policy) {
  if (in.codes.empty() || in.scales.empty() || in.a.empty()) {
    return Status::bad_input(
        "quantised data needs --codes, --scales and --a with the values (or the right quantised data)");
  }
  Expected<Operand> a = read_operand(in.a, in.a_scales, policy);
  if (!a) return a.status();
  Mxfp4Matrix got(a->quantised.rows, a->quantised.cols);
  auto codes = read_plain(in.codes, in.codes_layout, LayoutKind::codes, got.rows, got.cols, "--codes-layout");
  if (!codes) return codes.status();
  auto scales =
      read_plain(in.scales, in.scales_layout, LayoutKind::scales, got.rows, got.cols, "--scales-layout");
  if (!scales) return scales.status();
  got.codes = std::move(*codes);
  got.scales = std::move(*scales);
  Evidence e;
  e.subject = Subject::quantised;
  e.policy = policy;
  e.a_values = std::move(a->values);
  e.wanted = std::move(a->quantised);
  e.got = std::move(got);
  return e;
}

Expected<Evidence> gather_product(const Inputs& in, const QuantPolicy& policy) {
  std::vector<Matrix<Bf16>> runs;
  for (const std::string& file : in.outputs) {
    Expected<Matrix<Bf16>> run = read_output(file);
    if (!run) return run.status();
    runs.push_back(std::move(*run));
  }
  Evidence e;
  if (!in.a.empty() && !in.b.empty()) {
    Expected<Operand> a = read_operand(in.a, in.a_scales, policy);
    if (!a) return a.status();
    Expected<Operand> b = read_operand(in.b, in.b_scales, policy);
    if (!b) return b.status();
    Expected<Evidence> product =
        output_evidence(std::move(a->quantised), std::move(b->quantised), std::move(runs.front()));
    if (!product) return product;
    runs.front() = product->runs.front();
    e = std::move(*product);
    e.a_values = std::move(a->values);
    e.b_values = std::move(b->values);
  }
  if (!in.expected.empty()) {
    Expected<Matrix<Bf16>> expected = read_output(in.expected);
    if (!expected) return expected.status();
    e.expected = std::move(*expected);
    e.wrong.clear();
  } else if (e.expected.rows == 0) {
    return Status::bad_input("what is right? give --a and --b, or --expected");
  }
  if (!in.previous.empty()) {
    Expected<Matrix<Bf16>> previous = read_output(in.previous);
    if (!previous) return previous.status();
    e.previous = std::move(*previous);
  }
  e.runs = std::move(runs);
  e.policy = policy;
  e.k = in.k;
  return e;
}

}  // namespace

Expected<Array> read_any_array(const std::string& name) {
  const size_t at = name.rfind('@');
  if (at != std::string::npos) return read_raw(name.substr(0, at), name.substr(at + 1));
  return read_array(name);
}

Expected<Evidence> gather(const Inputs& in) {
  const Expected<QuantPolicy> policy = quant_preset(in.policy);
  if (!policy) return Status::bad_input("--policy: " + policy.status().message());
  Expected<Evidence> evidence = [&]() -> Expected<Evidence> {
    if (!in.codes.empty() || !in.scales.empty()) return gather_quantised(in, *policy);
    if (in.outputs.empty())
      return Status::bad_input("nothing to explain: give --out FILE, or --codes and --scales");
    return gather_product(in, *policy);
  }();
  if (!evidence) return evidence;
  if (Status status = validate(*evidence); !status) return status;
  return evidence;
}

}  // namespace mxproof::explain
