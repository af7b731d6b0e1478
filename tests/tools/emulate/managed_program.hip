// A program with a __managed__ variable. AMD's library follows a null pointer in it where there is no GPU,
// before main(), so that it only runs under `mxproof emulate`.
#include <cstdio>

#include "tests/emulator/runtime/device_code.hpp"

MX_MANAGED int numbers[4] = {10, 20, 30, 40};

MX_GLOBAL void double_numbers() {
  numbers[__builtin_amdgcn_workitem_id_x()] *= 2;
}

int main() {
  numbers[3] = 7;
  double_numbers<<<1, 4>>>();
  if (hipDeviceSynchronize() != hipSuccess) return 1;
  std::printf("%d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3]);

  const void* symbol = numbers;
  void* address = nullptr;
  size_t size = 0;
  const int one = 1;
  if (hipGetSymbolAddress(&address, symbol) != hipSuccess || address != symbol) return 2;
  if (hipGetSymbolSize(&size, symbol) != hipSuccess || size != sizeof(numbers)) return 3;
  if (hipMemcpyToSymbol(symbol, &one, sizeof(one), sizeof(one), hipMemcpyHostToDevice) != hipSuccess)
    return 4;
  return numbers[1] == one ? 0 : 5;
}
