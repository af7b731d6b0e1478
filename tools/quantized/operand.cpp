#include "tools/quantized/operand.hpp"

#include <fmt/format.h>

#include <cstring>
#include <span>

#include "common/array/file.hpp"
#include "common/format/f16.hpp"
#include "reference/quantize.hpp"
#include "tools/array_argument/array_argument.hpp"

namespace mxproof {
namespace {

constexpr const char* kPackingKey = "mxproof.packing";
constexpr const char* kPolicyKey = "mxproof.policy";

std::span<const uint8_t> bytes_of(const Array& array) {
  return {reinterpret_cast<const uint8_t*>(array.bytes.data()), array.bytes.size()};
}

Array byte_array(std::vector<uint8_t> bytes, int64_t rows, int64_t cols) {
  Array array{Dtype::u8, {rows, cols}, {}};
  array.bytes.resize(bytes.size());
  std::memcpy(array.bytes.data(), bytes.data(), bytes.size());
  return array;
}

Status wrong_array(const std::string& what, const Array& got, std::string_view needed) {
  return Status::bad_input(fmt::format("{}: got {}, need {}", what, describe(got), needed));
}

/// Codes in an array: rows and elements a row.
struct CodeShape {
  int64_t rows = 0;
  int64_t cols = 0;
};

Expected<CodeShape> code_shape(const Array& codes, const std::string& what) {
  if (codes.shape.size() == 2 && codes.dtype == Dtype::u8)
    return CodeShape{codes.shape[0], codes.shape[1] * 2};
  if (codes.shape.size() == 2 && codes.dtype == Dtype::e2m1) return CodeShape{codes.shape[0], codes.shape[1]};
  return wrong_array(what, codes, "codes as u8 [rows, K/2] or an FP4 type [rows, K]");
}

Expected<Mxfp4Matrix> read_ggml(const std::string& file) {
  const auto blocks = read_array_argument(file);
  if (!blocks) return blocks.status();
  if (blocks->shape.size() != 2 || blocks->dtype != Dtype::u8 || blocks->shape[1] % kGgmlBlockBytes != 0) {
    return wrong_array(file, *blocks, "GGML blocks as u8 [rows, K/32 * 17]");
  }
  auto matrix = import_ggml(bytes_of(*blocks), blocks->shape[0], blocks->shape[1] / kGgmlBlockBytes * kBlock);
  if (!matrix) return Status::bad_input(fmt::format("{}: {}", file, matrix.status().message()));
  return matrix;
}

template <class T>
Expected<Mxfp4Matrix> quantize_as(const Array& array, const QuantPolicy& policy) {
  // Copied: bytes of an array need not be aligned for T.
  std::vector<T> values(array.bytes.size() / sizeof(T));
  std::memcpy(values.data(), array.bytes.data(), values.size() * sizeof(T));
  return reference::quantize(
      MatrixView<const T>{values.data(), array.shape[0], array.shape[1], array.shape[1]}, policy);
}

}  // namespace

Expected<Mxfp4Packing> packing_of(const std::string& file, std::optional<Mxfp4Packing> given) {
  const Mxfp4Packing assumed = given.value_or(Mxfp4Packing::low_first);
  const Expected<SafetensorsMetadata> metadata = read_metadata(file);
  // What cannot be read, or is raw, says nothing; the reader of its data says what is wrong.
  if (!metadata || !metadata->contains(kPackingKey)) return assumed;
  const Expected<Mxfp4Packing> stored = parse_packing(metadata->at(kPackingKey));
  if (!stored) return Status::bad_input(fmt::format("{}: its metadata: {}", file, stored.status().message()));
  if (given && *given != *stored) {
    return Status::bad_input(fmt::format("--packing: {} says that it is packed {}, not {}", file,
                                         name_of(*stored), name_of(*given)));
  }
  return *stored;
}

Expected<std::optional<Mxfp4Packing>> parse_packing_flag(const std::string& text) {
  if (text.empty()) return std::optional<Mxfp4Packing>();
  const Expected<Mxfp4Packing> packing = parse_packing(text);
  if (!packing) return Status::bad_input("--packing: " + packing.status().message());
  return std::optional(*packing);
}

Expected<Mxfp4Matrix> read_quantized(const QuantizedSource& source) {
  const Expected<Mxfp4Packing> packing = packing_of(source.file, source.packing);
  if (!packing) return packing.status();
  if (*packing == Mxfp4Packing::ggml) return read_ggml(source.file);
  const bool together = source.scales.empty();
  if (together && !source.file.ends_with(".safetensors")) {
    const auto codes = read_array_argument(source.file);
    if (!codes) return codes.status();
    return wrong_array(source.file, *codes,
                       "the scales too: name them, or give FILE.safetensors with tensors codes and scales");
  }
  const std::string codes_name = together ? source.file + ":codes" : source.file;
  const std::string scales_name = together ? source.file + ":scales" : source.scales;
  const auto codes = read_array_argument(codes_name);
  if (!codes) return codes.status();
  const auto scales = read_array_argument(scales_name);
  if (!scales) return scales.status();
  const auto shape = code_shape(*codes, codes_name);
  if (!shape) return shape.status();
  const std::vector<int64_t> scale_shape = {shape->rows, shape->cols / kBlock};
  if ((scales->dtype != Dtype::u8 && scales->dtype != Dtype::e8m0) || scales->shape != scale_shape) {
    return wrong_array(scales_name, *scales,
                       fmt::format("scales as u8 or e8m0 [{}, {}], one for each 32 of the codes in {}",
                                   scale_shape[0], scale_shape[1], codes_name));
  }
  auto matrix = import_mxfp4(bytes_of(*codes), bytes_of(*scales), shape->rows, shape->cols, *packing);
  if (!matrix) return Status::bad_input(fmt::format("{}: {}", codes_name, matrix.status().message()));
  return matrix;
}

Expected<QuantizedOperand> read_operand(const QuantizedSource& source, const QuantPolicy& policy,
                                        std::string_view scales_flag) {
  constexpr std::string_view kBoth[] = {"codes", "scales"};
  QuantizedOperand operand;
  if (source.scales.empty() && !has_tensors(source.file, kBoth)) {
    Expected<Array> array = read_array_argument(source.file);
    if (!array) return array.status();
    const Expected<Mxfp4Packing> packing = packing_of(source.file, source.packing);
    if (!packing) return packing.status();
    if (is_quantizable(*array)) {
      Expected<Mxfp4Matrix> quantised = quantize_array(*array, policy, source.file);
      if (!quantised) return quantised.status();
      operand.quantised = std::move(*quantised);
      operand.values = std::move(*array);
      return operand;
    }
    if (*packing != Mxfp4Packing::ggml) {
      return Status::bad_input(
          fmt::format("{}: got {}; need numbers to quantise (f32, bf16, f16), or give {} with the scales of "
                      "these codes",
                      source.file, describe(*array), scales_flag));
    }
  }
  Expected<Mxfp4Matrix> quantised = read_quantized(source);
  if (!quantised) return quantised.status();
  operand.quantised = std::move(*quantised);
  return operand;
}

Status write_quantized(const std::string& file, const Mxfp4Matrix& matrix, Mxfp4Packing packing,
                       const QuantPolicy& policy) {
  const int64_t blocks = matrix.cols / kBlock;
  const SafetensorsMetadata metadata = {{kPackingKey, std::string(name_of(packing))},
                                        {kPolicyKey, std::string(policy.name)}};
  if (packing == Mxfp4Packing::ggml) {
    return write_safetensors(
        file, {{"blocks", byte_array(export_ggml(matrix), matrix.rows, blocks * kGgmlBlockBytes)}}, metadata);
  }
  return write_safetensors(
      file,
      {{"codes", byte_array(export_codes(matrix, packing), matrix.rows, matrix.cols / 2)},
       {"scales", byte_array(matrix.scales, matrix.rows, blocks)}},
      metadata);
}

bool is_quantizable(const Array& array) {
  return array.dtype == Dtype::f32 || array.dtype == Dtype::f16 || array.dtype == Dtype::bf16;
}

Expected<Mxfp4Matrix> quantize_array(const Array& array, const QuantPolicy& policy, const std::string& what) {
  if (array.shape.size() != 2 || !is_quantizable(array)) {
    return wrong_array(what, array, "a two-dimensional f32, f16 or bf16 array");
  }
  auto matrix = array.dtype == Dtype::f32   ? quantize_as<float>(array, policy)
                : array.dtype == Dtype::f16 ? quantize_as<Half>(array, policy)
                                            : quantize_as<Bf16>(array, policy);
  if (!matrix) return Status::bad_input(fmt::format("{}: {}", what, matrix.status().message()));
  return matrix;
}

Expected<Dtype> parse_value_dtype(const std::string& name) {
  const auto found = find_dtype(name);
  if (found && (found->dtype == Dtype::f32 || found->dtype == Dtype::f16 || found->dtype == Dtype::bf16)) {
    return found->dtype;
  }
  return Status::bad_input(fmt::format("'{}' is no type for values; there are f32, bf16 and f16", name));
}

}  // namespace mxproof
