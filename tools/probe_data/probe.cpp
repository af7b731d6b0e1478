#include "tools/probe_data/probe.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>

#include "common/format/e2m1.hpp"
#include "common/format/e8m0.hpp"
#include "common/shape.hpp"
#include "tools/explain/causes/byte_order.hpp"

namespace mxproof::probe {
namespace {

constexpr int64_t kMostElements = int64_t{1} << 26;  // seconds and a gigabyte to read
constexpr int64_t kCodeBase = 14;
constexpr int64_t kScaleBase = 200;
constexpr int kLowestScale = 27;  // byte of digit 0: all scales stay far from the ends of bf16
constexpr uint8_t kOne = 2;       // the code of 1.0

uint8_t code_of_digit(int64_t digit) {
  return static_cast<uint8_t>(digit < 7 ? digit + 1 : digit + 2);
}

int runs_for(int64_t count, int64_t base) {
  int runs = 1;
  for (int64_t reach = base; reach < count; reach *= base) ++runs;
  return runs;
}

int64_t digit_of(int64_t index, int run, int64_t base) {
  for (int i = 0; i < run; ++i) index /= base;
  return index % base;
}

/// -1 when the number is no code value.
int64_t digit_of_code(float value) {
  for (int64_t digit = 0; digit < kCodeBase; ++digit) {
    if (kE2m1Values[code_of_digit(digit)] == value) return digit;
  }
  return -1;
}

int64_t digit_of_scale(float value) {
  int exponent = 0;
  if (!(value > 0) || std::frexp(value, &exponent) != 0.5f) return -1;
  const int64_t digit = exponent - 1 + kE8m0Bias - kLowestScale;
  return digit >= 0 && digit < kScaleBase ? digit : -1;
}

using DigitOf = int64_t (*)(float);

/// The digit that shows when all is multiplied by `factor`; bf16 rounds a product that is no power of two.
int64_t digit_without(float value, float factor, DigitOf digit_of_value) {
  const float quotient = value / factor;
  const int64_t exact = digit_of_value(quotient);
  if (exact >= 0 || factor == 1 || !std::isfinite(quotient) || quotient == 0) return exact;
  // Codes and scales are halves of small integers times a power of two.
  int exponent = 0;
  const float mantissa = std::frexp(quotient, &exponent);
  const float near = std::ldexp(std::round(mantissa * 4) / 4, exponent);
  return std::fabs(near - quotient) <= std::fabs(quotient) / 128 ? digit_of_value(near) : -1;
}

/// A factor common to all outputs, such as a forgotten or doubled alpha. All 14 codes occur in the first run,
/// so that the largest output is 6 times it; the scale runs, all of whose numbers are positive, show its
/// sign.
float common_factor(const std::vector<Matrix<Bf16>>& code_outputs,
                    const std::vector<Matrix<Bf16>>& scale_outputs) {
  float largest = 0;
  for (const Matrix<Bf16>& c : code_outputs) {
    for (const Bf16 x : c.data)
      if (x.is_finite()) largest = std::max(largest, std::fabs(x.to_float()));
  }
  int64_t negative = 0;
  int64_t positive = 0;
  for (const Matrix<Bf16>& c : scale_outputs) {
    for (const Bf16 x : c.data) {
      negative += x.to_float() < 0 ? 1 : 0;
      positive += x.to_float() > 0 ? 1 : 0;
    }
  }
  const float sign = negative > positive ? -1.0f : 1.0f;
  const auto unreadable_with = [&](float factor) {
    int64_t count = 0;
    for (const Matrix<Bf16>& c : code_outputs) {
      for (const Bf16 x : c.data) count += digit_without(x.to_float(), factor, digit_of_code) < 0 ? 1 : 0;
    }
    return count;
  };
  const float factor = sign * largest / kE2m1Values[7];
  return largest > 0 && unreadable_with(factor) < unreadable_with(sign) ? factor : sign;
}

Unreadable unreadable(const Shape& s, const std::vector<Matrix<Bf16>>& outputs,
                      const std::vector<int64_t>& from, float factor, DigitOf digit_of_value) {
  Unreadable u;
  for (int64_t n = 0; n < s.n; ++n) {
    for (int64_t k = 0; k < s.k; ++k) {
      if (from[static_cast<size_t>(n * s.k + k)] >= 0) continue;
      if (u.count++ == 0) {
        u.n_first = n;
        u.k_first = u.k_last = k;
        for (const Matrix<Bf16>& c : outputs) {
          u.shown = c(k, n).to_float();
          if (digit_without(u.shown, factor, digit_of_value) < 0) break;
        }
      }
      u.n_last = n;
      u.k_first = std::min(u.k_first, k);
      u.k_last = std::max(u.k_last, k);
    }
  }
  return u;
}

/// Puts the digits of all runs together.
std::vector<int64_t> indices(const Shape& s, const std::vector<Matrix<Bf16>>& outputs, int64_t base,
                             int64_t count, float factor, DigitOf digit_of_value) {
  std::vector<int64_t> from(static_cast<size_t>(s.n * s.k), 0);
  for (int64_t n = 0; n < s.n; ++n) {
    for (int64_t k = 0; k < s.k; ++k) {
      int64_t& index = from[static_cast<size_t>(n * s.k + k)];
      for (size_t run = outputs.size(); run-- > 0 && index >= 0;) {
        const int64_t digit = digit_without(outputs[run](k, n).to_float(), factor, digit_of_value);
        index = digit < 0 ? -1 : index * base + digit;
      }
      if (index >= count) index = -1;
    }
  }
  return from;
}

using From = std::function<int64_t(int64_t n, int64_t k)>;

/// True when every readable place follows `from` wherever that says anything, and half of them are readable.
/// Places whose scale (or code) was read from padding show no digit.
bool follows(const Shape& s, const std::vector<int64_t>& reading, const From& from) {
  int64_t readable = 0;
  for (int64_t n = 0; n < s.n; ++n) {
    for (int64_t k = 0; k < s.k; ++k) {
      const int64_t expected = from(n, k);
      const int64_t got = reading[static_cast<size_t>(n * s.k + k)];
      if (got < 0) continue;
      ++readable;
      if (expected >= 0 && got != expected) return false;
    }
  }
  return 2 * readable >= s.n * s.k;
}

struct Rule {
  std::string text;
  From from;
  std::string written = {};  ///< The layout that it is about; empty for one that holds whatever was written.
};

std::vector<Rule> code_rules(const Shape& s) {
  std::vector<Rule> rules = {
      {"every code is read from its place", [s](int64_t n, int64_t k) { return n * s.k + k; }},
      {"the nibbles of every byte are exchanged", [s](int64_t n, int64_t k) { return n * s.k + (k ^ 1); }},
      {"pairs are read in GGML's split order",
       [s](int64_t n, int64_t k) {
         const int64_t j = k % kBlock;
         return n * s.k + k - j + (j < 16 ? 2 * j : 2 * (j - 16) + 1);
       }},
  };
  const Extent e{s.n, s.k / 2};
  const std::vector<explain::ByteOrder> orders = explain::code_orders(e);
  for (const explain::ByteOrder& written : orders) {
    for (const explain::ByteOrder& read : orders) {
      if (!explain::worth_trying(written, read)) continue;
      rules.push_back({fmt::format("codes that lie in {} are read as {}", written.name, read.name),
                       [=](int64_t n, int64_t k) -> int64_t {
                         const Coord c = explain::found_at(written, read, {n, k / 2});
                         return explain::inside(e, c) ? c.row * s.k + 2 * c.col + k % 2 : -1;
                       },
                       written.name});
    }
  }
  return rules;
}

std::vector<Rule> scale_rules(const Shape& s) {
  const int64_t blocks = s.k / kBlock;
  std::vector<Rule> rules = {{"every scale is read from its place",
                              [blocks](int64_t n, int64_t k) { return n * blocks + k / kBlock; }}};
  const Extent e{s.n, blocks};
  const std::vector<explain::ByteOrder> orders = explain::scale_orders(e);
  for (const explain::ByteOrder& written : orders) {
    for (const explain::ByteOrder& read : orders) {
      if (!explain::worth_trying(written, read)) continue;
      rules.push_back({fmt::format("scales that lie in {} are read as {}", written.name, read.name),
                       [=](int64_t n, int64_t k) -> int64_t {
                         const Coord c = explain::found_at(written, read, {n, k / kBlock});
                         return explain::inside(e, c) ? c.row * blocks + c.col : -1;
                       },
                       written.name});
    }
  }
  return rules;
}

std::string describe_unreadable(const Unreadable& u) {
  if (u.count == 0) return "";
  const int64_t around = (u.n_last - u.n_first + 1) * (u.k_last - u.k_first + 1);
  return fmt::format("        no digit at {} places, {} n = {}..{}, k = {}..{}; the first shows {}\n",
                     u.count, u.count == around ? "all of" : "within", u.n_first, u.n_last, u.k_first,
                     u.k_last, u.shown);
}

/// The rules about what was written, or about everything else, that fit.
std::string fitting(const Shape& s, const std::vector<int64_t>& reading, const std::vector<Rule>& rules,
                    const std::string& written, bool about_written) {
  std::string text;
  for (const Rule& rule : rules) {
    const bool about = rule.written.empty() || rule.written == written;
    if (about == about_written && follows(s, reading, rule.from))
      text += fmt::format("{}{}\n", text.empty() ? "" : "or, which is the same here: ", rule.text);
  }
  return text;
}

std::string describe_map(const Shape& s, const std::vector<int64_t>& reading, const Unreadable& gaps,
                         const std::vector<Rule>& rules, int64_t per_row, const std::string& written,
                         const char* what) {
  std::string text = fitting(s, reading, rules, written, true);
  if (text.starts_with(rules.front().text))
    text = (gaps.count == 0 ? "right: " : "where it can be read, ") + text;
  if (text.empty()) text = fitting(s, reading, rules, written, false);
  if (!text.empty()) return text + describe_unreadable(gaps);
  text = fmt::format("{}: no known rule; the first places that are read from elsewhere:\n", what);
  int listed = 0;
  for (int64_t n = 0; n < s.n && listed < 8; ++n) {
    for (int64_t k = 0; k < s.k && listed < 8; ++k) {
      const int64_t from = reading[static_cast<size_t>(n * s.k + k)];
      if (from == rules.front().from(n, k)) continue;
      ++listed;
      text += from < 0 ? fmt::format("  (n={}, k={}): no digit\n", n, k)
                       : fmt::format("  (n={}, k={}) is read from row {}, {} {}\n", n, k, from / per_row,
                                     per_row == s.k ? "element" : "block", from % per_row);
    }
  }
  return text + describe_unreadable(gaps);
}

}  // namespace

Status validate(const Shape& shape) {
  if (shape.n > 0 && shape.k > 0 && shape.k % kBlock == 0 && shape.k <= 8192) {
    if (shape.n <= kMostElements / shape.k) return {};
    return Status::bad_input(
        fmt::format("probe data has at most {} elements, which is N = {} for K = {}, not N = {}",
                    kMostElements, kMostElements / shape.k, shape.k, shape.n));
  }
  return Status::bad_input(
      fmt::format("probe data needs N > 0 and K a multiple of {} up to 8192, not N = {}, K = {}", kBlock,
                  shape.n, shape.k));
}

int code_runs(const Shape& s) {
  return runs_for(s.n * s.k, kCodeBase);
}
int scale_runs(const Shape& s) {
  return runs_for(s.n * (s.k / kBlock), kScaleBase);
}

Matrix<Bf16> identity(int64_t k) {
  Matrix<Bf16> m(k, k);
  for (int64_t i = 0; i < k; ++i) m(i, i) = Bf16{0x3f80};
  return m;
}

Mxfp4Matrix code_run(const Shape& s, int run) {
  Mxfp4Matrix b(s.n, s.k);
  for (uint8_t& scale : b.scales) scale = kE8m0Bias;
  for (int64_t n = 0; n < s.n; ++n) {
    for (int64_t k = 0; k < s.k; ++k) {
      const uint8_t code = code_of_digit(digit_of(n * s.k + k, run, kCodeBase));
      b.code_row(n)[k / 2] |= static_cast<uint8_t>(k % 2 == 0 ? code : code << 4);
    }
  }
  return b;
}

Mxfp4Matrix scale_run(const Shape& s, int run) {
  Mxfp4Matrix b(s.n, s.k);
  for (uint8_t& byte : b.codes) byte = kOne | kOne << 4;
  for (size_t i = 0; i < b.scales.size(); ++i) {
    b.scales[i] = static_cast<uint8_t>(kLowestScale + digit_of(static_cast<int64_t>(i), run, kScaleBase));
  }
  return b;
}

Expected<Reading> read(const Shape& s, const std::vector<Matrix<Bf16>>& code_outputs,
                       const std::vector<Matrix<Bf16>>& scale_outputs) {
  if (Status status = validate(s); !status) return status;
  if (static_cast<int>(code_outputs.size()) != code_runs(s) ||
      static_cast<int>(scale_outputs.size()) != scale_runs(s)) {
    return Status::bad_input(fmt::format("N = {}, K = {} takes {} code runs and {} scale runs, not {} and {}",
                                         s.n, s.k, code_runs(s), scale_runs(s), code_outputs.size(),
                                         scale_outputs.size()));
  }
  for (const auto* outputs : {&code_outputs, &scale_outputs}) {
    for (const Matrix<Bf16>& c : *outputs) {
      if (c.rows == s.k && c.cols == s.n) continue;
      return Status::bad_input(
          fmt::format("an output is [{}, {}]; with A the identity it must be [K, N] = [{}, {}]", c.rows,
                      c.cols, s.k, s.n));
    }
  }
  Reading reading;
  reading.shape = s;
  reading.factor = common_factor(code_outputs, scale_outputs);
  const float factor = reading.factor;
  reading.code_from = indices(s, code_outputs, kCodeBase, s.n * s.k, factor, digit_of_code);
  reading.scale_from = indices(s, scale_outputs, kScaleBase, s.n * (s.k / kBlock), factor, digit_of_scale);
  reading.codes_unreadable = unreadable(s, code_outputs, reading.code_from, factor, digit_of_code);
  reading.scales_unreadable = unreadable(s, scale_outputs, reading.scale_from, factor, digit_of_scale);
  return reading;
}

bool all_in_place(const Reading& r) {
  if (r.factor != 1) return false;
  for (int64_t n = 0; n < r.shape.n; ++n) {
    for (int64_t k = 0; k < r.shape.k; ++k) {
      const auto at = static_cast<size_t>(n * r.shape.k + k);
      if (r.code_from[at] != n * r.shape.k + k) return false;
      if (r.scale_from[at] != n * (r.shape.k / kBlock) + k / kBlock) return false;
    }
  }
  return true;
}

std::string describe(const Reading& r, const Written& written) {
  const std::string factor =
      r.factor == 1 ? "" : fmt::format("every output is {} times what its code and scale say\n", r.factor);
  return factor + "codes:  " +
         describe_map(r.shape, r.code_from, r.codes_unreadable, code_rules(r.shape), r.shape.k, written.codes,
                      "codes") +
         "scales: " +
         describe_map(r.shape, r.scale_from, r.scales_unreadable, scale_rules(r.shape), r.shape.k / kBlock,
                      written.scales, "scales");
}

}  // namespace mxproof::probe
