#include "common/random/fill.hpp"

#include <algorithm>
#include <thread>
#include <vector>

#include "common/format/bf16_round.hpp"
#include "common/random/normal.hpp"
#include "common/random/philox.hpp"

namespace mxproof {
namespace {

constexpr uint64_t kWordsPerBlock = 4;

PhiloxCounter random_block(uint64_t seed, TensorId tensor, uint64_t block) {
  return philox4x32_10(
      {static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32), static_cast<uint32_t>(tensor), 0},
      {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
}

// Calls use(offset in the span, word) for `count` elements from `first`, one Philox block for four of them.
template <class Use>
void for_each_word(uint64_t seed, TensorId tensor, uint64_t first, uint64_t count, Use use) {
  for (uint64_t done = 0; done < count;) {
    const PhiloxCounter words = random_block(seed, tensor, (first + done) / kWordsPerBlock);
    for (uint64_t lane = (first + done) % kWordsPerBlock; lane < kWordsPerBlock && done < count;
         ++lane, ++done)
      use(done, words[lane]);
  }
}

}  // namespace

uint32_t random_word(uint64_t seed, TensorId tensor, uint64_t index) {
  return random_block(seed, tensor, index / kWordsPerBlock)[index % kWordsPerBlock];
}

void fill_normal(std::span<Bf16> values, uint64_t seed, TensorId tensor, uint64_t first) {
  for_each_word(seed, tensor, first, values.size(), [&](uint64_t offset, uint32_t word) {
    values[offset] = round_to_bf16(normal_from_bits(word));
  });
}

void fill_bytes(std::span<uint8_t> values, uint64_t seed, TensorId tensor) {
  const uint64_t words = (values.size() + 3) / 4;
  for_each_word(seed, tensor, 0, words, [&](uint64_t offset, uint32_t word) {
    for (uint64_t byte = offset * 4; byte < std::min<uint64_t>(offset * 4 + 4, values.size()); ++byte)
      values[byte] = static_cast<uint8_t>(word >> 8 * (byte % 4));
  });
}

Matrix<Bf16> normal_matrix(int64_t rows, int64_t cols, uint64_t seed, TensorId tensor, unsigned threads) {
  constexpr size_t kWorthAThread = 1 << 16;  // elements; below it a thread costs more than it saves
  Matrix<Bf16> result(rows, cols);
  const std::span<Bf16> values(result.data);
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  const size_t parts = std::clamp<size_t>(values.size() / kWorthAThread, 1, threads);
  const size_t part = (values.size() + parts - 1) / parts;

  std::vector<std::jthread> workers;
  for (size_t first = part; first < values.size(); first += part)
    workers.emplace_back([=] {
      fill_normal(values.subspan(first, std::min(part, values.size() - first)), seed, tensor, first);
    });
  fill_normal(values.subspan(0, std::min(part, values.size())), seed, tensor);
  return result;
}

}  // namespace mxproof
