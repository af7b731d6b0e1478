#include "common/report/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "common/report/terminal.hpp"

namespace mxproof {
namespace {

constexpr std::chrono::milliseconds kRedraw(100);
constexpr int kBarWidth = 24;

size_t terminal_columns(std::FILE* stream) {
  winsize size{};
  if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

Progress::Progress(double total, std::FILE* stream)
    : total_(total), stream_(stream), enabled_(is_terminal(stream)) {
  assert(total > 0);
}

Progress::~Progress() {
  clear();
}

void Progress::advance(double work, const std::string& label) {
  done_ = std::min(total_, done_ + work);
  const auto now = std::chrono::steady_clock::now();
  if (!enabled_ || (drawn_ && label == label_ && now - last_ < kRedraw)) return;
  label_ = label;
  last_ = now;
  draw();
}

void Progress::draw() {
  const double share = done_ / total_;
  const int filled = static_cast<int>(std::lround(share * kBarWidth));
  std::string line =
      fmt::format("[{}{}] {:3.0f} %  {}", std::string(static_cast<size_t>(filled), '#'),
                  std::string(static_cast<size_t>(kBarWidth - filled), '.'), share * 100, label_);
  line.resize(std::min(line.size(), terminal_columns(stream_) - 1));
  std::fputs(("\r\x1b[K" + line).c_str(), stream_);
  std::fflush(stream_);
  drawn_ = true;
}

void Progress::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stream_);
  std::fflush(stream_);
  drawn_ = false;
}

}  // namespace mxproof
