#include "tools/explain/inputs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <optional>

#include "common/format/f16.hpp"
#include "common/layout/any_layout.hpp"
#include "common/packing/mxfp4_packing.hpp"
#include "tools/array_argument/array_argument.hpp"
#include "tools/quantized/operand.hpp"

namespace mxproof::explain {
namespace {

/// Elements that a 16-bit float does not hold; bf16 that was merely kept as f32 has none.
int64_t rounded_elements(const Array& array, const Matrix<Bf16>& matrix) {
  if (array.dtype != Dtype::f32) return 0;
  int64_t count = 0;
  for (size_t i = 0; i < matrix.data.size(); ++i) {
    float value = 0;
    std::memcpy(&value, array.bytes.data() + 4 * i, 4);
    count += !std::isnan(value) && value != matrix.data[i].to_float();
  }
  return count;
}

/// `rounded` counts the numbers that had to be rounded.
Expected<Matrix<Bf16>> read_output(const std::string& name, int64_t* rounded = nullptr) {
  const Expected<Array> array = read_array_argument(name);
  if (!array) return array.status();
  Expected<Matrix<Bf16>> matrix = to_bf16_matrix(*array, name);
  if (matrix && rounded != nullptr) *rounded += rounded_elements(*array, *matrix);
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

/// One operand as it was given.
struct OperandFiles {
  const char* scales_flag;
  const std::string& name;
  const std::string& scales;
};

Expected<Operand> read_as_evidence(const OperandFiles& files, std::optional<Mxfp4Packing> packing,
                                   const QuantPolicy& policy) {
  Expected<QuantizedOperand> read =
      read_operand({files.name, files.scales, packing}, policy, files.scales_flag);
  if (!read) return read.status();
  Operand operand{{}, std::move(read->quantised)};
  if (read->values) operand.values = widened(*read->values);
  return operand;
}

/// Bytes of one file, taken out of a layout.
Expected<std::vector<uint8_t>> read_plain(const std::string& file, const std::string& layout_name,
                                          LayoutKind kind, int64_t rows, int64_t k, const char* flag) {
  const Expected<LayoutInfo> info = find_layout(layout_name);
  if (!info) return Status::bad_input(fmt::format("{}: {}", flag, info.status().message()));
  if (info->kind != kind) return Status::bad_input(fmt::format("{}: {} holds other bytes", flag, info->name));
  const auto paddings = AnyLayout::make_all(layout_name, extent_of(kind, rows, k));
  if (!paddings) return Status::bad_input(fmt::format("{}: {}", flag, paddings.status().message()));
  const Expected<std::vector<uint8_t>> bytes = read_bytes_argument(file);
  if (!bytes) return bytes.status();
  const Expected<AnyLayout> layout = of_size(*paddings, bytes->size());
  if (!layout) return Status::bad_input(fmt::format("{}: {}", file, layout.status().message()));
  return unpack(*layout, *bytes);
}

Status check_k(int64_t given, const char* operand, const Mxfp4Matrix& matrix) {
  if (given == 0 || given == matrix.cols) return {};
  return Status::bad_input(
      fmt::format("--k: {}, but {} has K = {}; leave it out", given, operand, matrix.cols));
}

Expected<Evidence> gather_quantised(const Inputs& in, std::optional<Mxfp4Packing> packing,
                                    const QuantPolicy& policy) {
  if (in.codes.empty() || in.scales.empty() || in.a.empty()) {
    return Status::bad_input(
        "quantised data needs --codes, --scales and --a with the values (or the right quantised data)");
  }
  for (const auto& [flag, given] : {std::pair("--out", !in.outputs.empty()),
                                    {"--b", !in.b.empty()},
                                    {"--expected", !in.expected.empty()},
                                    {"--previous", !in.previous.empty()}}) {
    if (given)
      return Status::bad_input(fmt::format(
          "{}: --codes and --scales are held against --a alone; explain an output in another call", flag));
  }
  Expected<Operand> a = read_as_evidence({"--a-scales", in.a, in.a_scales}, packing, policy);
  if (!a) return a.status();
  if (Status status = check_k(in.k, "A", a->quantised); !status) return status;
  Mxfp4Matrix got(a->quantised.rows, a->quantised.cols);
  auto codes = read_plain(in.codes, in.codes_layout, LayoutKind::codes, got.rows, got.cols, "--codes-layout");
  if (!codes) return codes.status();
  auto scales =
      read_plain(in.scales, in.scales_layout, LayoutKind::scales, got.rows, got.cols, "--scales-layout");
  if (!scales) return scales.status();
  // A file that says that its nibbles are exchanged is read so; --packing is of operands alone.
  const Expected<Mxfp4Packing> packed = packing_of(in.codes, {});
  if (!packed) return packed.status();
  if (*packed == Mxfp4Packing::high_first)
    for (uint8_t& byte : *codes) byte = exchange_nibbles(byte);
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

/// A given expectation that is not the exact product of the given operands is taken as it is, but said.
void note_difference(const Matrix<Bf16>& exact, const Matrix<Bf16>& expected, Evidence& e) {
  if (exact.rows != expected.rows || exact.cols != expected.cols) return;
  int64_t count = 0;
  for (size_t i = 0; i < exact.data.size(); ++i) count += exact.data[i] != expected.data[i];
  if (count == 0) return;
  e.notes.push_back(
      fmt::format("--expected differs from the exact product of A and B in {} of {} outputs; causes that "
                  "act on A or B are held against that product",
                  count, exact.data.size()));
}

Expected<Evidence> gather_product(const Inputs& in, std::optional<Mxfp4Packing> packing,
                                  const QuantPolicy& policy) {
  std::vector<Matrix<Bf16>> runs;
  int64_t rounded = 0;
  for (const std::string& file : in.outputs) {
    Expected<Matrix<Bf16>> run = read_output(file, &rounded);
    if (!run) return run.status();
    runs.push_back(std::move(*run));
  }
  Operand operands[2];
  const OperandFiles files[] = {{"--a-scales", in.a, in.a_scales}, {"--b-scales", in.b, in.b_scales}};
  for (size_t i : {size_t{0}, size_t{1}}) {
    if (files[i].name.empty()) continue;
    Expected<Operand> operand = read_as_evidence(files[i], packing, policy);
    if (!operand) return operand.status();
    if (Status status = check_k(in.k, i == 0 ? "A" : "B", operand->quantised); !status) return status;
    operands[i] = std::move(*operand);
  }
  Evidence e;
  if (!in.a.empty() && !in.b.empty()) {
    Expected<Evidence> product = output_evidence(std::move(operands[0].quantised),
                                                 std::move(operands[1].quantised), std::move(runs.front()));
    if (!product) return product;
    runs.front() = product->runs.front();
    e = std::move(*product);
    e.a_values = std::move(operands[0].values);
    e.b_values = std::move(operands[1].values);
  } else {
    // One operand alone explains nothing by itself; it says what K is, and must fit.
    if (!in.a.empty()) e.a = std::move(operands[0].quantised);
    if (!in.b.empty()) e.b = std::move(operands[1].quantised);
  }
  if (!in.expected.empty()) {
    Expected<Matrix<Bf16>> expected = read_output(in.expected);
    if (!expected) return expected.status();
    if (Status status = in.nan_expected ? Status() : check_numbers(*expected, in.expected); !status)
      return status;
    note_difference(e.expected, *expected, e);
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
  if (rounded > 0) {
    e.rounded_here = true;
    e.notes.push_back(
        fmt::format("{} numbers of the output are f32 and were rounded to bf16 for the comparison: smaller "
                    "errors are not seen, and an error as small as an f32 step may be seen as one of bf16",
                    rounded));
  }
  e.policy = policy;
  e.k = in.k;
  return e;
}

}  // namespace

Expected<Evidence> gather(const Inputs& in) {
  const Expected<QuantPolicy> policy = quant_preset(in.policy);
  if (!policy) return Status::bad_input("--policy: " + policy.status().message());
  const auto packing = parse_packing_flag(in.packing);
  if (!packing) return packing.status();
  Expected<Evidence> evidence = [&]() -> Expected<Evidence> {
    if (!in.codes.empty() || !in.scales.empty()) return gather_quantised(in, *packing, *policy);
    if (in.outputs.empty())
      return Status::bad_input("nothing to explain: give --out FILE, or --codes and --scales");
    return gather_product(in, *packing, *policy);
  }();
  if (!evidence) return evidence;
  if (Status status = validate(*evidence); !status) return status;
  return evidence;
}

}  // namespace mxproof::explain
