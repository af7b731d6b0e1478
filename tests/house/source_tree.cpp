#include "tests/house/source_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace mxproof::house {
namespace {

namespace fs = std::filesystem;

bool is_text(const fs::path& path) {
  static constexpr std::string_view kBinary[] = {".npy", ".safetensors", ".png", ".co",
                                                 ".bin", ".gguf",        ".o"};
  return std::ranges::find(kBinary, path.extension().string()) == std::end(kBinary);
}

SourceFile read(const fs::path& path) {
  SourceFile file{path.lexically_relative(root()).generic_string(), {}, {}};
  const size_t slash = file.path.find('/');
  if (slash != std::string::npos) file.room = file.path.substr(0, slash);
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) file.lines.push_back(line);
  return file;
}

std::vector<SourceFile> read_all() {
  std::vector<SourceFile> files;
  for (const fs::directory_entry& top : fs::directory_iterator(root())) {
    const std::string name = top.path().filename().string();
    // .git is a file in a linked worktree.
    if (top.is_regular_file() && is_text(top.path()) && name != ".git") files.push_back(read(top.path()));
    const bool ours = std::ranges::find(kRooms, name) != std::end(kRooms) || name == "data" || name == ".ci";
    if (!top.is_directory() || !ours) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top.path()))
      if (entry.is_regular_file() && is_text(entry.path())) files.push_back(read(entry.path()));
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

std::string include_between(const std::string& line, char open, char close) {
  const size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#') return {};
  const size_t word = line.find_first_not_of(" \t", hash + 1);
  if (word == std::string::npos || line.compare(word, 7, "include") != 0) return {};
  const size_t begin = line.find_first_not_of(" \t", word + 7);
  if (begin == std::string::npos || line[begin] != open) return {};
  const size_t end = line.find(close, begin + 1);
  return end == std::string::npos ? std::string() : line.substr(begin + 1, end - begin - 1);
}

}  // namespace

fs::path root() {
  return MXPROOF_SOURCE_DIR;
}

const std::vector<SourceFile>& all_files() {
  static const std::vector<SourceFile> kFiles = read_all();
  return kFiles;
}

std::string quoted_include(const std::string& line) {
  return include_between(line, '"', '"');
}
std::string angled_include(const std::string& line) {
  return include_between(line, '<', '>');
}

void Findings::add(const SourceFile& file, size_t line_index, const std::string& what) {
  text_ += fmt::format("{}:{}: {}\n", file.path, line_index + 1, what);
}

}  // namespace mxproof::house
