#include "tools/verify/inputs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "common/array/file.hpp"
#include "common/layout/any_layout.hpp"
#include "common/random/fill.hpp"
#include "common/shapes/shape_list.hpp"
#include "reference/quantize.hpp"

namespace mxproof {
namespace {

constexpr uint8_t kPaddingPoison = 0xff;

// The formats' own demand; what a path supports beyond it is the plan's to say.
Status check_blocks(const GemmShape& shape) {
  if (shape.k % kBlock == 0) return {};
  return Status::refused(fmt::format("K = {} is no multiple of {}, the block of MXFP4", shape.k, kBlock));
}

// Host and emulated device memory together: operands twice over, and the reference's facts on every output.
Status check_memory(const GemmShape& shape) {
  constexpr double kBytesPerInput = 6;
  constexpr double kBytesPerOutput = 24;
  const double needed = kBytesPerInput * static_cast<double>((shape.m + shape.n) * shape.k) +
                        kBytesPerOutput * static_cast<double>(shape.m * shape.n);
  const double present =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (needed < present) return {};
  return Status::refused(
      fmt::format("needs about {:.0f} GB of memory, this machine has {:.0f}", needed / 1e9, present / 1e9));
}

// Bytes in the named layout, or an empty buffer where the layout does not take that extent.
Expected<DeviceBuffer> upload_as(std::string_view layout_name, Extent extent,
                                 const std::vector<uint8_t>& plain) {
  const Expected<AnyLayout> layout = AnyLayout::make(layout_name, extent);
  if (!layout) return DeviceBuffer();
  return DeviceBuffer::copy_of(pack(*layout, plain, kPaddingPoison));
}

}  // namespace

Expected<Operands> make_operands(const GemmShape& shape, uint64_t seed) {
  if (Status status = check_blocks(shape); !status) return status;
  if (Status status = check_memory(shape); !status) return status;
  return Operands{shape, normal_matrix(shape.m, shape.k, seed, TensorId::a),
                  normal_matrix(shape.n, shape.k, seed, TensorId::b)};
}

Expected<Operands> load_operands(const std::string& a_file, const std::string& b_file) {
  Operands operands;
  for (const auto& [name, matrix] : {std::pair(&a_file, &operands.a), std::pair(&b_file, &operands.b)}) {
    const Expected<Array> array = read_array(*name);
    if (!array) return array.status();
    Expected<Matrix<Bf16>> values = to_bf16_matrix(*array, *name);
    if (!values) return values.status();
    if (values->data.empty()) return Status::bad_input(fmt::format("{}: holds no element", *name));
    *matrix = std::move(*values);
  }
  const auto& [a, b] = std::tie(operands.a, operands.b);
  if (a.cols != b.cols)
    return Status::bad_input(
        fmt::format("{}: [{}, {}] does not fit A [{}, {}]: B is [N, K], with as many columns as A{}", b_file,
                    b.rows, b.cols, a.rows, a.cols, a.cols == b.rows ? "; this one looks transposed" : ""));
  operands.shape = {a.rows, b.rows, a.cols};
  if (Status status = check_blocks(operands.shape); !status)
    return Status::bad_input(fmt::format("{}: {}", a_file, status.message()));
  if (Status status = check_memory(operands.shape); !status) return status;
  return operands;
}

Expected<ReferenceCase> make_reference(const Operands& operands, const QuantPolicy& policy, int splits,
                                       std::optional<MfmaAccumulation> accumulation) {
  Expected<Mxfp4Matrix> a = reference::quantize(operands.a.view(), policy);
  if (!a) return a.status();
  Expected<Mxfp4Matrix> b = reference::quantize(operands.b.view(), policy);
  if (!b) return b.status();
  Expected<reference::GemmReference> expected =
      reference::gemm(std::move(*a), *b, {.threads = 0, .split_k = splits, .accumulation = accumulation});
  if (!expected) return expected.status();
  return ReferenceCase{std::move(*b), std::move(*expected)};
}

Expected<DeviceOperands> DeviceOperands::upload(const Operands& operands, const Mxfp4Matrix& b) {
  const Extent codes{b.rows, b.cols / 2};
  const Extent scales{b.rows, b.cols / kBlock};
  Expected<DeviceBuffer> buffers[] = {
      DeviceBuffer::copy_of(operands.a.data),
      DeviceBuffer::copy_of(b.codes),
      upload_as(Codes16x16::kName, codes, b.codes),
      upload_as(Scale32x8::kName, scales, b.scales),
  };
  for (const auto& buffer : buffers)
    if (!buffer) return buffer.status();
  DeviceOperands device;
  device.a_ = std::move(*buffers[0]);
  device.b_codes_ = std::move(*buffers[1]);
  device.b_shuffled_ = std::move(*buffers[2]);
  device.b_scales_ = std::move(*buffers[3]);
  return device;
}

GemmPointers DeviceOperands::pointers(const Operand& c) const {
  return {.a = a_.operand(LayoutTag::bf16_rows),
          .b_codes = b_codes_.operand(LayoutTag::codes_row_major),
          .b_shuffled = b_shuffled_.operand(LayoutTag::codes_16x16),
          .b_scales = b_scales_.operand(LayoutTag::scale_32x8),
          .c = c};
}

}  // namespace mxproof
