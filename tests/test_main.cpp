// GoogleTest's main for programs that use HIP: chooses the device first.
#include <gtest/gtest.h>

#include <iostream>

#include "emulator/select/select_device.hpp"

int main(int argc, char** argv) {
  const mxproof::Status status = mxproof::emulator::select_device(argc, argv);
  if (!status.ok()) {
    std::cerr << status.message() << '\n';
    return 2;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
