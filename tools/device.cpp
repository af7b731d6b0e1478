#include "tools/device.hpp"

#include <cstdlib>

#ifdef MXPROOF_HAS_EMULATOR
#include "emulator/select/select_device.hpp"
#endif

namespace mxproof {

void add_device_flag(CLI::App& command, std::string& choice) {
  command
      .add_option("--device", choice,
                  "auto (a GPU if there is one), emulator or gpu (default: $MXPROOF_DEVICE or auto)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"auto", "emulator", "gpu"}));
}

Expected<DeviceInfo> open_device(const Program& program, const std::string& choice) {
#ifdef MXPROOF_HAS_EMULATOR
  if (!choice.empty()) ::setenv("MXPROOF_DEVICE", choice.c_str(), 1);
  if (Status status = emulator::select_device(program.argc, program.argv); !status) return status;
#else
  (void)program;
  if (choice == "emulator") return Status::bad_input("--device: this build has no emulator");
#endif
  return device_info();
}

}  // namespace mxproof
