// Any shape and bytes as GGML blocks, and as codes and scales: a matrix that exports to the same bytes, or
// one clear error.
#include <algorithm>
#include <cstring>

#include "common/packing/mxfp4_packing.hpp"
#include "tests/fuzz/array_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mxproof;
  int64_t shape[2];
  if (size < sizeof(shape)) return 0;
  std::memcpy(shape, data, sizeof(shape));
  // Half of the inputs get a shape that has a chance to fit.
  if ((shape[0] & 1) != 0) {
    shape[0] = shape[0] >> 1 & 7;
    shape[1] = (shape[1] & 7) * 32;
  }
  const std::span<const uint8_t> bytes(data + sizeof(shape), size - sizeof(shape));

  const auto records = import_ggml(bytes, shape[0], shape[1]);
  if (records) {
    fuzz::require(std::ranges::equal(export_ggml(*records), bytes));
  } else {
    fuzz::require_message(records.status());
  }
  const size_t codes = std::min<size_t>(bytes.size(), bytes.size() / 17 * 16);
  for (const Mxfp4Packing order : {Mxfp4Packing::low_first, Mxfp4Packing::high_first}) {
    const auto matrix = import_mxfp4(bytes.first(codes), bytes.subspan(codes), shape[0], shape[1], order);
    if (matrix) {
      fuzz::require(std::ranges::equal(export_codes(*matrix, order), bytes.first(codes)));
    } else {
      fuzz::require_message(matrix.status());
    }
  }
  return 0;
}
