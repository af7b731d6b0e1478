// Every kernel of the list on shapes with tails in every direction.
#include <gtest/gtest.h>

#include "tests/optimized/registry/kernel_checks.hpp"
#include "tests/optimized/support/device_case.hpp"
#include "tests/optimized/support/seed.hpp"

namespace mxproof {
namespace {

struct KernelCase {
  KernelId kernel;
  GemmShape shape;
};

std::string case_name(const KernelCase& c) {
  return std::string(kernel_info(c.kernel).name) + "_" + shape_text(c.shape);
}

void PrintTo(const KernelCase& c, std::ostream* out) {
  *out << case_name(c);
}

void (*const kChecks[])(const GemmShape&, uint64_t) = {
#define MXPROOF_KERNEL(name, reads, writes, n_multiple, k_multiple, flags) &check_##name,
#include "optimized/registry/kernels.def"
#undef MXPROOF_KERNEL
};

constexpr GemmShape kShapes[] = {{1, 16, 64},     {4, 48, 512},    {5, 20, 96},    {16, 64, 256},
                                 {17, 80, 320},   {32, 128, 1024}, {33, 144, 448}, {40, 7, 32},
                                 {65, 272, 1664}, {130, 96, 192}};

std::vector<KernelCase> cases() {
  std::vector<KernelCase> all;
  for (const KernelInfo& kernel : kKernels) {
    for (const GemmShape& shape : kShapes) {
      if (shape.n % kernel.n_multiple == 0 && shape.k % kernel.k_multiple == 0)
        all.push_back({kernel.id, shape});
    }
  }
  return all;
}

class EveryKernel : public testing::TestWithParam<KernelCase> {};

TEST_P(EveryKernel, GivesTheReferencesBits) {
  MXPROOF_TRACE_SEED();
  kChecks[static_cast<size_t>(GetParam().kernel)](GetParam().shape, run_seed());
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernel, testing::ValuesIn(cases()),
                         [](const auto& test) { return case_name(test.param); });

}  // namespace
}  // namespace mxproof
