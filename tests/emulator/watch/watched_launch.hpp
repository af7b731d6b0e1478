// Launching kernels with watchers on, and what they reported.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "emulator/machine/launch.hpp"
#include "emulator/watch/written_bytes.hpp"

namespace mxproof::emulator {

inline CodeObject load_code_object(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  auto code_object = CodeObject::load(std::as_bytes(std::span(bytes)));
  EXPECT_TRUE(code_object.ok()) << path << ": " << code_object.status().message();
  return std::move(*code_object);
}

/// Memory of a launch, in pages of its own. `written` bytes at its start count as written.
class WatchedBuffer {
 public:
  WatchedBuffer(GlobalMemory& memory, size_t bytes, size_t written)
      : words_(bytes / sizeof(uint32_t)), written_(std::make_shared<WrittenBytes>(bytes)) {
    written_->mark(0, written);
    EXPECT_TRUE(memory.add(words_.data(), bytes, "buffer", written_).ok());
  }
  uint32_t* data() { return words_.data(); }
  uint64_t address() const { return reinterpret_cast<uint64_t>(words_.data()); }
  const std::vector<uint32_t>& words() const { return words_; }

 private:
  std::vector<uint32_t> words_;
  std::shared_ptr<WrittenBytes> written_;
};

/// All of them, one a line, for messages of tests.
inline std::string all_text(const std::vector<WatchReport>& reports) {
  std::string text;
  for (const WatchReport& report : reports) text += to_text(report) + "\n";
  return text;
}

}  // namespace mxproof::emulator
