#include "emulator/select/select_device.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "emulator/select/amd_gpu.hpp"

namespace mxproof::emulator {
namespace {

constexpr const char* kDevice = "MXPROOF_DEVICE";
constexpr const char* kPreload = "LD_PRELOAD";
// Set across the restart only. Holds the LD_PRELOAD of before it.
constexpr const char* kRestarted = "MXPROOF_RESTARTED_WITH_PRELOAD";
constexpr const char* kLibrary = "libmxproof_hip.so";
// Exported by the library and by nothing else.
constexpr const char* kMarker = "mxproof_hip_is_loaded";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void set_or_unset(const char* name, const std::string& value) {
  if (value.empty()) {
    ::unsetenv(name);
  } else {
    ::setenv(name, value.c_str(), 1);
  }
}

bool emulator_is_loaded() {
  return ::dlsym(RTLD_DEFAULT, kMarker) != nullptr;
}

Status restart_with_emulator(char** argv) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return Status::internal(fmt::format("/proc/self/exe: {}", error.message()));
  const std::filesystem::path library = program.parent_path().parent_path() / "lib" / kLibrary;
  if (!std::filesystem::exists(library, error)) {
    return Status::internal(
        fmt::format("the emulator is not there: {}; build the target mxproof_hip", library.string()));
  }
  if (library.string().find_first_of(" :") != std::string::npos) {
    return Status::internal(
        fmt::format("{}: LD_PRELOAD cannot name a path with a blank or a colon", library.string()));
  }
  const std::string before = environment(kPreload);
  ::setenv(kRestarted, before.c_str(), 1);
  ::setenv(kPreload,
           before.empty() ? library.c_str() : fmt::format("{}:{}", library.string(), before).c_str(), 1);
  ::execv("/proc/self/exe", argv);
  return Status::internal(fmt::format("cannot start {} again: {}", program.string(), std::strerror(errno)));
}

}  // namespace

Status select_device(int /*argc*/, char** argv) {
  const bool restarted = std::getenv(kRestarted) != nullptr;
  if (restarted) {
    set_or_unset(kPreload, environment(kRestarted));
    ::unsetenv(kRestarted);
  }
  const std::string choice = environment(kDevice);
  const bool is_auto = choice.empty() || choice == "auto";
  if (!is_auto && choice != "gpu" && choice != "emulator") {
    return Status::bad_input(fmt::format("{}={}: must be auto, gpu or emulator", kDevice, choice));
  }
  if (emulator_is_loaded()) {
    if (choice == "gpu")
      return Status::bad_input(fmt::format("{}=gpu, but {} is preloaded", kDevice, kLibrary));
    return {};
  }
  if (restarted) {
    return Status::internal(
        fmt::format("{} did not load: is this program setuid or statically linked?", kLibrary));
  }
  if (choice != "emulator") {
    Status gpu = find_amd_gpu();
    if (gpu.ok()) return {};
    if (!is_auto) return Status::refused(fmt::format("{}=gpu: {}", kDevice, gpu.message()));
  }
  return restart_with_emulator(argv);
}

}  // namespace mxproof::emulator
