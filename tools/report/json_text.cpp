#include "tools/report/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/array/byte_source.hpp"

namespace mxproof::report {
namespace {

constexpr size_t kMostBytes = size_t{1} << 30;

/// Accepts everything and remembers where parsing stopped.
class MistakeFinder : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(size_t position, const std::string&, const nlohmann::json::exception&) override {
    position_ = position;
    return false;
  }

  size_t position() const { return position_; }

 private:
  size_t position_ = 0;
};

/// What stands just before `position`, made printable.
std::string neighbourhood(std::string_view text, size_t position) {
  const size_t start = position > 12 ? position - 12 : 0;
  std::string near(text.substr(start, position - start));
  for (char& c : near) {
    if (c < ' ' || c > '~') c = '.';
  }
  return near;
}

}  // namespace

Expected<nlohmann::json> parse_json(std::string_view text, const std::string& file) {
  nlohmann::json value = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!value.is_discarded()) return value;
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return Status::bad_input(fmt::format("{}: the file is empty; it should be Google Benchmark JSON", file));
  }
  MistakeFinder finder;
  nlohmann::json::sax_parse(text, &finder);
  const size_t position = std::min(finder.position(), text.size());
  if (position >= text.size()) {
    return Status::bad_input(
        fmt::format("{}: the JSON is cut off after {} bytes; write the run again", file, text.size()));
  }
  const std::string_view before = text.substr(0, position);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return Status::bad_input(fmt::format("{}: not JSON at line {}, column {} (near '{}')", file, line,
                                       position - line_start, neighbourhood(text, position)));
}

Expected<std::string> read_text(const std::string& path) {
  return mxproof::read_text(path, kMostBytes);
}

}  // namespace mxproof::report
