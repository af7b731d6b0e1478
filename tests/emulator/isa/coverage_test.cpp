// Every mnemonic that LLVM decodes for gfx950 is either an instruction of the machine or in
// data/isa/unmodelled.csv with a reason. Mnemonics are found by decoding random encodings of every format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <random>
#include <set>
#include <span>
#include <string>

#include "emulator/decode/assembly_text.hpp"
#include "emulator/decode/disassembler.hpp"
#include "emulator/isa/rows.hpp"
#include "tests/emulator/support/test_wave.hpp"

namespace mxproof::emulator {
namespace {

struct Pattern {
  std::string text;  ///< A trailing * stands for anything.
  std::string example;
  std::string reason;

  bool matches(const std::string& mnemonic) const {
    if (!text.ends_with('*')) return mnemonic == text;
    return mnemonic.starts_with(std::string_view(text).substr(0, text.size() - 1));
  }
};

/// mnemonic,"example","reason"
std::vector<Pattern> unmodelled() {
  std::ifstream file(MXPROOF_SOURCE_DIR "/data/isa/unmodelled.csv");
  std::vector<Pattern> patterns;
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "mnemonic,example,reason");
  while (std::getline(file, line)) {
    const size_t example = line.find(",\"") + 2;
    const size_t reason = line.find("\",\"", example);
    EXPECT_NE(reason, std::string::npos) << line;
    patterns.push_back({line.substr(0, example - 2), line.substr(example, reason - example),
                        line.substr(reason + 3, line.size() - reason - 4)});
  }
  return patterns;
}

/// The fixed upper bits of each encoding format. Source: AMD CDNA3 ISA reference guide, chapter "Microcode
/// Formats".
struct Format {
  uint32_t prefix;
  int bits;
};
constexpr std::array kFormats = {
    Format{0b10, 2},         // SOP2
    Format{0b1011, 4},       // SOPK
    Format{0b101111101, 9},  // SOP1
    Format{0b101111110, 9},  // SOPC
    Format{0b101111111, 9},  // SOPP
    Format{0b110000, 6},     // SMEM
    Format{0b0, 1},          // VOP2
    Format{0b0111111, 7},    // VOP1
    Format{0b0111110, 7},    // VOPC
    Format{0b110100, 6},     // VOP3
    Format{0b110100111, 9},  // VOP3P
    Format{0b110110, 6},     // DS
    Format{0b110111, 6},     // FLAT
    Format{0b111000, 6},     // MUBUF
    Format{0b111010, 6},     // MTBUF
};

/// Mnemonics in `count` random instructions whose operands LLVM finds valid.
std::set<std::string> decoded_mnemonics(int count) {
  auto disassembler = Disassembler::create();
  EXPECT_TRUE(disassembler.ok());
  std::mt19937 random(950);
  std::set<std::string> mnemonics;
  for (int i = 0; i < count; ++i) {
    std::array<uint32_t, 4> words{};
    for (uint32_t& word : words) word = static_cast<uint32_t>(random());
    const Format& format = kFormats[static_cast<size_t>(i) % kFormats.size()];
    words[0] = (words[0] & ((1U << (32 - format.bits)) - 1U)) | format.prefix << (32 - format.bits);
    if (random() % 2 == 0) words[1] &= 0x3ffeffffU;  // fewer modifiers, more valid operands
    const auto result = disassembler->disassemble(std::as_bytes(std::span(words)), 0);
    if (result.size == 0) continue;
    const auto text = parse_assembly(result.text);
    mnemonics.insert(text.ok() ? text->mnemonic : result.text.substr(0, result.text.find(' ')));
  }
  return mnemonics;
}

TEST(Coverage, EveryMnemonicIsModelledOrListedWithAReason) {
  const std::vector<Pattern> patterns = unmodelled();
  int known = 0;
  for (const std::string& mnemonic : decoded_mnemonics(400000)) {
    const bool listed = std::ranges::any_of(patterns, [&](const Pattern& p) { return p.matches(mnemonic); });
    // Text that does not parse keeps its encoding suffix.
    const bool modelled =
        find_row(mnemonic) != nullptr || find_row(mnemonic.substr(0, mnemonic.rfind('_'))) != nullptr;
    known += modelled ? 1 : 0;
    EXPECT_NE(modelled, listed) << mnemonic
                                << (modelled ? " is modelled and listed" : " is neither modelled nor listed");
  }
  EXPECT_GT(known, 1000);
}

/// Each line of the list is about an instruction that exists, and a launch that reaches it stops there and
/// says so.
TEST(Coverage, WhatIsListedIsAnInstructionThatStopsALaunch) {
  const std::vector<Pattern> patterns = unmodelled();
  EXPECT_GT(patterns.size(), 10U);
  for (const Pattern& pattern : patterns) {
    EXPECT_TRUE(pattern.matches(pattern.example.substr(0, pattern.example.find(' ')))) << pattern.text;
    EXPECT_GT(pattern.reason.size(), 5U) << pattern.text;
    TestWave wave;
    EXPECT_THAT(wave.run(pattern.example), testing::HasSubstr("this instruction is not known to the machine"))
        << pattern.example;
  }
}

}  // namespace
}  // namespace mxproof::emulator
