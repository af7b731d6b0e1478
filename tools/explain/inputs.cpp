#include "tools/explain/inputs.hpp"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "common/format/f16.hpp"
#include "common/layout/any_layout.hpp"
#include "tools/array_argument/array_argument.hpp"
#include "tools/quantized/operand.hpp"

namespace mxproof::explain {
namespace {

Expected<Matrix<Bf16>> read_output(const std::string& name) {
  const Expected<Array> array = read_array_argument(name);
  if (!array) return array.status();
  Expected<Matrix<Bf16>> matrix = to_bf16_matrix(*array, name);
  if (matrix && matrix->data.empty())
    return Status::bad_input(fmt::format("{}: {} holds no element", name, describe(*array)));
  return matrix;
}

/// NaN in what is expected would let any NaN pass.
Status check_numbers(const Matrix<Bf16>& expected, const std::string& name) {
  int64_t count = 0;
  int64_t first = 0;
  for (size_t i = 0; i < expected.data.size(); ++i) {
    if (!expected.data[i].is_nan()) continue;
    if (count++ == 0) first = static_cast<int64_t>(i);
  }
  if (count == 0) return {};
  return Status::bad_input(
      fmt::format("--expected: {} holds {} NaN, the first at ({},{}), and no output can be held against "
                  "that; give --a and --b "
                  "instead, or --nan-expected when NaN is meant",
                  name, count, first / expected.cols, first % expected.cols));
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

/// `flag` is "--a" or "--b".
Expected<Operand> read_operand(const std::string& name, const std::string& scales, const char* flag,
                               const QuantPolicy& policy) {
  Operand operand;
  if (scales.empty()) {
    const Expected<Array> array = read_array_argument(name);
    if (array && is_quantizable(*array)) {
      Expected<Mxfp4Matrix> quantised = quantize_array(*array, policy, name);
      if (!quantised) return quantised.status();
      operand.quantised = std::move(*quantised);
      operand.values = widened(*array);
      return operand;
    }
    // A .safetensors file may hold codes and scales side by side.
    if (name.find(".safetensors") == std::string::npos) {
      if (!array) return array.status();
      return Status::bad_input(
          fmt::format("{}: got {}; need numbers to quantise (f32, bf16, f16), or give {}-scales "
                      "with the scales of these codes",
                      name, describe(*array), flag));
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
  const Expected<std::vector<uint8_t>> bytes = read_bytes_argument(file);
  if (!bytes) return bytes.status();
  if (static_cast<int64_t>(bytes->size()) != layout->size()) {
    return Status::bad_input(fmt::format("{}: {} bytes, but {} of {} rows and K = {} takes {}", file,
                                         bytes->size(), layout->name(), rows, k, layout->size()));
  }
  return unpack(*layout, *bytes);
}

Expected<Evidence> gather_quantised(const Inputs& in, const QuantPolicy& policy) {
  if (in.codes.empty() || in.scales.empty() || in.a.empty()) {
    return Status::bad_input(
        "quantised data needs --codes, --scales and --a with the values (or the right quantised data)");
  }
  Expected<Operand> a = read_operand(in.a, in.a_scales, "--a", policy);
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
    Expected<Operand> a = read_operand(in.a, in.a_scales, "--a", policy);
    if (!a) return a.status();
    Expected<Operand> b = read_operand(in.b, in.b_scales, "--b", policy);
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
    if (Status status = in.nan_expected ? Status() : check_numbers(*expected, in.expected); !status)
      return status;
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
