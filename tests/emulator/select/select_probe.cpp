// Prints what select_device came to and what it left behind, one `key=value` a line.
#include <dlfcn.h>

#include <cstdlib>
#include <iostream>

#include "emulator/select/select_device.hpp"

int main(int argc, char** argv) {
  const mxproof::Status status = mxproof::emulator::select_device(argc, argv);
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "(unset)" : value;
  };
  std::cout << "code=" << static_cast<int>(status.code()) << "\nmessage=" << status.message()
            << "\nemulator=" << (dlsym(RTLD_DEFAULT, "mxproof_hip_is_loaded") != nullptr)
            << "\nLD_PRELOAD=" << variable("LD_PRELOAD") << "\narguments=";
  for (int i = 1; i < argc; ++i) std::cout << argv[i] << ';';
  std::cout << '\n';
}
