// Test inputs: value = f(seed, tensor, index). Nothing else enters, neither the machine, the thread count nor
// the order in which elements are made; element i of a tensor can be named in a bug report and made again
// alone.
#pragma once

#include <cstdint>
#include <span>

#include "common/format/bf16.hpp"
#include "common/matrix.hpp"

namespace mxproof {

/// Which operand a stream of values is for. The numbers are part of the generator: never reuse or reorder
/// them.
enum class TensorId : uint32_t { a = 0, b = 1, c = 2, scales = 3, test = 1000 };

/// Random word of element `index`: word index%4 of the Philox block with counter {index/4 (64 bits), tensor,
/// 0} and key `seed`.
uint32_t random_word(uint64_t seed, TensorId tensor, uint64_t index);

/// Fills with standard normal values rounded to bf16, elements [first, first + values.size()) of the tensor.
void fill_normal(std::span<Bf16> values, uint64_t seed, TensorId tensor, uint64_t first = 0);

/// Fills with random bytes: byte i is byte i%4 of the word of element i/4. For codes, scales and poison.
void fill_bytes(std::span<uint8_t> values, uint64_t seed, TensorId tensor);

/// A whole matrix of standard normal bf16, row-major, made on `threads` threads (0: all that there are).
Matrix<Bf16> normal_matrix(int64_t rows, int64_t cols, uint64_t seed, TensorId tensor, unsigned threads = 0);

}  // namespace mxproof
