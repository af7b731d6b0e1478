#include "tests/tools/run_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cassert>
#include <cstdlib>
#include <utility>

namespace mxproof {
namespace {

// In the child: never returns.
[[noreturn]] void start(const std::vector<std::string>& arguments,
                        const std::vector<std::string>& environment) {
  for (const std::string& variable : environment) {
    const size_t equals = variable.find('=');
    ::setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
  }
  std::vector<char*> argv;
  static char program[] = MXPROOF_PROGRAM;
  argv.push_back(program);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(program, argv.data());
  std::_Exit(127);
}

int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Reads both descriptors to their ends.
void drain(const std::array<std::pair<int, std::string*>, 2>& streams) {
  std::array<pollfd, 2> waiting{};
  for (size_t i = 0; i < 2; ++i) waiting[i] = {streams[i].first, POLLIN, 0};
  for (int open = static_cast<int>(waiting[0].fd >= 0) + static_cast<int>(waiting[1].fd >= 0); open > 0;) {
    ::poll(waiting.data(), waiting.size(), -1);
    for (size_t i = 0; i < 2; ++i) {
      if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
      std::array<char, 4096> buffer;
      const ssize_t got = ::read(waiting[i].fd, buffer.data(), buffer.size());
      if (got > 0) {
        streams[i].second->append(buffer.data(), static_cast<size_t>(got));
      } else {  // the end; a pseudo-terminal reports it as an error
        ::close(waiting[i].fd);
        waiting[i].fd = -1;
        --open;
      }
    }
  }
}

}  // namespace

ProgramResult run_mxproof(const std::vector<std::string>& arguments,
                          const std::vector<std::string>& environment) {
  std::array<int, 2> out{};
  std::array<int, 2> err{};
  const bool piped = ::pipe2(out.data(), O_CLOEXEC) == 0 && ::pipe2(err.data(), O_CLOEXEC) == 0;
  assert(piped);
  (void)piped;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    ::dup2(err[1], STDERR_FILENO);
    start(arguments, environment);
  }
  ::close(out[1]);
  ::close(err[1]);
  ProgramResult result;
  drain({std::pair(out[0], &result.out), std::pair(err[0], &result.err)});
  result.exit_code = wait_for(child);
  return result;
}

ProgramResult run_mxproof_on_terminal(const std::vector<std::string>& arguments,
                                      const std::vector<std::string>& environment) {
  winsize size{.ws_row = 40, .ws_col = 100, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    ::setenv("TERM", "xterm", 1);
    start(arguments, environment);
  }
  ProgramResult result;
  drain({std::pair(terminal, &result.out), std::pair(-1, nullptr)});
  result.exit_code = wait_for(child);
  return result;
}

}  // namespace mxproof
