// One product on the machine, without HIP: gemm_a4w4's code object, random operands in memory, arguments.
#pragma once

#include <algorithm>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "emulator/machine/launch.hpp"
#include "optimized/gemm/params.hpp"

namespace mxproof::emulator {

inline Expected<CodeObject> load_code(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  return CodeObject::load(std::as_bytes(std::span(bytes)));
}

/// The kernel whose name contains `part`; nullptr when there is none.
inline const Kernel* kernel_with(const CodeObject& code_object, const std::string& part) {
  for (const Kernel& kernel : code_object.kernels()) {
    if (kernel.name.find(part) != std::string::npos) return &kernel;
  }
  return nullptr;
}

inline std::vector<uint8_t> random_bytes(size_t count, uint8_t low, uint8_t high) {
  std::mt19937 random(1);
  std::vector<uint8_t> bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(low + random() % (high - low + 1U));
  return bytes;
}

/// `arguments` as a kernarg segment, hidden arguments 0.
template <class T>
std::vector<std::byte> kernarg_of(const T& arguments, const Kernel& kernel) {
  std::vector<std::byte> bytes(std::max<size_t>(sizeof arguments, kernel.kernarg_bytes));
  std::memcpy(bytes.data(), &arguments, sizeof arguments);
  return bytes;
}

/// M x N x K, with the tile of 64 x 128 of 4 waves.
class GemmCase {
 public:
  static constexpr const char* kKernel = "TileILi64ELi128ELi4E";  ///< Part of its name.
  static constexpr int64_t kTileM = 64;
  static constexpr int64_t kTileN = 128;

  GemmCase(const Kernel& kernel, int64_t m, int64_t n, int64_t k) {
    const int64_t padded_blocks = (k / 32 + 7) / 8 * 8;
    const auto padded = [](int64_t rows) { return (rows + 255) / 256 * 256; };
    a_ = random_bytes(static_cast<size_t>(m * k / 2), 0, 255);
    b_ = random_bytes(static_cast<size_t>(n * k / 2), 0, 255);
    a_scales_ = random_bytes(static_cast<size_t>(padded(m) * padded_blocks), 120, 130);
    b_scales_ = random_bytes(static_cast<size_t>(padded(n) * padded_blocks), 120, 130);
    c_.resize(static_cast<size_t>(m * n));
    for (const auto* bytes : {&a_, &b_, &a_scales_, &b_scales_}) add(bytes->data(), bytes->size());
    add(c_.data(), c_.size() * sizeof(uint16_t));
    GemmParams params{};
    params.a = a_.data();
    params.a_scales = a_scales_.data();
    params.b = b_.data();
    params.b_scales = b_scales_.data();
    params.c = c_.data();
    params.m = m;
    params.n = n;
    params.a_stride = static_cast<decltype(params.a_stride)>(k / 2);
    params.c_stride = n;
    params.blocks = static_cast<int32_t>(k / 32);
    params.a_padded_blocks = static_cast<int32_t>(padded_blocks);
    params.b_padded_blocks = static_cast<int32_t>(padded_blocks);
    params.chunks_per_split = static_cast<int32_t>((k + 255) / 256);
    params.c_whole_runs = n % 4 == 0;
    kernarg_ = kernarg_of(params, kernel);
    grid_ = {static_cast<uint32_t>((m + kTileM - 1) / kTileM),
             static_cast<uint32_t>((n + kTileN - 1) / kTileN), 1};
  }
  GemmCase(const GemmCase&) = delete;
  GemmCase& operator=(const GemmCase&) = delete;

  /// False when the operands could not be made accessible.
  bool ok() const { return ok_; }
  LaunchConfig config() const {
    LaunchConfig config;
    config.grid = grid_;
    config.block = {256, 1, 1};
    config.kernarg = kernarg_;
    return config;
  }
  const GlobalMemory& memory() const { return memory_; }
  std::vector<uint16_t>& c() { return c_; }

 private:
  void add(const void* data, size_t bytes) { ok_ = memory_.add(data, bytes).ok() && ok_; }

  std::vector<uint8_t> a_;
  std::vector<uint8_t> b_;
  std::vector<uint8_t> a_scales_;
  std::vector<uint8_t> b_scales_;
  std::vector<uint16_t> c_;
  GlobalMemory memory_;
  std::vector<std::byte> kernarg_;
  std::array<uint32_t, 3> grid_{};
  bool ok_ = true;
};

}  // namespace mxproof::emulator
